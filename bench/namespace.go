//go:build linux

package main

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// namespace is a network namespace: what runs in one sees only the Neovims that
// were started in the same one, so fleets of different sizes can be measured in
// turns. Entering it costs a measured process nothing: its parent is in it.
type namespace chan func()

// newNamespace makes one, with a thread that lives in it for good.
func newNamespace() (namespace, error) {
	n := make(namespace)
	ready := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread is of no other use
		err := unix.Unshare(unix.CLONE_NEWNET)
		ready <- err
		if err != nil {
			return
		}
		for run := range n {
			run()
		}
	}()
	if err := <-ready; err != nil {
		return nil, fmt.Errorf("make a network namespace (run as root, or under 'unshare -rn'): %w", err)
	}
	return n, nil
}

// do runs f in the namespace.
func (n namespace) do(f func() error) error {
	done := make(chan error)
	n <- func() { done <- f() }
	return <-done
}
