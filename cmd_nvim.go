package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"

	"sidekick/embed"
	"sidekick/internal/socket"
	"sidekick/launcher"
	"sidekick/lua"
)

type nvimCmd struct {
	Args []string `arg:"" optional:"" name:"arg" help:"Everything that Neovim understands, untouched."`
}

// Help is shown below the flags.
func (nvimCmd) Help() string {
	return "Every argument goes to Neovim as it stands. SIDEKICK_NVIM names another Neovim than the first on PATH.\n\nExample: sidekick nvim -p one.go two.go"
}

// Run becomes Neovim.
func (c nvimCmd) Run(w *world) error { return runNvim(w, c.Args) }

func runNvim(w *world, args []string) error {
	executable, _ := w.Executable()
	cwd, _ := w.Getwd()
	version := lua.Version()
	return launcher.Become(launcher.Request{
		Args:       args,
		Environ:    w.Environ(),
		Path:       w.Getenv("PATH"),
		Nvim:       w.Getenv("SIDEKICK_NVIM"),
		Tried:      w.Getenv("SIDEKICK_TRIED"),
		Executable: executable,
		Name:       w.Program,
		Cwd:        cwd,
		Pid:        w.Pid,
		Sockets:    w.sockets(),
		Cache:      filepath.Join(w.CacheHome, "sidekick"),
		Version:    version,
		Runtime: func(folder string) (string, error) {
			first := !embed.Has(folder, version)
			root, err := embed.Write(lua.FS, folder, version)
			if first && err == nil { // the one start in which it costs a person time
				embed.RemoveOld(folder, version, w.neovimReads)
			}
			return root, err
		},
		Warn: func(text string) { fmt.Fprintf(w.Stderr, "sidekick: %s\n", text) },
		Exec: func(path string, argv, environ []string) error {
			syscall.Umask(w.Umask)
			return syscall.Exec(path, argv, environ)
		},
	})
}

// sockets says where sidekick's sockets are.
func (w *world) sockets() socket.Env {
	return socket.Env{RuntimeDir: w.Getenv("XDG_RUNTIME_DIR"), TempDir: w.TempDir, UID: w.UID}
}

// neovimReads reports whether a running Neovim was started with something in that
// folder, as far as the system tells.
func (w *world) neovimReads(folder string) bool {
	for _, editor := range w.Processes.Editors() {
		if strings.Contains(editor.CommandLine(), folder+"/") {
			return true
		}
	}
	return false
}
