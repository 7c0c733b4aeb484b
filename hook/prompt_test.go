package hook_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sidekick/internal/claude"
	"sidekick/internal/nvim/nvimtest"
)

func prompt() payload {
	return payload{"hook_event_name": claude.UserPromptSubmit, "prompt": "do it"}
}

// told returns what the agent is told beside the event, "" where nothing is.
func told(t *testing.T, answer claude.Answer) string {
	t.Helper()
	if answer.Output == nil {
		return ""
	}
	if answer.Output.Decision != "" {
		t.Errorf("a decision: %+v", answer.Output)
	}
	return answer.Output.AdditionalContext
}

// wantTold checks that a text holds each part, and none after "not".
func wantTold(t *testing.T, got string, parts ...string) {
	t.Helper()
	want := true
	for _, part := range parts {
		if part == "not" {
			want = false
			continue
		}
		if strings.Contains(got, part) != want {
			t.Errorf("holds %q: %v, want %v, in:\n%s", part, !want, want, got)
		}
	}
}

// inTerminal runs Neovim in a terminal, where the hook finds it, and waits until
// it shows text.
func (s *scene) inTerminal(binary, text string, args ...string) (*nvimtest.Terminal, *nvimtest.Editor) {
	s.t.Helper()
	address := filepath.Join(s.Runtime, fmt.Sprintf("nvim.%d.0", os.Getpid()))
	term := s.Terminal(s.t, append([]string{binary, "--clean", "--listen", address}, args...))
	e := s.Attach(s.t, address)
	term.WaitFor(text)
	return term, e
}

// inMode waits until the editor is in a mode.
func inMode(t *testing.T, e *nvimtest.Editor, mode string) {
	t.Helper()
	nvimtest.Eventually(t, "mode "+mode, func() error {
		got, err := e.RPC.Mode()
		if err == nil && got.Mode != mode {
			err = fmt.Errorf("mode %q", got.Mode)
		}
		return err
	})
}

func TestPromptSelection(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := s.Write(t, "src/main.go", "package main\n\nfunc one() {}\nfunc two() {}\n")
		term, e := s.inTerminal(binary, "package main", path)

		// Marks of another day, as shada brings them back.
		e.Lua(nil, `vim.fn.setpos("'<", {0, 1, 1, 0}) vim.fn.setpos("'>", {0, 2, 1, 0})`)
		if got := told(t, s.run(prompt())); got != "" {
			t.Fatalf("nothing is selected, the agent is told:\n%s", got)
		}
		term.Type("3GVj")
		inMode(t, e, "V")
		wantTold(t, told(t, s.run(prompt())),
			"The user has selected lines 3-4 of src/main.go in Neovim:\n```\nfunc one() {}\nfunc two() {}\n```", "not", "unsaved", "package")
		inMode(t, e, "V") // still selected: nobody was disturbed
		wantTold(t, told(t, s.run(prompt())), "not", "func")

		// Not again when it ends, but the next one, to the first who asks.
		term.Keys("Escape")
		inMode(t, e, "n")
		wantTold(t, told(t, s.run(prompt())), "not", "func")
		term.Type("4G6|ve")
		inMode(t, e, "v")
		term.Keys("Escape")
		inMode(t, e, "n")
		wantTold(t, told(t, s.run(payload{"hook_event_name": claude.UserPromptSubmit, "session_id": "s2"})),
			"Before this prompt the user selected a part of line 4 of src/main.go, columns 6-8 in Neovim:\n```\ntwo\n```")
		wantSilent(t, s.run(prompt()))
		wantTold(t, s.log(), `"decision":"context"`, "selection src/main.go:4-4")
	})
}

