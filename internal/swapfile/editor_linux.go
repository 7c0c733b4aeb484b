package swapfile

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sidekick/internal/process"
)

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
		return err == nil && process.IsEditor(strings.TrimSpace(string(comm)))
	}
	for _, fd := range entries {
		if info, err := os.Stat(filepath.Join(fds, fd.Name())); err == nil && os.SameFile(info, swap) {
			return true
		}
	}
	return false
}
