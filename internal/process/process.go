// Package process shows the editors that run on this machine, as far as the
// system tells it in the time of a hook: on Linux through procfs, elsewhere not
// at all.
package process

import (
	"strings"
	"sync"
)

// Table is the running Neovims and Vims. Its readings are shared: looking at
// every process costs more than all else that a hook does by itself.
type Table struct {
	Proc string // where procfs is mounted: "/proc"

	mu      sync.Mutex
	read    bool
	editors []*Editor
}

// Editors returns the processes that run Neovim or Vim and that the caller may
// look into, as they were when first asked or at the last [Table.Refresh].
func (t *Table) Editors() []*Editor {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.read {
		t.editors, t.read = editors(t.Proc), true
	}
	return t.editors
}

// Refresh makes the next reading a new one.
func (t *Table) Refresh() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.read = false
}

// Editor is a process that runs Neovim or Vim.
type Editor struct {
	PID     int
	UID     int
	Program string // last part of its executable's path

	dir   string // in procfs
	once  sync.Once
	links []string
}

// IsNeovim knows nvim, .nvim-wrapped, nvim.appimage and an nvim that was upgraded
// while it runs ("nvim (deleted)").
func (e *Editor) IsNeovim() bool {
	return strings.HasPrefix(strings.TrimPrefix(e.Program, "."), "nvim")
}

// IsEditor reports whether a program's name is Neovim's or Vim's, or one of those
// that Vim is installed or called by.
func IsEditor(program string) bool {
	name := strings.ToLower(strings.TrimPrefix(program, "."))
	name = strings.TrimPrefix(name, "r") // rvim, rview
	for _, prefix := range []string{"nvim", "vim", "gvim", "gview", "view", "evim", "eview", "mvim", "macvim"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "vi" || name == "ex" || name == "editor"
}
