package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/words"
)

// Every Neovim is a row, also one that is stopped; a terminal shows colours,
// unless NO_COLOR asks for none, and --watch shows what changes.
func TestStatus(t *testing.T) {
	home := nvimtest.NewHome(t)
	file := home.Write(t, "notes.txt", "line 1\n")
	editor := home.StartFound(t, nvimtest.Binary(t, "0.12"), file)
	editor.Type("Atyped<Esc>")
	stopped := home.StartFound(t, nvimtest.Binary(t, "0.10"))
	var pid, stoppedPid int
	editor.Lua(&pid, "return vim.fn.getpid()")
	stopped.Lua(&stoppedPid, "return vim.fn.getpid()")
	if err := syscall.Kill(stoppedPid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(stoppedPid, syscall.SIGCONT) })

	type row struct {
		PID            int
		Cwd, Version   string
		Launched       bool
		State          string
		Files, Unsaved []string
	}
	nvimtest.Eventually(t, "both rows", func() error {
		code, out, errs := runIn(t, home, nil, "status", "--json")
		var rows []row
		if err := json.Unmarshal([]byte(out), &rows); err != nil || code != 0 || errs != "" {
			return fmt.Errorf("%d, %q, %q: %w", code, out, errs, err)
		}
		found := map[int]row{}
		for _, r := range rows {
			found[r.PID] = r
			if r.Files == nil || r.Unsaved == nil {
				return fmt.Errorf("a list is null: %s", out)
			}
		}
		got := found[pid]
		if !strings.HasPrefix(got.Version, "0.12.") {
			return fmt.Errorf("version: %+v", rows)
		}
		got.Cwd, got.Version = "", ""
		want := row{PID: pid, State: nvim.Ready, Files: []string{file}, Unsaved: []string{file}, Launched: got.Launched}
		if diff := cmp.Diff(want, got); diff != "" {
			return fmt.Errorf("%s", diff)
		}
		if s := found[stoppedPid].State; s != nvim.Stopped && s != nvim.NoAnswer {
			return fmt.Errorf("stopped: %q", s)
		}
		return nil
	})
	if _, out, _ := runIn(t, home, nil, "status"); strings.Contains(out, "\x1b") || !strings.Contains(out, "~/notes.txt") {
		t.Errorf("not at a terminal: %q", out)
	}
	for _, c := range []struct {
		env  string
		want bool
	}{{"X=1", true}, {"NO_COLOR=1", false}} {
		out := home.Dir + "/typescript"
		term := home.Terminal(t, []string{"script", "-qec", sidekick(t) + " status", out}, c.env)
		_ = term
		nvimtest.Eventually(t, "output", func() error {
			text := readAll(out)
			if !strings.Contains(text, "COMMAND_EXIT_CODE") {
				return fmt.Errorf("%q", text)
			}
			if got := strings.Contains(text, "\x1b[33m"); got != c.want {
				return fmt.Errorf("%s: colours: %v", c.env, got)
			}
			return nil
		})
	}
	watch := home.Terminal(t, []string{sidekick(t), "status", "--watch"})
	watch.WaitFor(fmt.Sprintf("unsaved in %d", pid))
	editor.Command("write")
	nvimtest.Eventually(t, "the saved file to go", func() error {
		if screen := watch.Screen(); strings.Contains(screen, fmt.Sprintf("unsaved in %d", pid)) {
			return fmt.Errorf("%s", screen)
		}
		return nil
	})
}

// A Neovim that waits for a key or runs a command is a row that says so, with
// what is unsaved in it.
func TestStatusOfOneThatIsNotReady(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		version := "0." + strings.Split(filepath.Base(filepath.Dir(binary)), ".")[1] + "."
		for _, c := range []struct{ keys, state string }{
			{"r", nvim.Waiting}, {":call system('sleep 20')<CR>", nvim.Busy},
		} {
			file := home.Write(t, c.state+".txt", "line 1\n")
			editor := home.StartFound(t, binary, file)
			editor.Type("Atyped<Esc>")
			if _, err := editor.RPC.Input(c.keys); err != nil {
				t.Fatal(err)
			}
			nvimtest.Eventually(t, c.state, func() error {
				code, out, errs := runIn(t, home, nil, "status", "--json")
				var rows []struct {
					PID                 int
					Cwd, State, Version string
					Files, Unsaved      []string
				}
				if err := json.Unmarshal([]byte(out), &rows); err != nil || code != 0 || errs != "" {
					return fmt.Errorf("%d, %q, %q: %w", code, out, errs, err)
				}
				for _, r := range rows {
					if r.State == c.state && r.PID != 0 && r.Cwd == home.Dir && strings.HasPrefix(r.Version, version) && slices.Equal(r.Unsaved, []string{file}) {
						return nil
					}
				}
				return fmt.Errorf("no such row: %s", out)
			})
			if _, out, _ := runIn(t, home, nil, "status"); !strings.Contains(out, c.state) {
				t.Errorf("table: %s", out)
			}
		}
	})
}

// CTRL-C ends --watch well, and the terminal is as it was.
func TestStatusWatchEnds(t *testing.T) {
	home := nvimtest.NewHome(t)
	term := home.Terminal(t, []string{"sh", "-c", "before=$(stty -g); trap : INT; " + sidekick(t) +
		" status --watch; echo code $?; [ \"$before\" = \"$(stty -g)\" ] && echo same tty; exec sleep 600"})
	term.WaitFor(words.NoNeovim)
	term.Keys("C-c")
	term.WaitFor("code 0")
	term.WaitFor("same tty")
	// A pipe gets one answer after the other, and no control characters.
	out, err := exec.Command("timeout", "-s", "INT", "3", sidekick(t), "status", "--watch").Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() != 124 { // timeout's own
		t.Errorf("a pipe: %v", err)
	}
	if strings.Contains(string(out), "\x1b") || len(out) == 0 {
		t.Errorf("a pipe: %q", out)
	}
}

func readAll(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}
