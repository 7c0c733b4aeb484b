package socket_test

import (
	"os"
	"syscall"
	"testing"
)

func stop(t *testing.T, process *os.Process) {
	t.Helper()
	if err := process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = process.Signal(syscall.SIGCONT) })
}

func resume(t *testing.T, process *os.Process) {
	t.Helper()
	if err := process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
}