// Claude in Neovim's own terminal: to type the prompt there the person leaves
// the window with the code, and Visual mode with it.
func TestPromptSelectionFromNeovimsTerminal(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := s.Write(t, "code.txt", "alpha\nbeta\ngamma\n")
		term, e := s.inTerminal(binary, "gamma", path)
		wantSilent(t, s.run(prompt())) // from now on the runtime is there
		term.Type(":split | terminal echo in the terminal; cat\r")
		term.WaitFor("in the terminal")
		term.Keys("C-w", "j")
		nvimtest.Eventually(t, "the window with the code", func() error {
			var name string
			if e.Lua(&name, `return vim.api.nvim_buf_get_name(0)`); name != path {
				return fmt.Errorf("in %s", name)
			}
			return nil
		})
		term.Type("2GV")
		inMode(t, e, "V")
		term.Keys("C-w", "k")
		nvimtest.Eventually(t, "the terminal's window", func() error {
			var kind string
			if e.Lua(&kind, `return vim.bo.buftype`); kind != "terminal" {
				return fmt.Errorf("in %q", kind)
			}
			return nil
		})
		term.Type("i")
		inMode(t, e, "t")
		wantTold(t, told(t, s.run(prompt())), "line 2 of code.txt", "```\nbeta\n```", "not", "in the terminal")

		// What is selected in the terminal itself is not code.
		term.Keys("C-\\", "C-n")
		inMode(t, e, "nt")
		term.Type("ggV")
		inMode(t, e, "V")
		wantSilent(t, s.run(prompt()))
	})
}

func TestPromptSelectionOfSecrets(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		env := s.Write(t, ".env", "KEY=hunter2\n")
		link := filepath.Join(s.Dir, "notes.txt")
		if err := os.Symlink(env, link); err != nil {
			t.Fatal(err)
		}
		e := s.start(binary)
		for _, path := range []string{env, link} {
			e.Edit(path)
			e.Command("normal! V")
			wantSilent(t, s.run(prompt()))
			wantTold(t, s.log(), `"decision":"ignore"`, "kept back", "not", "hunter2")
		}
		// What git ignores is the user's choice.
		gitignored := s.Write(t, "repo/build/out.txt", "built\n")
		s.Write(t, "repo/.gitignore", "build/\n")
		gitInit(t, filepath.Join(s.Dir, "repo"))
		s.env["PATH"] = os.Getenv("PATH")
		e.Edit(gitignored)
		e.Command("normal! V")
		wantTold(t, told(t, s.run(prompt())), "built")
		s.env["SIDEKICK_CONTEXT_GIT_IGNORED"] = "false"
		e.Command("normal! \x1bV")
		wantSilent(t, s.run(prompt()))
	})
}

