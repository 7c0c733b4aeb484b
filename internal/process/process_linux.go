package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// editors goes by the link to each process's executable: a name (comm) would
// miss the Neovim that was started as vi or editor, and costs twice as much to
// read. Other users' links cannot be read, but by root.
func editors(proc string) []*Editor {
	at, names, err := list(proc)
	if err != nil {
		return nil
	}
	defer unix.Close(at)
	var all []*Editor
	var target [unix.PathMax]byte
	for _, name := range names {
		if name[0] < '1' || name[0] > '9' {
			continue
		}
		n, err := unix.Readlinkat(at, name+"/exe", target[:])
		if err != nil {
			continue
		}
		program := string(target[bytes.LastIndexByte(target[:n], '/')+1 : n])
		if !IsEditor(program) {
			continue
		}
		var stat unix.Stat_t
		pid, err := strconv.Atoi(name)
		if err != nil || unix.Fstatat(at, name, &stat, 0) != nil {
			continue
		}
		all = append(all, &Editor{PID: pid, UID: int(stat.Uid), Program: program, dir: filepath.Join(proc, name)})
	}
	return all
}

// list opens a folder and returns its descriptor and what is in it. os.File would
// make twice as many system calls, for every editor.
func list(dir string) (fd int, names []string, err error) {
	fd, err = unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, nil, err
	}
	buffer := make([]byte, 16<<10)
	for {
		n, err := unix.Getdents(fd, buffer)
		if err != nil || n == 0 {
			return fd, names, nil // what was read counts
		}
		_, _, names = unix.ParseDirent(buffer[:n], -1, names)
	}
}

// Links returns what the process's descriptors are, read once: a path,
// "socket:[INODE]", "pipe:[INODE]" and the like.
func (e *Editor) Links() []string {
	e.once.Do(func() {
		at, names, err := list(filepath.Join(e.dir, "fd"))
		if err != nil {
			return
		}
		defer unix.Close(at)
		e.links = make([]string, 0, len(names))
		var target [unix.PathMax]byte
		for _, name := range names {
			if n, err := unix.Readlinkat(at, name, target[:]); err == nil {
				e.links = append(e.links, string(target[:n]))
			}
		}
	})
	return e.links
}

// CommandLine returns the arguments of the process, each with a zero byte behind
// it; "" where it has ended.
func (e *Editor) CommandLine() string {
	line, err := os.ReadFile(filepath.Join(e.dir, "cmdline"))
	if err != nil {
		return ""
	}
	return string(line)
}

// Dir returns the process's working directory.
func (e *Editor) Dir() (string, error) {
	return os.Readlink(filepath.Join(e.dir, "cwd"))
}

// Stopped reports whether a signal has stopped the process: state T in its stat
// file, after a name in parentheses that may hold anything.
func (e *Editor) Stopped() bool {
	stat, err := os.ReadFile(filepath.Join(e.dir, "stat"))
	i := bytes.LastIndexByte(stat, ')')
	return err == nil && i >= 0 && i+2 < len(stat) && stat[i+2] == 'T'
}
