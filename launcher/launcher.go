// Package launcher turns this process into Neovim: with a socket that the hook
// finds, and with the runtime loaded before the person's configuration.
//
// Nothing may keep a person from their editor. Where a part of ours cannot be
// had, one line says so and Neovim starts without it.
package launcher

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"

	"sidekick/internal/socket"
	"sidekick/internal/words"
)

// Request is what a start depends on.
type Request struct {
	Args       []string // for Neovim
	Environ    []string // its environment
	Path       string   // $PATH
	Nvim       string   // $SIDEKICK_NVIM: another Neovim than PATH's; "" = none
	Tried      string   // $SIDEKICK_TRIED (see triedVar)
	Executable string   // this program, "" where not known
	Name       string   // by which it was called: "sidekick", or "nvim" as a link or copy
	Cwd        string   // working directory, "" where it is gone
	Pid        int
	Sockets    socket.Env
	Cache      string // folder for the runtime

	// Version is the runtime's.
	Version string
	// Runtime lays the runtime into a folder, and returns the one that it is in.
	Runtime func(folder string) (string, error)
	// Warn tells the person one fact.
	Warn func(text string)
	// Exec is syscall.Exec.
	Exec func(path string, argv, environ []string) error
}

// Become replaces this process by Neovim. It returns only when that fails.
func Become(r Request) error {
	args, chained := strip(r.Args)
	nvim, err := r.neovim(chained)
	if err != nil {
		return err
	}
	c := classify(args)
	if c.kind == editor || c.kind == remote && !socket.Listens(c.server) {
		folder := r.runtime()
		if command := startCommand(r.socket(), folder, r.Version); command != "" {
			args = insert(command, args, c.preCommands)
		}
	}
	return r.exec(nvim, args)
}

// neovim finds the program to become. chained: another sidekick of the chain has
// been at the arguments.
func (r Request) neovim(chained bool) (binary, error) {
	s := search{path: r.Path, executable: r.Executable, tried: filepath.SplitList(r.Tried)}
	// A wrapper that clears the environment loses the list of what was tried.
	s.noScripts = chained && r.Tried == ""
	if r.Nvim != "" {
		nvim, ok := s.named(r.Nvim)
		wrapper := nvim.script && (s.noScripts || s.times(nvim) > 0)
		if ok && !wrapper {
			return nvim, nil
		}
		if !ok {
			r.Warn(words.NvimVariableUnfit(r.Nvim))
		}
	}
	nvim, ok, ours := s.find("nvim")
	if ok {
		return nvim, nil
	}
	fact := words.NoNvim
	if ours {
		fact = words.NvimIsSidekick
	}
	return nvim, notFound{words.WithHint(errors.New(fact), words.InstallNvim)}
}

// socket returns the path that Neovim shall listen on, "" where there is none.
func (r Request) socket() string {
	cwd := r.Cwd
	if real, err := filepath.EvalSymlinks(cwd); err == nil {
		cwd = real
	}
	var errs []error
	for _, dir := range r.Sockets.Dirs() {
		path, err := socket.Path(dir, cwd, r.Pid)
		if err == nil {
			err = r.Sockets.MakeDir(dir)
		}
		if err == nil {
			err = socket.Clear(path)
		}
		if err == nil {
			return path
		}
		errs = append(errs, err)
	}
	r.Warn(words.NoSocket(errs))
	return ""
}

// runtime returns the folder that the runtime is in, "" where it can be in none.
func (r Request) runtime() string {
	folder, err := r.Runtime(r.Cache)
	if err == nil {
		return folder
	}
	errs := []error{err}
	for _, dir := range r.Sockets.Dirs() { // a home that is read-only or full
		err := r.Sockets.MakeDir(dir)
		if err == nil {
			folder, err = r.Runtime(dir)
		}
		if err == nil {
			return folder
		}
		errs = append(errs, err)
	}
	r.Warn(words.NoRuntime(errs))
	return ""
}

func (r Request) exec(nvim binary, args []string) error {
	environ := r.Environ
	tried := filepath.SplitList(r.Tried)
	if filepath.Base(r.Name) == "nvim" { // another copy of us must not call this one
		tried = append(tried, r.Executable)
	}
	if nvim.script {
		tried = append(tried, nvim.path)
	}
	if len(tried) > 0 {
		environ = setenv(environ, triedVar, strings.Join(tried, string(filepath.ListSeparator)))
	}
	// argv[0] is the name, as a shell has it: a Neovim called nvimdiff or view
	// goes by it.
	err := r.Exec(nvim.path, append([]string{filepath.Base(nvim.path)}, args...), environ)
	if errors.Is(err, syscall.ENOEXEC) { // a script without #!, as shells run it
		err = r.Exec("/bin/sh", append([]string{"sh", nvim.path}, args...), environ)
	}
	return cannotRun{words.WithHint(fmt.Errorf("run %q: %w", nvim.path, err), words.InstallNvim)}
}

// setenv replaces or adds one variable.
func setenv(environ []string, name, value string) []string {
	out := make([]string, 0, len(environ)+1)
	for _, entry := range environ {
		if !strings.HasPrefix(entry, name+"=") {
			out = append(out, entry)
		}
	}
	return append(out, name+"="+value)
}

// notFound and cannotRun carry a shell's exit codes for these two cases.
type notFound struct{ error }

func (notFound) ExitCode() int   { return 127 }
func (e notFound) Unwrap() error { return e.error }

type cannotRun struct{ error }

func (cannotRun) ExitCode() int   { return 126 }
func (e cannotRun) Unwrap() error { return e.error }

// Find returns the path of the Neovim that Become would become.
func Find(r Request) (string, error) {
	nvim, err := r.neovim(false)
	return nvim.path, err
}
