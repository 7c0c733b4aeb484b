package socket

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// listening finds the Neovims of the user by the kernel's table. complete is
// false where the table cannot be read (Android).
//
// A socket counts when a process that runs nvim holds it, or when its name has
// the form of a Neovim's socket: its process may be in another pid namespace,
// where we cannot see it.
func (f *finder) listening() (found []Found, complete bool) {
	table, err := os.ReadFile(filepath.Join(f.Proc, "net/unix"))
	if err != nil {
		return nil, false
	}
	open := f.ofUser(parseTable(table))
	if len(open) == 0 {
		return nil, true
	}
	for _, p := range f.neovims() {
		if len(open) == 0 {
			break
		}
		for _, inode := range p.sockets(f.Proc) {
			path, ok := open[inode]
			if !ok {
				continue
			}
			delete(open, inode)
			if !filepath.IsAbs(path) { // 0.7: `nvim --listen name`
				dir, err := os.Readlink(p.file(f.Proc, "cwd"))
				if err != nil {
					continue
				}
				path = filepath.Join(dir, path)
			}
			found = append(found, Found{Address: filepath.Clean(path), PID: p.pid, Stopped: p.stopped(f.Proc)})
		}
	}
	for _, path := range open {
		if f.formOfNeovim(path) {
			found = append(found, Found{Address: filepath.Clean(path)})
		}
	}
	return found, true
}

// parseTable returns the named sockets that somebody listens on, by inode.
func parseTable(table []byte) map[string]string {
	// Num RefCount Protocol Flags Type St Inode Path
	const accepts, stream = "00010000", "0001"
	open := map[string]string{}
	for line := range bytes.Lines(table) {
		if !bytes.Contains(line, []byte(" "+accepts+" "+stream+" ")) {
			continue
		}
		head := line
		var fields [7][]byte
		for i := range fields {
			head = bytes.TrimLeft(head, " ")
			fields[i], head, _ = bytes.Cut(head, []byte(" "))
		}
		path := string(bytes.TrimSuffix(head, []byte("\n")))
		if string(fields[3]) == accepts && path != "" && path[0] != '@' {
			open[string(fields[6])] = path
		}
	}
	return open
}

// ofUser keeps the sockets that may belong to the user. Without any, no process
// need be looked at.
func (f *finder) ofUser(open map[string]string) map[string]string {
	for inode, path := range open {
		if !filepath.IsAbs(path) {
			continue // relative to its process
		}
		var stat unix.Stat_t
		if unix.Lstat(path, &stat) != nil || int(stat.Uid) != f.UID || stat.Mode&unix.S_IFMT != unix.S_IFSOCK {
			delete(open, inode)
		}
	}
	return open
}

// formOfNeovim reports whether a socket's path is one that a Neovim, sidekick
// or the Rust sidekick makes.
func (f *finder) formOfNeovim(path string) bool {
	dir, name := filepath.Split(path)
	if f.launched(path) {
		return true
	}
	parts := strings.Split(filepath.Clean(dir), "/")
	last := parts[len(parts)-1]
	switch {
	case filepath.Clean(dir) == filepath.Clean(f.RuntimeDir):
		return defaultPID(name) != 0
	case len(parts) > 1 && strings.HasPrefix(parts[len(parts)-2], "nvim."):
		return defaultPID(name) != 0
	case strings.HasPrefix(last, "nvim"):
		_, err := strconv.Atoi(name)
		return err == nil
	}
	return false
}

// process is one that runs nvim.
type process struct {
	pid  int
	name string // pid as text
}

// neovims returns the user's processes whose program is nvim, by the link to
// their executable: a name (comm) would miss the Neovim that was started as vi
// or editor, and costs twice as much to read.
func (f *finder) neovims() []process {
	dir, err := os.Open(f.Proc)
	if err != nil {
		return nil
	}
	defer dir.Close()
	at := int(dir.Fd())
	entries, _ := dir.Readdirnames(-1)
	var all []process
	var target [unix.PathMax]byte
	for _, name := range entries {
		if name[0] < '1' || name[0] > '9' {
			continue
		}
		n, err := unix.Readlinkat(at, name+"/exe", target[:])
		if err != nil || !isNvim(target[:n]) {
			continue
		}
		var stat unix.Stat_t
		if unix.Fstatat(at, name, &stat, 0) != nil || int(stat.Uid) != f.UID {
			continue // root may look at everybody's
		}
		if pid, err := strconv.Atoi(name); err == nil {
			all = append(all, process{pid: pid, name: name})
		}
	}
	return all
}

// isNvim knows nvim, .nvim-wrapped, nvim.appimage and an nvim that was upgraded
// while it runs ("nvim (deleted)").
func isNvim(executable []byte) bool {
	base := executable[bytes.LastIndexByte(executable, '/')+1:]
	return bytes.HasPrefix(bytes.TrimPrefix(base, []byte(".")), []byte("nvim"))
}

func (p process) file(proc, name string) string {
	return proc + "/" + p.name + "/" + name
}

// sockets returns the inodes of the sockets that the process holds.
func (p process) sockets(proc string) []string {
	dir, err := os.Open(p.file(proc, "fd"))
	if err != nil {
		return nil
	}
	defer dir.Close()
	at := int(dir.Fd())
	descriptors, _ := dir.Readdirnames(-1)
	var inodes []string
	var target [64]byte
	for _, fd := range descriptors {
		n, err := unix.Readlinkat(at, fd, target[:])
		if err != nil {
			continue
		}
		if inode, ok := bytes.CutPrefix(target[:n], []byte("socket:[")); ok {
			inodes = append(inodes, string(bytes.TrimSuffix(inode, []byte("]"))))
		}
	}
	return inodes
}

// stopped reports whether the process is stopped: state T in its stat file, after
// a name in parentheses that may hold anything.
func (p process) stopped(proc string) bool {
	stat, err := os.ReadFile(p.file(proc, "stat"))
	i := bytes.LastIndexByte(stat, ')')
	return err == nil && i >= 0 && i+2 < len(stat) && stat[i+2] == 'T'
}
