package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim"
	"sidekick/internal/nvim/nvimtest"
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

func readAll(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}
