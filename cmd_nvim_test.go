package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/lua"
)

// started is a Neovim in a terminal that was started by sidekick nvim. The
// shell before it has printed its pid: exec keeps it.
type started struct {
	*nvimtest.Terminal
	home nvimtest.Home
	pid  int
}

// start runs `sidekick nvim args` in a shell in a terminal.
func start(t *testing.T, home nvimtest.Home, binary string, args string, env ...string) *started {
	t.Helper()
	script := home.Write(t, "start.sh", "echo $$ >pid\nexec "+sidekick(t)+" nvim "+args+"\n")
	// The shell of a person stays, and tells the exit status.
	env = append(env, "SIDEKICK_NVIM="+binary, "PS1=\\$ ")
	s := &started{home: home, Terminal: home.Terminal(t, []string{"sh", "-i"}, env...)}
	s.WaitFor("$")
	s.Type("sh " + script + "; echo status=$?\r")
	nvimtest.Eventually(t, "the shell's pid", func() error {
		text, err := os.ReadFile(filepath.Join(home.Dir, "pid"))
		if err == nil {
			s.pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		}
		return err
	})
	return s
}

// socket is the one that the pid and the folder ask for.
func (s *started) socket(t *testing.T) string {
	t.Helper()
	var found []string
	nvimtest.Eventually(t, "the socket", func() (err error) {
		found, err = filepath.Glob(filepath.Join(s.home.Runtime, "sidekick", "*-"+strconv.Itoa(s.pid)+".sock"))
		if err == nil && len(found) != 1 {
			err = fmt.Errorf("sockets %q", found)
		}
		return err
	})
	return found[0]
}

// gone waits until the path is no more.
func gone(t *testing.T, path string) {
	t.Helper()
	nvimtest.Eventually(t, "removal of "+path, func() error {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("it is there (%v)", err)
		}
		return nil
	})
}

// facts are what a Neovim tells about its start.
type facts struct {
	Version  string `msgpack:"version"`
	ErrMsg   string `msgpack:"errmsg"`
	Messages string `msgpack:"messages"`
	Tried    bool   `msgpack:"tried"`
	Maps     int    `msgpack:"maps"`
	Argv     int    `msgpack:"argv"`
}

func factsOf(e *nvimtest.Editor) facts {
	var f facts
	e.Lua(&f, `
		local runtime, maps = package.loaded['_sidekick'] or {}, 0
		for _, mode in ipairs({'n', 'i', 'x', 'o', 'c', 't', 's'}) do
			for _, map in ipairs(vim.api.nvim_get_keymap(mode)) do
				if vim.inspect(map):find('_sidekick') then maps = maps + 1 end
			end
		end
		return { version = runtime.version or '', errmsg = vim.v.errmsg, messages = vim.fn.execute('messages'),
			tried = vim.env.SIDEKICK_TRIED ~= nil, maps = maps, argv = #vim.v.argv }`)
	return f
}

// All ways to start and to end, in a real terminal: same pid, exit status and
// job control, a socket while it lives and none afterwards, nothing on the screen.
func TestNvimInTerminal(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for _, tt := range []struct{ args, end, status string }{
			{"--clean file", ":q\r", "status=0"},
			{"-u NONE -- file", ":cq\r", "status=1"},
			{"+1 file", ":qa!\r", "status=0"},
			{"-d a b", ":qa\r", "status=0"},
		} {
			home := nvimtest.NewHome(t)
			s := start(t, home, binary, tt.args)
			socket := s.socket(t)
			e := home.Attach(t, socket)
			nvimtest.Eventually(t, "end of the start", func() error {
				var done int
				if e.Lua(&done, `return vim.v.vim_did_enter`); done != 1 {
					return errors.New("it is starting")
				}
				return nil
			})
			got := factsOf(e)
			got.Argv = 0
			want := facts{Version: lua.Version()}
			got.Messages = strings.TrimSpace(strings.ReplaceAll(got.Messages, `"file" [New]`, ""))
			if tt.args == "-d a b" { // Neovim's own words about two new files
				got.Messages = ""
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: facts (-want +got):\n%s", tt.args, diff)
			}
			s.Keys("C-z")
			s.WaitFor("Stopped")
			s.Type("fg; echo status=$?\r")
			nvimtest.Eventually(t, "an answer after fg", func() error {
				_, err := e.RPC.Mode()
				return err
			})
			s.Type(tt.end)
			s.WaitFor(tt.status)
			gone(t, socket)
		}
	})
}

// The person's own server, by flag or by variable, keeps working beside ours.
func TestNvimKeepsPersonsServer(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		flag, variable := home.NewAddress(), home.NewAddress()
		s := start(t, home, binary, "--clean --listen "+flag)
		home.Attach(t, s.socket(t))
		home.Attach(t, flag)
		s.Type(":qa!\r")
		s.WaitFor("status=0")

		home = nvimtest.NewHome(t)
		s = start(t, home, binary, "--clean", "NVIM_LISTEN_ADDRESS="+variable)
		home.Attach(t, s.socket(t))
		home.Attach(t, variable)
	})
}

// A Neovim in Neovim's own terminal is one of its own.
func TestNvimNested(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		s := start(t, home, binary, "--clean")
		outer := home.Attach(t, s.socket(t))
		outer.Lua(nil, `vim.fn.termopen({...})`, sidekick(t), "nvim", "--clean", "inner")
		nvimtest.Eventually(t, "two sockets", func() error {
			found, err := filepath.Glob(filepath.Join(home.Runtime, "sidekick", "*.sock"))
			if err == nil && len(found) != 2 {
				err = fmt.Errorf("sockets %q", found)
			}
			return err
		})
	})
}

// 0.12 can start itself anew; the socket and the runtime come along.
func TestNvimRestart(t *testing.T) {
	home := nvimtest.NewHome(t)
	s := start(t, home, nvimtest.Binary(t, "0.12"), "--clean")
	socket := s.socket(t)
	var before, after int
	home.Attach(t, socket).Lua(&before, `return vim.fn.getpid()`)
	s.Type(":restart\r")
	nvimtest.Eventually(t, "another Neovim at "+socket, func() error {
		conn, err := net.Dial("unix", socket)
		if err != nil {
			return err
		}
		conn.Close()
		e := home.Attach(t, socket)
		if err := e.RPC.ExecLua(`return vim.fn.getpid()`, &after); err != nil {
			return err
		}
		if after == before {
			return errors.New("it is the old one")
		}
		var version string
		if err := e.RPC.ExecLua(`return (package.loaded._sidekick or {}).version or ''`, &version); err != nil {
			return err
		}
		if version != lua.Version() {
			return fmt.Errorf("runtime %q", version)
		}
		return nil
	})
}
