package launcher

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/socket"
)

// become runs Become with an Exec that only remembers.
func become(t *testing.T, change func(*Request)) (argv []string, warnings []string, err error) {
	t.Helper()
	dir := t.TempDir()
	nvim := filepath.Join(dir, "nvim")
	if err := os.WriteFile(nvim, []byte("\x7fELF"), 0o755); err != nil {
		t.Fatal(err)
	}
	executed := errors.New("executed")
	r := Request{
		Args: []string{"file"}, Path: dir, Cwd: dir, Pid: 42, Version: "v1",
		Sockets: socket.Env{RuntimeDir: dir, TempDir: dir, UID: os.Getuid()},
		Cache:   filepath.Join(dir, "cache"),
		Runtime: func(folder string) (string, error) { return filepath.Join(folder, "v1"), nil },
		Warn:    func(text string) { warnings = append(warnings, text) },
		Exec:    func(_ string, a, _ []string) error { argv = a; return executed },
	}
	change(&r)
	if err = Become(r); errors.Is(err, executed) {
		err = nil
	}
	return argv, warnings, err
}

// Where a part of ours cannot be had, one line says so and Neovim starts.
func TestBecomeWithout(t *testing.T) {
	const stranger = 64321 // not nobody: other tests run as that
	t.Cleanup(func() { os.RemoveAll("/tmp/sidekick-64321") })
	full := errors.New("no space left")
	tests := []struct {
		name   string
		change func(*Request)
		want   []string // parts of the warnings
		parts  []string // of the command
	}{
		{"nothing amiss", func(*Request) {}, nil, []string{"serverstart", "start.lua"}},
		{"no room for the runtime", func(r *Request) {
			r.Runtime = func(string) (string, error) { return "", full }
		}, []string{"without sidekick's Lua part"}, []string{"serverstart"}},
		{"no folder for the socket", func(r *Request) {
			r.Sockets.UID = stranger // whatever there is belongs to somebody else
		}, []string{"without its own socket"}, []string{"start.lua"}},
		{"neither", func(r *Request) {
			r.Sockets.UID = stranger
			r.Runtime = func(string) (string, error) { return "", full }
		}, []string{"Lua part", "socket"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			argv, warnings, err := become(t, tt.change)
			if err != nil {
				t.Fatal(err)
			}
			if len(warnings) != len(tt.want) {
				t.Fatalf("warnings %q, want %q", warnings, tt.want)
			}
			for i, want := range tt.want {
				if !strings.Contains(warnings[i], want) || strings.Contains(warnings[i], "\n") {
					t.Errorf("warning %q, want one line with %q", warnings[i], want)
				}
			}
			if len(tt.parts) == 0 {
				if diff := cmp.Diff([]string{"nvim", "file"}, argv); diff != "" {
					t.Errorf("argv (-want +got):\n%s", diff)
				}
				return
			}
			for _, part := range []string{"serverstart", "start.lua"} {
				want := strings.Contains(strings.Join(tt.parts, " "), part)
				if got := strings.Contains(argv[2], part); got != want {
					t.Errorf("%q in the command: %v, want %v: %s", part, got, want, argv[2])
				}
			}
		})
	}
}

// A dead socket in the way goes, a live one and a file stay, and Neovim gets
// another path.
func TestBecomeInTheWay(t *testing.T) {
	for _, what := range []string{"dead", "live", "file"} {
		t.Run(what, func(t *testing.T) {
			var path string
			argv, warnings, err := become(t, func(r *Request) {
				dir := r.Sockets.Dirs()[0]
				if err := r.Sockets.MakeDir(dir); err != nil {
					t.Fatal(err)
				}
				var err error
				if path, err = socket.Path(dir, r.Cwd, r.Pid); err != nil {
					t.Fatal(err)
				}
				if what == "file" {
					if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
						t.Fatal(err)
					}
					return
				}
				listener, err := net.Listen("unix", path)
				if err != nil {
					t.Fatal(err)
				}
				listener.(*net.UnixListener).SetUnlinkOnClose(false)
				if what == "dead" {
					listener.Close()
				} else {
					t.Cleanup(func() { listener.Close() })
				}
			})
			if err != nil || len(warnings) != 0 {
				t.Fatalf("err %v, warnings %q", err, warnings)
			}
			_, left := os.Lstat(path)
			if gone := left != nil; gone != (what == "dead") {
				t.Errorf("%s in the way: gone %v", what, gone)
			}
			if got := strings.Contains(argv[2], path); got != (what == "dead") {
				t.Errorf("listens there: %v: %s", got, argv[2])
			}
		})
	}
}

// With --remote, Neovim is an editor only where the other one does not listen.
func TestBecomeRemote(t *testing.T) {
	live := filepath.Join(t.TempDir(), "live")
	listener, err := net.Listen("unix", live)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for server, inserted := range map[string]bool{live: false, live + "x": true} {
		argv, _, err := become(t, func(r *Request) { r.Args = []string{"--server", server, "--remote", "f"} })
		if err != nil || (argv[1] == "--cmd") != inserted {
			t.Errorf("server %s: %q, %v", server, argv, err)
		}
	}
}

// Strange names of folders reach Neovim whole.
func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"plain":   `'plain'`,
		"it's":    `'it''s'`,
		"a|b \\n": `'a|b \n'`,
		"a\nb":    `'a'."\n".'b'`,
	} {
		if got := quote(in); got != want {
			t.Errorf("quote(%q) = %s, want %s", in, got, want)
		}
	}
}

// What fails inside Neovim shows nowhere.
func TestStartCommandIsSilent(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		command := startCommand("/proc/none/it's.sock", "/proc/none", "v1")
		cmd := exec.Command(binary, "--headless", "--clean", "--cmd", command,
			"+lua io.stderr:write('[' .. vim.v.errmsg .. vim.fn.execute('messages') .. ']')", "+qa")
		cmd.Env = home.Environ()
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != "[]" {
			t.Errorf("told %q, %v", out, err)
		}
	})
}

func TestExecErrors(t *testing.T) {
	var calls []string
	_, _, err := become(t, func(r *Request) {
		r.Exec = func(path string, _, _ []string) error {
			calls = append(calls, path)
			return syscall.ENOEXEC
		}
	})
	var coded interface {
		error
		ExitCode() int
	}
	if !errors.As(err, &coded) || coded.ExitCode() != 126 || len(calls) != 2 || calls[1] != "/bin/sh" {
		t.Errorf("err %v, calls %q: want exit 126 after /bin/sh was tried", err, calls)
	}
}
