// Package cputest measures what a test computes: unlike the clock, that does not
// depend on what else the machine does.
package cputest

import (
	"syscall"
	"testing"
	"time"
)

// Used is the processor time that this process has used so far.
func Used(t testing.TB) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatalf("getrusage: %v", err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
