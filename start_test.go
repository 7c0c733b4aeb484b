package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sidekick/internal/nvim"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/lua"
)

// headless runs `sidekick nvim --headless args` to its end.
func headless(t *testing.T, home nvimtest.Home, env []string, args ...string) (stderr string) {
	t.Helper()
	cmd := exec.Command(sidekick(t), append([]string{"nvim", "--headless"}, args...)...)
	cmd.Dir, cmd.Env = home.Dir, home.Environ(env...)
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Run(); err != nil {
		t.Errorf("sidekick nvim %q: %v: %s", args, err, out.String())
	}
	return out.String()
}

// tell is an argument that makes Neovim write what we want to know to stderr.
const tell = `+lua io.stderr:write(#vim.tbl_filter(function(s) return s:find('sidekick') end, vim.fn.serverlist()) .. ' ' .. ` +
	`((package.loaded._sidekick or {}).version or 'none') .. '|' .. vim.v.errmsg .. vim.fn.execute('messages') .. '|')`

// Wherever the socket and the runtime end up, Neovim starts and says nothing.
func TestNvimStartsAllTheSame(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for name, env := range map[string][]string{
			"plain":             nil,
			"cache unwritable":  {"XDG_CACHE_HOME=/proc/none"},
			"no home at all":    {"HOME=/proc/none", "XDG_CACHE_HOME="},
			"no runtime folder": {"XDG_RUNTIME_DIR=/proc/none"},
			"long runtime":      {"XDG_RUNTIME_DIR=/" + strings.Repeat("long", 30)},
			"long TMPDIR":       {"XDG_RUNTIME_DIR=", "TMPDIR=/" + strings.Repeat("long", 30)},
			"relative":          {"XDG_RUNTIME_DIR=run", "XDG_CACHE_HOME=cache"},
		} {
			t.Run(name, func(t *testing.T) {
				home := nvimtest.NewHome(t)
				env = append(env, "SIDEKICK_NVIM="+binary)
				for _, args := range [][]string{{"--clean", tell, "+qa"}, {"-u", "NONE", "-i", "NONE", tell, "+qa"}} {
					if got, want := headless(t, home, env, args...), "1 "+lua.Version()+"||"; got != want {
						t.Errorf("%q told %q, want %q", args, got, want)
					}
				}
			})
		}
	})
}

// A configuration that resets 'runtimepath', as lazy.nvim does, takes nothing away.
func TestNvimRuntimeSurvives(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		home.Write(t, ".config/nvim/init.lua", `
			seen_first = package.loaded._sidekick ~= nil
			vim.o.runtimepath, vim.o.packpath = vim.env.VIMRUNTIME, vim.env.VIMRUNTIME
			if vim.loader then vim.loader.enable() end`)
		got := headless(t, home, []string{"SIDEKICK_NVIM=" + binary},
			`+lua io.stderr:write(tostring(seen_first) .. type(require('_sidekick.status').rpc))`, "+qa")
		if got != "truetable" {
			t.Errorf("told %q", got)
		}
	})
}

// Every argument arrives as it was, also ten --cmd, which is all that Neovim takes.
func TestNvimArguments(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		args := []string{"--clean"}
		for i := range 10 {
			args = append(args, "--cmd", fmt.Sprintf("let g:n = get(g:, 'n') + %d", i+1))
		}
		args = append(args, `+lua io.stderr:write(vim.g.n .. ' ' .. table.concat(vim.fn.argv(), ',') .. ' ')`, tell,
			"+qa", "--", "\xff\xfe name", "", "-es")
		got := headless(t, home, []string{"SIDEKICK_NVIM=" + binary}, args...)
		if want := "55 \xff\xfe name,,-es 1 " + lua.Version() + "|"; !strings.HasPrefix(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
	})
}

// runHeadless starts a headless Neovim by sidekick that stays, and returns its socket.
func runHeadless(t *testing.T, home nvimtest.Home, binary string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(sidekick(t), "nvim", "--headless", "--clean")
	cmd.Dir, cmd.Env = home.Dir, home.Environ("SIDEKICK_NVIM="+binary)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	s := started{home: home, pid: cmd.Process.Pid}
	return cmd, s.socket(t)
}

func TestNvimSignals(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
			home := nvimtest.NewHome(t)
			cmd, socket := runHeadless(t, home, binary)
			home.Attach(t, socket)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("%v: ended with %v, as Neovim does with status 1", signal, err)
			}
			gone(t, socket)
		}
	})
}

// A cache that is emptied while Neovim runs is no loss: the sources come by RPC.
func TestNvimCacheEmptied(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		_, socket := runHeadless(t, home, binary)
		home.Attach(t, socket)
		if err := os.RemoveAll(filepath.Join(home.Dir, ".cache", "sidekick")); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		client, err := nvim.Dial(ctx, socket)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		if _, err := nvim.Call[map[string]any](client, "status.report", map[string]any{}); err != nil {
			t.Errorf("status after the cache went: %v", err)
		}
	})
}

// A file of the cache that does not load costs this start the runtime, not the
// editor, and the next start has it again.
func TestNvimCacheBroken(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for _, name := range []string{"start.lua", "boot.lua", "init.lua"} {
			home := nvimtest.NewHome(t)
			env := []string{"SIDEKICK_NVIM=" + binary}
			good := "1 " + lua.Version() + "||"
			if got := headless(t, home, env, "--clean", tell, "+qa"); got != good {
				t.Fatalf("first start told %q", got)
			}
			// As after a crash of the machine: size and time are there, the bytes are not.
			path := filepath.Join(home.Dir, ".cache", "sidekick", lua.Version(), "_sidekick", name)
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			err = errors.Join(os.WriteFile(path, make([]byte, info.Size()), 0o644), os.Chtimes(path, info.ModTime(), info.ModTime()))
			if err != nil {
				t.Fatal(err)
			}
			if got := headless(t, home, env, "--clean", tell, "+qa"); got != "1 none||" {
				t.Errorf("%s broken: told %q", name, got)
			}
			if got := headless(t, home, env, "--clean", tell, "+qa"); got != good {
				t.Errorf("start after %s was broken: told %q", name, got)
			}
		}
	})
}
