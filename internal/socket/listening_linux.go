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
	for _, editor := range f.Processes.Editors() {
		if !editor.IsNeovim() || editor.UID != f.UID { // root may look at everybody's
			continue
		}
		for _, link := range editor.Links() {
			inode, ok := strings.CutPrefix(link, "socket:[")
			inode = strings.TrimSuffix(inode, "]")
			path, listens := open[inode]
			if !ok || !listens {
				continue
			}
			delete(open, inode)
			if !filepath.IsAbs(path) { // 0.7: `nvim --listen name`
				dir, err := editor.Dir()
				if err != nil {
					continue
				}
				path = filepath.Join(dir, path)
			}
			found = append(found, Found{Address: filepath.Clean(path), PID: editor.PID, Stopped: editor.Stopped()})
		}
		if len(open) == 0 {
			break
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
