//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// namespace is a small machine: network, processes and /proc of its own. What
// runs in one sees only what was started in the same one, so fleets of different
// sizes can be measured in turns, whatever else the machine does. Entering it
// costs a measured process nothing: its parent's thread is in it.
type namespace struct {
	work chan func()
	init *exec.Cmd
}

// idle is how many other processes each machine has: a hook looks at all of
// them, and a desktop has some.
const idle = 150

// boot is the first process of a namespace. With it all others end.
var boot = strings.Join([]string{
	"mount --make-rprivate /",
	"mount -t proc proc /proc",
	"for i in $(seq " + strconv.Itoa(idle) + "); do sleep 1000000 & done",
	"echo up",
	"exec sleep 1000000",
}, " && ")

// newNamespace makes one, with a thread that lives in it for good.
func newNamespace() (*namespace, error) {
	n := &namespace{work: make(chan func()), init: exec.Command("sh", "-c", boot)}
	ready := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread is of no other use
		err := unix.Unshare(unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWNS)
		if err == nil {
			err = n.boot()
		}
		ready <- err
		if err != nil {
			return
		}
		for run := range n.work {
			run()
		}
	}()
	if err := <-ready; err != nil {
		return nil, fmt.Errorf("make a namespace (run as root, or under 'unshare -rn'): %w", err)
	}
	return n, nil
}

func (n *namespace) boot() error {
	out, err := n.init.StdoutPipe()
	if err != nil {
		return err
	}
	n.init.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := n.init.Start(); err != nil {
		return err
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "up\n" {
		return fmt.Errorf("start its first process: %w", io.ErrUnexpectedEOF)
	}
	return nil
}

// do runs f in the namespace.
func (n *namespace) do(f func() error) error {
	done := make(chan error)
	n.work <- func() { done <- f() }
	return <-done
}

// end kills all that runs in the namespace. Its first process ends last: it waits
// for those that we started, until we have seen them end.
func (n *namespace) end(started []editor) {
	close(n.work)
	_ = n.init.Process.Kill()
	for _, e := range started {
		_ = e.Wait()
	}
	_ = n.init.Wait()
}
