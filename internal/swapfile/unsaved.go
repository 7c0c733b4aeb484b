package swapfile

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"sidekick/internal/process"
)

// Work is a file of which an editor holds unsaved work.
type Work struct {
	File string // absolute, as the editor has it
	PID  int    // of the editor
}

// Unsaved returns all unsaved work in running editors of the user, by the swap
// files that these have open. Editors of which asked is true are passed over:
// they have spoken for themselves. It may err to the safe side, as
// [Swap.Unsaved]. Only Linux tells which files a process has open; elsewhere the
// answer is empty.
func Unsaved(w World, asked func(pid int) bool) (all []Work) {
	if w.Processes == nil {
		w.Processes = &process.Table{Proc: w.Proc}
	}
	for _, editor := range w.Processes.Editors() {
		if editor.UID != w.UID || asked(editor.PID) {
			continue
		}
		for _, path := range editor.Links() {
			if !isSwapName(path) {
				continue
			}
			h, _, err := read(path)
			if err != nil || !h.Modified {
				continue
			}
			if file := w.fileOf(path, h, editor.PID); file != "" {
				all = append(all, Work{File: file, PID: editor.PID})
			}
		}
	}
	return all
}

// fileOf returns the absolute name of the file that a swap file is of, "" for a
// buffer without a name. The header has it, unless it is below a home, which
// need not be ours, or too long.
func (w World) fileOf(path string, h header, pid int) string {
	if filepath.IsAbs(h.Name) && len(h.Name) < maxName {
		return h.Name
	}
	_, rest, ok := strings.Cut(h.Name, "/")
	if !ok {
		return ""
	}
	dir, base := filepath.Split(path)
	stem := base[:len(base)-len(".swp")]
	var names []string
	if stem[0] == '%' {
		names = append(names, strings.ReplaceAll(stem, "%", "/"))
	}
	if name := filepath.Join(dir, filepath.Base(rest)); beside(name) == filepath.Join(dir, stem) {
		names = append(names, name)
	}
	names = append(names, filepath.Join(w.homeOf(pid), rest))
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			if stat, ok := info.Sys().(*syscall.Stat_t); ok && uint32(stat.Ino) == h.Inode {
				return name
			}
		}
	}
	return names[0] // a file that is not there yet, or was replaced
}

// homeOf returns the $HOME with which process pid was started, and ours where
// that is not known.
func (w World) homeOf(pid int) string {
	environ, _ := os.ReadFile(filepath.Join(w.Proc, strconv.Itoa(pid), "environ"))
	for entry := range strings.SplitSeq(string(environ), "\x00") {
		if home, ok := strings.CutPrefix(entry, "HOME="); ok && filepath.IsAbs(home) {
			return home
		}
	}
	return w.Home
}
