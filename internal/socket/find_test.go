package socket_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/socket"
)

// worldOf is what a hook in the home sees.
func worldOf(home nvimtest.Home) socket.World {
	return socket.World{
		Env:  socket.Env{RuntimeDir: home.Runtime, TempDir: home.Dir, UID: os.Getuid()},
		Proc: "/proc",
		Now:  time.Now(),
	}
}

// byFolder is a world without the kernel's table, as on macOS.
func byFolder(home nvimtest.Home) socket.World {
	w := worldOf(home)
	w.Proc = filepath.Join(home.Dir, "no-procfs")
	return w
}

// inHome finds what listens below the home: other tests' Neovims run beside it.
func inHome(w socket.World, home nvimtest.Home) []socket.Found {
	var found []socket.Found
	for _, f := range socket.Find(w) {
		if strings.HasPrefix(f.Address, home.Dir+"/") {
			found = append(found, f)
		}
	}
	return found
}

// theOne waits until exactly one Neovim is found in the home.
func theOne(t *testing.T, w socket.World, home nvimtest.Home, holds func(socket.Found) bool) socket.Found {
	t.Helper()
	var found []socket.Found
	nvimtest.Eventually(t, "find the Neovim", func() error {
		if found = inHome(w, home); len(found) != 1 || !holds(found[0]) {
			return fmt.Errorf("found %+v", found)
		}
		return nil
	})
	return found[0]
}

func pidOf(e *nvimtest.Editor) (pid int) {
	e.Lua(&pid, `return vim.fn.getpid()`)
	return pid
}

func TestFindHoweverStarted(t *testing.T) {
	tests := []struct {
		name  string
		args  []string
		env   []string
		since string // the first version that has it
	}{
		{name: "plain"},
		{name: "without swap file", args: []string{"-n"}},
		{name: "without configuration", args: []string{"-u", "NONE", "-i", "NONE"}},
		{name: "diff", args: []string{"-d", "a", "b"}},
		{name: "app name", env: []string{"NVIM_APPNAME=lazy.vim"}, since: "0.10"},
		{name: "own --listen", args: []string{"--listen", "$HOME/anywhere/my socket"}},
		{name: "own $NVIM_LISTEN_ADDRESS", env: []string{"NVIM_LISTEN_ADDRESS=$HOME/anywhere/s"}},
		{name: "relative --listen", args: []string{"--listen", "./mine"}},
		{name: "called vi", args: []string{"vi"}},
		{name: "no $XDG_RUNTIME_DIR", args: []string{"env", "-u", "XDG_RUNTIME_DIR"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, version := range nvimtest.Versions {
				if test.since != "" && version == "0.7" {
					continue
				}
				t.Run(version, func(t *testing.T) {
					home := nvimtest.NewHome(t)
					if err := os.Mkdir(filepath.Join(home.Dir, "anywhere"), 0o700); err != nil {
						t.Fatal(err)
					}
					command := []string{nvimtest.Binary(t, version)}
					switch {
					case len(test.args) > 0 && test.args[0] == "env":
						command = append(test.args, command...)
					case len(test.args) > 0 && test.args[0] == "vi":
						vi := filepath.Join(home.Dir, "vi")
						if err := os.Symlink(command[0], vi); err != nil {
							t.Fatal(err)
						}
						command = []string{vi}
					default:
						command = append(command, test.args...)
					}
					expand := func(words []string) (all []string) {
						for _, word := range words {
							all = append(all, strings.ReplaceAll(word, "$HOME", home.Dir))
						}
						return all
					}
					home.Terminal(t, expand(command), expand(test.env)...)
					found := theOne(t, worldOf(home), home, func(f socket.Found) bool { return f.PID != 0 })
					// 0.12 with an address of its own may outlive its terminal.
					t.Cleanup(func() { _ = unix.Kill(found.PID, unix.SIGKILL) })
					if pid := pidOf(home.Attach(t, found.Address)); pid != found.PID {
						t.Errorf("found pid %d of Neovim %d", found.PID, pid)
					}
					if found.Launched || found.Stopped {
						t.Errorf("found %+v", found)
					}
				})
			}
		})
	}
}

func TestFindOnceAndStopped(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, nvim string) {
		home := nvimtest.NewHome(t)
		dir := filepath.Join(home.Runtime, "sidekick")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		ours := filepath.Join(dir, "0123456789abcdef-1.sock")
		home.Start(t, nvim, "--cmd", "call serverstart('"+ours+"')")
		w := worldOf(home)
		isOurs := func(f socket.Found) bool { return f.Address == ours && f.Launched && !f.Stopped }
		found := theOne(t, w, home, isOurs)
		process, err := os.FindProcess(found.PID)
		if err != nil {
			t.Fatal(err)
		}
		stop(t, process)
		theOne(t, w, home, func(f socket.Found) bool { return f.Address == ours && f.Stopped })
		resume(t, process)
		theOne(t, w, home, isOurs)

		// Without the table the two sockets cannot be told to be one Neovim's.
		if found := inHome(byFolder(home), home); len(found) == 0 || found[0].Address != ours || found[0].PID != 0 {
			t.Errorf("by folder: %+v", found)
		}
	})
}

func TestFindByFolder(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, nvim string) {
		for _, runtime := range []string{"with", "without"} {
			t.Run(runtime+" $XDG_RUNTIME_DIR", func(t *testing.T) {
				home := nvimtest.NewHome(t)
				w := byFolder(home)
				command := []string{nvim, "--clean"}
				if runtime == "without" {
					w.RuntimeDir = ""
					command = append([]string{"env", "-u", "XDG_RUNTIME_DIR"}, command...)
				}
				home.Terminal(t, command)
				found := theOne(t, w, home, func(socket.Found) bool { return true })
				pid := pidOf(home.Attach(t, found.Address))
				if found.PID != pid && found.PID != 0 {
					t.Errorf("found pid %d of Neovim %d", found.PID, pid)
				}
			})
		}
	})
}

func TestFindFromTerminalInside(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, nvim string) {
		home := nvimtest.NewHome(t)
		if err := os.Mkdir(filepath.Join(home.Dir, "anywhere"), 0o700); err != nil {
			t.Fatal(err)
		}
		address := filepath.Join(home.Dir, "anywhere", "s")
		home.Terminal(t, []string{nvim, "--clean", "--listen", address})
		e := home.Attach(t, address)
		out := filepath.Join(home.Dir, "env")
		e.Lua(nil, `vim.fn.termopen({'sh', '-c', 'printf "%s" "$NVIM" >"$1"', 'sh', ...})`, out)
		w := byFolder(home)
		nvimtest.Eventually(t, "$NVIM of the child", func() error {
			text, err := os.ReadFile(out)
			if w.Nvim = string(text); err == nil && w.Nvim == "" {
				err = fmt.Errorf("empty")
			}
			return err
		})
		theOne(t, w, home, func(f socket.Found) bool { return f.Address == address })
	})
}
