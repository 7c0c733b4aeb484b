//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// lab is where the measuring happens: a folder, the programs to measure, and
// the fleets that run.
type lab struct {
	dir      string
	nvim     string // the Neovim to measure with
	sidekick string
	braces   string   // prints {}
	onecall  string   // dials one Neovim and makes one call
	resident string   // runs another program and says how much memory that takes
	peer     string   // another sidekick to put beside, or ""
	fleets   []*fleet // that run now
	homes    int      // made so far
}

// newLab builds the programs.
func newLab(nvim, peer string) (*lab, error) {
	dir, err := os.MkdirTemp("", "skb")
	if err != nil {
		return nil, err
	}
	bin := filepath.Join(dir, "bin")
	l := &lab{
		dir: dir, nvim: nvim, peer: peer,
		sidekick: filepath.Join(bin, "sidekick"),
		braces:   filepath.Join(bin, "braces"),
		onecall:  filepath.Join(bin, "onecall"),
		resident: filepath.Join(bin, "resident"),
	}
	build := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(dir, "linked")+"/", "sidekick", "sidekick/bench/peers/...")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as the justfile builds it
	if out, err := build.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("go build: %w\n%s", err, out), l.close())
	}
	// The linker writes in small pieces, and the system keeps them so in its cache:
	// a program starts a tenth faster once it was copied, as an installed one is.
	if err := os.CopyFS(bin, os.DirFS(filepath.Join(dir, "linked"))); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

// clear ends every Neovim.
func (l *lab) clear() {
	for _, f := range l.fleets {
		f.end(f.editors)
		for _, e := range f.editors {
			_ = os.Remove(f.rustSocket(strconv.Itoa(e.pid)))
		}
	}
	l.fleets = nil
}

// close ends every Neovim and removes the folder.
func (l *lab) close() error {
	l.clear()
	return os.RemoveAll(l.dir)
}
