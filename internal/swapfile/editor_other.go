//go:build !linux && !darwin

package swapfile

import "os"

type held struct {
	path string
	pid  int
}

// open finds nothing: this system does not tell which files a process has open.
func (s *search) open() []held { return nil }

// lives reports whether process pid runs; whether it is the editor cannot be
// seen here, and unsaved work is the safer guess.
func (s *search) lives(pid int, _ os.FileInfo) bool { return running(pid) }
