// Package swapfile reads the swap files of Neovim and Vim: what they tell about
// unsaved work without asking the editor, which may be blocked, stopped, a
// plain Vim, or gone.
package swapfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"sidekick/internal/filename"
	"sidekick/internal/process"
)

// World is what the search sees of the machine.
type World struct {
	Home      string         // $HOME
	StateHome string         // $XDG_STATE_HOME or ~/.local/state: Neovim >= 0.8
	DataHome  string         // $XDG_DATA_HOME or ~/.local/share: Neovim 0.7
	AppName   string         // $NVIM_APPNAME; others are found too unless they hold a /
	TempDir   string         // os.TempDir()
	Host      string         // os.Hostname()
	UID       int            // of the user
	Proc      string         // where procfs is mounted: "/proc"
	Processes *process.Table // may be nil; shared with others who look at them
}

// Owner is what became of the editor that made a swap file.
type Owner int

// The zero Owner is [Gone].
const (
	Gone      Owner = iota // it ended, or its pid belongs to another program now
	Living                 // it runs, on this machine
	Elsewhere              // it was on another host: whether it runs cannot be known
)

// Swap is a swap file of one file.
type Swap struct {
	Path     string
	Modified bool // the text in the editor differs from the file's (see [Swap.Unsaved])
	PID      int  // of the editor, as it or, where that shows, this system numbers it
	User     string
	Host     string
	Owner    Owner
}

// Unsaved reports whether an editor holds unsaved work. It may err to the safe
// side: after `:set nomodified` the swap file still says modified.
func (s Swap) Unsaved() bool { return s.Modified && s.Owner == Living }

// Crashed reports whether the swap file holds work of a session that ended
// without saving, which `:recover` brings back.
func (s Swap) Crashed() bool { return s.Modified && s.Owner == Gone }

// Find returns the swap files of f, of Neovim 0.7 to 0.12 and Vim: in the usual
// folders, and on Linux wherever a running editor of the user has one. It reads
// at most one block of each and never blocks.
func Find(f filename.File, w World) []Swap {
	if w.Processes == nil {
		w.Processes = &process.Table{Proc: w.Proc}
	}
	s := search{World: w, file: f}
	s.inEditors()
	s.inFolders()
	return s.found
}

// search collects the swap files of one file.
type search struct {
	World
	file  filename.File
	found []Swap
	seen  []os.FileInfo
}

// add takes the swap file at path where it is one of the file. holder is the
// process that has it open, 0 where not known.
func (s *search) add(path string, holder int) {
	h, info, err := read(path)
	if err != nil || slices.ContainsFunc(s.seen, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
		return
	}
	if !s.ofFile(path, h, holder) || !s.trusted(path, info) {
		return
	}
	s.seen = append(s.seen, info)
	swap := Swap{Path: path, Modified: h.Modified, PID: h.PID, User: h.User, Host: h.Host}
	switch {
	case holder != 0:
		swap.PID, swap.Owner = holder, Living
	case s.lives(h.PID, info): // whatever this machine was called when it started
		swap.Owner = Living
	case h.Host != s.Host[:min(len(s.Host), maxHost)]:
		swap.Owner = Elsewhere
	}
	s.found = append(s.found, swap)
}

// ofFile reports whether a swap file's header is of the file: two files can have
// the same name for their swap files (/a/b and "/a%b", x and .x, any two in
// /tmp). The name decides; the inode only where nothing has that name any more,
// because a new file soon gets the inode of a replaced one.
func (s *search) ofFile(path string, h header, holder int) bool {
	name := h.Name
	switch {
	case name == "":
		return false // a buffer without a name
	case len(name) == maxName:
		return strings.HasPrefix(s.file.Real, name) || strings.HasPrefix(s.file.Path, name)
	case name[0] == '~':
		_, rest, ok := strings.Cut(name, "/")
		// The editor's $HOME need not be ours; its swap file's name has no ~.
		base := filepath.Base(path)
		switch {
		case !ok:
			return false
		case s.namedFor(path):
			return true
		case base[0] == '%':
			name = strings.ReplaceAll(base[:len(base)-len(".swp")], "%", "/")
		default:
			name = filepath.Join(s.homeOf(holder), rest)
		}
	}
	if s.file.Same(name) {
		return true
	}
	_, err := os.Lstat(name)
	return err != nil && s.file.Exists && h.Inode != 0 && h.Inode == uint32(s.file.Inode)
}

// trusted reports whether the user or root made the swap file, or somebody who
// can write beside the file: anybody can put one into /tmp.
func (s *search) trusted(path string, info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(stat.Uid) == s.UID || stat.Uid == 0 || filepath.Dir(path) == filepath.Dir(s.file.Real))
}
