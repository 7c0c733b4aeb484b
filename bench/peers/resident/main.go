//go:build linux

// Resident runs a command line and prints the most memory that was resident,
// in KiB. The kernel counts what a process had before it became another program,
// so whoever starts the one that is measured has to be small: no fmt, no os/exec.
package main

import (
	"os"
	"strconv"
	"syscall"
)

func main() {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		os.Exit(1)
	}
	pid, err := syscall.ForkExec(os.Args[1], os.Args[1:], &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{0, null.Fd(), 2},
	})
	if err != nil {
		os.Exit(1)
	}
	var usage syscall.Rusage
	if _, err := syscall.Wait4(pid, nil, 0, &usage); err != nil {
		os.Exit(1)
	}
	os.Stdout.WriteString(strconv.FormatInt(usage.Maxrss, 10))
}
