package swapfile

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// held is a swap file that a process has open.
type held struct {
	path string
	pid  int
}

// open returns the swap files that the user's editors have open, which is all
// of them wherever 'directory' points to, but for those that by their names are
// of other files.
func (s *search) open() []held {
	dir, err := os.Open(s.Proc)
	if err != nil {
		return nil
	}
	defer dir.Close()
	at := int(dir.Fd())
	entries, _ := dir.Readdirnames(-1)
	mayBe := s.byName()
	var all []held
	var target [unix.PathMax]byte
	for _, name := range entries {
		if name[0] < '1' || name[0] > '9' {
			continue
		}
		n, err := unix.Readlinkat(at, name+"/exe", target[:])
		if err != nil || !isEditor(string(target[:n])) {
			continue
		}
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		for _, path := range s.descriptors(pid) {
			if isSwapName(path) && mayBe(path) {
				all = append(all, held{path: path, pid: pid})
			}
		}
	}
	return all
}

// byName returns a test of whether the swap file at a path can be of the file. It
// has the file's last name in it, unless the editor has opened another hard link.
func (s *search) byName() func(path string) bool {
	var stat unix.Stat_t
	if unix.Stat(s.file.Real, &stat) == nil && stat.Nlink > 1 {
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

// descriptors returns what the open files of a process are called.
func (s *search) descriptors(pid int) []string {
	dir, err := os.Open(filepath.Join(s.Proc, strconv.Itoa(pid), "fd"))
	if err != nil {
		return nil
	}
	defer dir.Close()
	at := int(dir.Fd())
	entries, _ := dir.Readdirnames(-1)
	paths := make([]string, 0, len(entries))
	var target [unix.PathMax]byte
	for _, fd := range entries {
		if n, err := unix.Readlinkat(at, fd, target[:]); err == nil && target[0] == '/' {
			paths = append(paths, string(target[:n]))
		}
	}
	return paths
}

// lives reports whether process pid is the editor that made the swap file.
// Editors keep it open, so a process without it is another one that got the
// pid; of another user's process only the name can be seen.
func (s *search) lives(pid int, swap os.FileInfo) bool {
	if !running(pid) {
		return false
	}
	fds := filepath.Join(s.Proc, strconv.Itoa(pid), "fd")
	entries, err := os.ReadDir(fds)
	if err != nil {
		comm, err := os.ReadFile(filepath.Join(s.Proc, strconv.Itoa(pid), "comm"))
		return err == nil && isEditor(strings.TrimSpace(string(comm)))
	}
	for _, fd := range entries {
		if info, err := os.Stat(filepath.Join(fds, fd.Name())); err == nil && os.SameFile(info, swap) {
			return true
		}
	}
	return false
}
