package main

import (
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"golang.org/x/term"
	"sidekick/internal/process"
	"sidekick/internal/screen"
	"sidekick/internal/socket"
	"sidekick/internal/swapfile"
)

// world is all that sidekick sees of the machine. It is filled once, here; no
// package below reads the environment, the clock or the working directory by
// itself, so a test can hand them another world.
type world struct {
	Program    string                      // os.Args[0]: sidekick as it was typed
	Args       []string                    // the rest of os.Args
	LookupEnv  func(string) (string, bool) // os.LookupEnv
	Environ    func() []string             // os.Environ
	Getwd      func() (string, error)      // os.Getwd
	Executable func() (string, error)      // os.Executable
	Now        func() time.Time            // time.Now
	Pid        int                         // os.Getpid
	UID        int                         // os.Getuid
	Umask      int                         // the person's own, for programs that we become
	TempDir    string                      // os.TempDir
	CacheHome  string                      // $XDG_CACHE_HOME or the system's default; "" where there is no home
	ConfigHome string                      // $XDG_CONFIG_HOME, likewise
	StateHome  string                      // $XDG_STATE_HOME, likewise
	DataHome   string                      // $XDG_DATA_HOME, likewise
	Processes  *process.Table              // of this machine
	Stdin      *os.File
	Stdout     io.Writer
	Stderr     io.Writer
}

// procfs is where Linux shows its processes; elsewhere it is not there.
const procfs = "/proc"

func newWorld() *world {
	return &world{
		Program:    os.Args[0],
		Args:       os.Args[1:],
		LookupEnv:  os.LookupEnv,
		Environ:    os.Environ,
		Getwd:      os.Getwd,
		Executable: os.Executable,
		Now:        time.Now,
		Pid:        os.Getpid(),
		UID:        os.Getuid(),
		TempDir:    os.TempDir(),
		CacheHome:  ofPerson("XDG_CACHE_HOME", xdg.CacheHome),
		ConfigHome: ofPerson("XDG_CONFIG_HOME", xdg.ConfigHome),
		StateHome:  ofPerson("XDG_STATE_HOME", xdg.StateHome),
		DataHome:   ofPerson("XDG_DATA_HOME", xdg.DataHome),
		Processes:  &process.Table{Proc: procfs},
		Stdin:      os.Stdin,
		Stdout:     os.Stdout,
		Stderr:     os.Stderr,
	}
}

// ofPerson returns dir, which the library took from that variable or from the
// home, or "" where there is neither: the library then takes the root folder, or
// the working directory, which may be somebody else's.
func ofPerson(variable, dir string) string {
	if filepath.IsAbs(os.Getenv(variable)) || filepath.IsAbs(os.Getenv("HOME")) {
		return dir
	}
	return ""
}

// configFile is the person's file of options, "" where they have no home.
func (w *world) configFile() string {
	if w.ConfigHome == "" {
		return ""
	}
	return filepath.Join(w.ConfigHome, "sidekick", "config.toml")
}

// Getenv returns the value of an environment variable, "" where it is not set.
func (w *world) Getenv(name string) string {
	value, _ := w.LookupEnv(name)
	return value
}

// neovims is where Neovims of this user may listen.
func (w *world) neovims() socket.World {
	return socket.World{
		Env:           w.sockets(),
		Nvim:          w.Getenv("NVIM"),
		ListenAddress: w.Getenv("NVIM_LISTEN_ADDRESS"),
		Proc:          procfs,
		Now:           w.Now(),
		Processes:     w.Processes,
	}
}

// swaps is where editors of this user may have swap files.
func (w *world) swaps() swapfile.World {
	host, _ := os.Hostname() // without it, no swap file is known to be of this host
	return swapfile.World{
		Home:      w.Getenv("HOME"),
		StateHome: w.StateHome,
		DataHome:  w.DataHome,
		AppName:   w.Getenv("NVIM_APPNAME"),
		TempDir:   w.TempDir,
		Host:      host,
		UID:       w.UID,
		Proc:      procfs,
		Processes: w.Processes,
	}
}

// style is how text for the person looks.
func (w *world) style() screen.Style {
	return screen.Style{
		Colour: w.isTerminal() && w.Getenv("NO_COLOR") == "" && w.Getenv("TERM") != "dumb",
		ASCII:  screen.IsASCII(w.Getenv),
		Home:   w.Getenv("HOME"),
	}
}

// isTerminal reports whether a person sees what is printed on stdout.
func (w *world) isTerminal() bool {
	out := w.Stdout
	if a, ok := out.(*answer); ok {
		out = a.Writer
	}
	file, ok := out.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