func TestPromptSwitches(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := s.Write(t, "a.txt", "one\ntwo\n")
		e := s.start(binary, path)
		e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 1, 2, true, {'typed'})`)
		e.Command("normal! V")

		s.env["SIDEKICK_CONTEXT_SELECTION"] = "false"
		wantTold(t, told(t, s.run(prompt())), "unsaved", "not", "selected")
		s.env["SIDEKICK_CONTEXT_UNSAVED"] = "false"
		wantSilent(t, s.run(prompt()))
		s.env["SIDEKICK_CONTEXT_SELECTION"] = "true"
		// What the client sends by itself does not use the selection up.
		p := prompt()
		p["source"] = "loop_wakeup"
		wantSilent(t, s.run(p))
		wantTold(t, told(t, s.run(prompt())), "selected", "The file has unsaved changes", "not", "may be refused")
	})
}

func TestPromptUnsaved(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		project := filepath.Join(s.Dir, "project")
		ask := func(session string) string {
			t.Helper()
			return told(t, s.run(payload{"hook_event_name": claude.UserPromptSubmit, "session_id": session, "cwd": filepath.Join(project, "sub")}))
		}
		s.env["CLAUDE_PROJECT_DIR"] = project
		a := s.Write(t, "project/sub/a.txt", "a\n")
		b := s.Write(t, "project/b.txt", "b\n")
		outside := s.Write(t, "outside.txt", "o\n")
		e := s.start(binary)
		modify := func(path string) {
			t.Helper()
			e.Lua(nil, `vim.o.hidden = true`)
			e.Edit(path)
			e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
		}
		if got := ask("1"); got != "" {
			t.Fatalf("nothing is unsaved: %s", got)
		}
		modify(outside)
		if got := ask("1"); got != "" {
			t.Fatalf("nothing of the project is unsaved: %s", got)
		}
		modify(a)
		wantTold(t, ask("1"), "This file has unsaved changes in the user's Neovim: a.txt.", "not", "outside", "\n")
		if got := ask("1"); got != "" {
			t.Errorf("told twice: %s", got)
		}
		modify(b)
		wantTold(t, ask("1"), "These 2 files", b, "a.txt")
		wantTold(t, ask("2"), "These 2 files") // another session
		e.Command("wall")
		wantTold(t, ask("1"), "any more")
		if got := ask("1"); got != "" {
			t.Errorf("told twice: %s", got)
		}
		// A session that has ended leaves nothing behind.
		s.run(payload{"hook_event_name": claude.SessionEnd, "session_id": "1", "reason": "other"})
		s.run(payload{"hook_event_name": claude.SessionEnd, "session_id": "2", "reason": "other"})
		left, _ := filepath.Glob(filepath.Join(s.Dir, ".local/state/sidekick/sessions/*"))
		if len(left) != 0 {
			t.Errorf("left behind: %q", left)
		}
	})
}

// Hundreds of unsaved files, and an editor that waits for a key.
func TestPromptUnsavedWhileBlocked(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := s.Write(t, "first.txt", "first\n")
		term, e := s.inTerminal(binary, "first", path)
		e.Lua(nil, `
			vim.o.swapfile = false
			vim.o.eventignore = 'all'
			for i = 1, 300 do
				local buf = vim.fn.bufadd(('folder with a long name/file number %d.txt'):format(i))
				vim.fn.bufload(buf)
				vim.api.nvim_buf_set_lines(buf, 0, -1, true, { 'typed' })
			end`)
		term.Type(":echo 'a' | echo 'b'\r")
		inMode(t, e, "r")
		start := time.Now()
		got := told(t, s.run(prompt()))
		wantTold(t, got, "These 300 files", "folder with a long name/file number 1.txt", " more. Their text")
		if len(got) > 4000 || strings.Contains(got, "\n") {
			t.Errorf("%d bytes", len(got))
		}
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("took %v", took)
		}
		inMode(t, e, "r") // nobody answered the prompt in their place
		term.Keys("Enter")
		inMode(t, e, "n")
	})
}

// A stopped editor costs the whole bound and no more; what it has unsaved stays
// unsaved as far as anybody knows.
func TestPromptBound(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := s.Write(t, "a.txt", "a\n")
		e := s.start(binary, path)
		e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
		wantTold(t, told(t, s.run(prompt())), "a.txt")
		busy := s.Attach(t, e.Address)
		done := make(chan struct{})
		go func() {
			defer close(done)
			var drop any
			_ = busy.RPC.ExecLua(`local stop = vim.loop.hrtime() + 25e8 while vim.loop.hrtime() < stop do end`, &drop)
		}()
		t.Cleanup(func() { <-done })
		nvimtest.Eventually(t, "the editor is busy", func() error {
			answered := make(chan error, 1)
			go func() { _, err := e.RPC.Mode(); answered <- err }()
			select {
			case <-answered:
				return fmt.Errorf("it answers")
			case <-time.After(100 * time.Millisecond):
				return nil
			}
		})
		start := time.Now()
		wantSilent(t, s.run(prompt()))
		if took := time.Since(start); took > 3*time.Second { // 2.3, on a machine that is busy
			t.Errorf("took %v", took)
		}
	})
}

func gitInit(t *testing.T, dir string) {
	t.Helper()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, out)
	}
}
