package swapfile

import (
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// inEditors takes the swap files that running editors have open, which is all
// of them wherever 'directory' points to.
func (s *search) inEditors() {
	mayBe := s.byName()
	for _, editor := range s.Processes.Editors() {
		for _, path := range editor.Links() {
			if isSwapName(path) && mayBe(path) {
				s.add(path, editor.PID)
			}
		}
	}
}

// byName returns a test of whether the swap file at a path can be of the file. It
// has the file's last name in it, unless the editor has opened another hard link.
func (s *search) byName() func(path string) bool {
	var stat syscall.Stat_t
	if syscall.Stat(s.file.Real, &stat) == nil && stat.Nlink > 1 {
		return func(string) bool { return true }
	}
	var bases []string
	for _, name := range s.names() {
		bases = append(bases, strings.ToLower(filepath.Base(name)))
	}
	return func(path string) bool {
		name := strings.ToLower(filepath.Base(path))
		return slices.ContainsFunc(bases, func(base string) bool { return strings.Contains(name, base) })
	}
}

// running reports whether a process has this pid.
func running(pid int) bool {
	err := syscall.Kill(pid, 0)
	return pid > 0 && (err == nil || err == syscall.EPERM)
}
