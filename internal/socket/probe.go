package socket

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// state of a socket's file.
type state int

const (
	gone    state = iota // not there, or nothing that can be connected to
	refused              // nobody listens: dead, or bound and not yet listening
	live
)

// probe connects once, without waiting. A full queue is a living process that
// is too busy to answer.
func probe(path string) state {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return live // out of descriptors: whoever connects will see
	}
	defer unix.Close(fd)
	unix.CloseOnExec(fd)
	if unix.SetNonblock(fd, true) != nil {
		return live
	}
	switch err := unix.Connect(fd, &unix.SockaddrUnix{Name: path}); err {
	case nil, unix.EAGAIN, unix.EINPROGRESS, unix.EINTR:
		return live
	case unix.ECONNREFUSED:
		return refused
	}
	return gone
}

// Dead reports whether err, from a connection, means that no Neovim is there any
// more: it ended after it was found.
func Dead(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ENOENT)
}

// Ended reports whether the Neovim that was found at address is there no more: it
// ended while it was asked, which looks like one that is too busy to answer.
func Ended(address string) bool {
	return filepath.IsAbs(address) && probe(address) != live
}

// youth is how long a socket that refuses may be one whose Neovim has bound it
// and does not listen yet. The two calls follow each other, so this is plenty.
const youth = 10 * time.Second

// liveOrRemoved reports whether somebody listens at a socket in our runtime
// dir, and removes it where that is certainly over: it refuses, the process in
// its name is gone, and it is not young. A Neovim that starts is in its name
// (or, after :restart on 0.12, has made the file anew).
func (f *finder) liveOrRemoved(path string) bool {
	before, err := os.Lstat(path)
	if err != nil || before.Mode().Type() != os.ModeSocket || owner(before) != f.UID {
		return false
	}
	switch probe(path) {
	case live:
		return true
	case gone:
		return false
	}
	pid := namedPID(path)
	if pid == 0 || running(pid) || f.Now.Sub(before.ModTime()) < youth {
		return false
	}
	// Between the two looks the path may have been bound anew.
	if now, err := os.Lstat(path); err == nil && os.SameFile(before, now) && now.ModTime().Equal(before.ModTime()) {
		_ = os.Remove(path) // somebody else may have been quicker
	}
	return false
}

// namedPID returns the pid in HASH-PID.sock, or 0.
func namedPID(path string) int {
	_, pid, ok := cutLast(strings.TrimSuffix(filepath.Base(path), extension), "-")
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(pid, 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}
