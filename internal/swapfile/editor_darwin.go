package swapfile

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
	"sidekick/internal/process"
)

// lives reports whether process pid is the editor that made the swap file: an
// editor that started before the file was last written.
func (s *search) lives(pid int, swap os.FileInfo) bool {
	found, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(found.Proc.P_pid) != pid {
		return false
	}
	if !process.IsEditor(unix.ByteSliceToString(found.Proc.P_comm[:])) {
		return false
	}
	// The slack is for the file system's clock; a pid is not used again so soon.
	started := time.Unix(found.Proc.P_starttime.Unix())
	return started.Before(swap.ModTime().Add(2 * time.Second))
}
