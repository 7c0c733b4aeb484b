package swapfile

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

type held struct {
	path string
	pid  int
}

// open finds nothing: this system does not tell which files a process has open
// in the time of a hook. Folders tell.
func (s *search) open() []held { return nil }

// lives reports whether process pid is the editor that made the swap file: an
// editor that started before the file was last written.
func (s *search) lives(pid int, swap os.FileInfo) bool {
	process, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(process.Proc.P_pid) != pid {
		return false
	}
	if !isEditor(unix.ByteSliceToString(process.Proc.P_comm[:])) {
		return false
	}
	// The slack is for the file system's clock; a pid is not used again so soon.
	started := time.Unix(process.Proc.P_starttime.Unix())
	return started.Before(swap.ModTime().Add(2 * time.Second))
}
