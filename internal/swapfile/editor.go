package swapfile

import (
	"path/filepath"
	"strings"
	"syscall"
)

// isEditor reports whether a program (path or name) is Neovim or Vim, by any of
// the names that Vim is installed or called by.
func isEditor(program string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(filepath.Base(program), "."), "r") // rvim, rview
	for _, prefix := range []string{"nvim", "vim", "gvim", "gview", "view", "evim", "eview", "mvim", "macvim", "neovide"} {
		if strings.HasPrefix(strings.ToLower(name), prefix) {
			return true
		}
	}
	return name == "vi" || name == "ex" || name == "editor"
}

// running reports whether a process has this pid.
func running(pid int) bool {
	err := syscall.Kill(pid, 0)
	return pid > 0 && (err == nil || err == syscall.EPERM)
}
