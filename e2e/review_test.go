package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/claudetest"
	"sidekick/internal/nvim/nvimtest"
)

// reviewer is a person with Neovim in one terminal and the client in another.
type reviewer struct {
	*person
	screen *nvimtest.Terminal // Neovim's
	editor *nvimtest.Editor
	claude *claudetest.Client
	client *nvimtest.Terminal
}

func newReviewer(t *testing.T, version string) *reviewer {
	t.Helper()
	return newPerson(t, nvimtest.Binary(t, version)).reviewer(func() {})
}

// reviewer opens Neovim and starts the client, with args, which reads the file once
// it is ready: what connects to it later does not count for that turn.
func (p *person) reviewer(ready func(), args ...string) *reviewer {
	t := p.t
	t.Helper()
	r := &reviewer{person: p}
	r.Write(t, "project/notes.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n")
	r.screen = r.Terminal(t, r.alias(r.project, "notes.txt"))
	r.screen.WaitFor("seven")
	r.editor = r.attach("*.sock")
	r.claude, r.client = claudetest.Interactive(t, r.Home, r.project, args...)
	ready()
	r.claude.Prompt(r.client, "please edit")
	r.claude.Use(claudetest.Read(r.notes))
	return r
}

// shown waits until the person can decide: the view is current and old enough.
func (r *reviewer) shown() {
	r.t.Helper()
	nvimtest.Eventually(r.t, "the review is shown", func() error {
		var name string
		r.editor.Lua(&name, `return vim.api.nvim_buf_get_name(0)`)
		if !strings.Contains(name, "(proposed)") {
			return fmt.Errorf("the buffer is %q:\n%s\n%s", name, r.screen.Screen(), r.client.Screen())
		}
		return nil
	})
}

// decide presses a key until the review is over: at first keys do not decide.
func (r *reviewer) decide(key string) {
	r.t.Helper()
	r.shown()
	r.screen.KeysUntil(key+" decides", func() error {
		if r.open() {
			return fmt.Errorf("still open:\n%s", r.screen.Screen())
		}
		return nil
	}, key)
}

// open reports whether a review is on the screen.
func (r *reviewer) open() bool {
	var open bool
	r.editor.Lua(&open, `
		for _, b in ipairs(vim.api.nvim_list_bufs()) do
			if vim.api.nvim_buf_get_name(b):find('^sidekick%-review:') then return true end
		end
		return false`)
	return open
}

// closed waits until no review is on the screen, and nobody waits for one.
func (r *reviewer) closed() {
	r.t.Helper()
	nvimtest.Eventually(r.t, "the review is closed", func() error {
		if r.open() {
			return fmt.Errorf("it is open:\n%s", r.screen.Screen())
		}
		if waiting := r.hooks(); len(waiting) > 0 {
			return fmt.Errorf("hooks wait: %q", waiting)
		}
		return nil
	})
}

// hooks lists the hook processes of this person's machine.
func (r *reviewer) hooks() (found []string) {
	out, _ := exec.Command("ps", "-A", "-o", "pid=,args=").Output()
	for line := range strings.Lines(string(out)) {
		pid, args, _ := strings.Cut(strings.TrimSpace(line), " ")
		if args := strings.TrimSpace(args); args != sidekick+" hook" {
			continue
		}
		env, _ := os.ReadFile("/proc/" + pid + "/environ")
		if strings.Contains(string(env), "HOME="+r.Dir+"\x00") {
			found = append(found, pid)
		}
	}
	return found
}

// told waits for what the model is told, which must have each of the words.
func (r *reviewer) told(isError bool, words ...string) {
	r.t.Helper()
	heard := r.claude.Hear()
	if len(heard.Results) == 0 || heard.Results[0].IsError != isError {
		r.t.Errorf("the model was told %+v, want error %v", heard, isError)
	}
	all := fmt.Sprintf("%+v", heard)
	for _, want := range words {
		if !strings.Contains(all, want) {
			r.t.Errorf("the model was not told %q:\n%s", want, all)
		}
	}
}

func (r *reviewer) wants(text string) {
	r.t.Helper()
	if diff := cmp.Diff(text, r.onDisk(r.notes)); diff != "" {
		r.t.Errorf("the file (-want +got):\n%s", diff)
	}
	r.closed()
	r.sees(r.editor, r.notes)
}

func TestReview(t *testing.T) {
	r := newReviewer(t, "0.12")
	at := "two\nthree\nfour\nfive\nsix\n" // stays as it is

	r.claude.Say(claudetest.Edit(r.notes, "one", "ONE"))
	r.decide("Enter")
	r.told(false, "updated successfully")
	r.wants("ONE\n" + at + "seven\n")

	// Accepted after editing.
	r.claude.Say(claudetest.Edit(r.notes, "seven", "SEVEN"))
	r.shown()
	r.screen.Type("A, mostly  ")
	r.screen.Keys("Escape")
	r.screen.WaitFor("SEVEN, mostly")
	r.screen.Type(":w")
	r.screen.Keys("Enter")
	r.told(false, "updated successfully", "The user edited your proposed change", "-SEVEN", "+SEVEN, mostly")
	r.wants("ONE\n" + at + "SEVEN, mostly  \n")

	// One of two hunks.
	r.claude.Say(claudetest.Write(r.notes, "1\n"+at+"7\n"))
	r.shown()
	r.screen.Type("do")
	r.decide("Enter")
	r.told(false, "updated successfully", "-1\n+ONE")
	r.wants("ONE\n" + at + "7\n")

	r.claude.Say(claudetest.Edit(r.notes, "7", "8"))
	r.decide("Escape")
	r.told(true, "rejected it. Nothing was written.")

	r.claude.Say(claudetest.Edit(r.notes, "7", "9"))
	r.shown()
	r.screen.KeysUntil("the prompt for the reason", func() error {
		if screen := r.screen.Screen(); !strings.Contains(screen, "because:") {
			return fmt.Errorf("no prompt:\n%s", screen)
		}
		return nil
	}, "g", "r")
	r.screen.Type("odd number")
	r.screen.Keys("Enter")
	r.told(true, "Their reason: odd number")
	r.wants("ONE\n" + at + "7\n")

	// The terminal is quicker.
	r.claude.Say(claudetest.Edit(r.notes, "7", "77"))
	r.shown()
	r.client.WaitFor("Do you want to make this edit")
	r.client.Keys("Enter")
	r.told(false, "updated successfully")
	r.wants("ONE\n" + at + "77\n")

	// The person types when the question comes.
	r.screen.Type("gg0itext ") // a key that came too late for the review may have moved the cursor
	r.screen.WaitFor("text ONE")
	r.screen.Keys("Escape")
	r.screen.Type("u:set nomodified")
	r.screen.Keys("Enter")
	r.screen.Type("gg0iabc")
	r.screen.WaitFor("abcONE")
	r.screen.Type("\b\b\b")
	r.screen.WaitFor(" 1,1")
	r.screen.Keys("Escape")
	r.screen.Type("u:e!")
	r.screen.Keys("Enter")
	r.screen.Type(":")
	r.claude.Say(claudetest.Edit(r.notes, "77", "78"))
	r.client.WaitFor("Do you want to make this edit")
	r.screen.Type("echo 'still ' . 'mine'")
	if r.open() {
		t.Errorf("the review interrupts a command:\n%s", r.screen.Screen())
	}
	r.screen.Keys("Enter")
	r.decide("Enter")
	r.told(false, "updated successfully")

	// Unsaved text since.
	r.claude.Say(claudetest.Edit(r.notes, "78", "79"))
	r.shown()
	r.editor.Lua(nil, `vim.api.nvim_buf_set_lines(vim.fn.bufnr('notes.txt$'), 0, 0, true, { 'unsaved' })`)
	r.screen.KeysUntil("the refusal", func() error {
		if screen := r.screen.Screen(); !strings.Contains(screen, "unsaved changes") {
			return fmt.Errorf("none:\n%s", screen)
		}
		return nil
	}, "Enter")
	r.editor.Lua(nil, `vim.api.nvim_buf_call(vim.fn.bufnr('notes.txt$'), function() vim.cmd('silent edit!') end)`)
	r.decide("Enter")
	r.told(false, "updated successfully")
	r.wants("ONE\n" + at + "79\n")

	// Two in one turn, and a subagent's.
	r.claude.Say(claudetest.Edit(r.notes, "two", "2"), claudetest.Edit(r.notes, "three", "3"))
	r.decide("Enter")
	r.decide("Enter")
	heard := r.claude.Hear()
	if len(heard.Results) != 2 || heard.Results[0].IsError || heard.Results[1].IsError {
		t.Errorf("two edits: %+v", heard)
	}
	r.wants("ONE\n2\n3\nfour\nfive\nsix\n79\n")
	r.claude.Say(claudetest.Tool("Agent", map[string]any{
		"description": "edit", "prompt": "edit it", "subagent_type": "general-purpose",
	}))
	r.claude.Use(claudetest.Read(r.notes))
	r.claude.Say(claudetest.Edit(r.notes, "four", "4"))
	r.screen.WaitFor("Claude's subagent")
	r.decide("Enter")
	r.told(false, "updated successfully")
	r.wants("ONE\n2\n3\n4\nfive\nsix\n79\n")
}

// A question that is answered with "no" in the terminal has no event of its own:
// the client ends the hook, or the next prompt tells.
func TestReviewRejectedInTerminal(t *testing.T) {
	r := newReviewer(t, "0.10")
	r.claude.Say(claudetest.Edit(r.notes, "two", "2"))
	r.shown()
	r.client.WaitFor("Do you want to make this edit")
	r.client.Keys("Escape")
	r.client.WaitFor("User rejected")
	r.claude.Prompt(r.client, "something else")
	r.screen.WaitFor("change to notes.txt")
	r.wants("one\ntwo\nthree\nfour\nfive\nsix\nseven\n")
}

func TestReviewNeovimKilled(t *testing.T) {
	r := newReviewer(t, "0.7")
	r.claude.Say(claudetest.Edit(r.notes, "two", "2"))
	r.shown()
	var pid int
	r.editor.Lua(&pid, `return vim.fn.getpid()`)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	nvimtest.Eventually(t, "no hook is left", func() error {
		if waiting := r.hooks(); len(waiting) > 0 {
			return fmt.Errorf("hooks wait: %q", waiting)
		}
		return nil
	})
	r.client.WaitFor("Do you want to make this edit")
	r.client.Keys("Enter")
	r.told(false, "updated successfully")
	if got := r.onDisk(r.notes); got != "one\n2\nthree\nfour\nfive\nsix\nseven\n" {
		t.Errorf("the file is %q", got)
	}
}

func TestReviewClientKilled(t *testing.T) {
	r := newReviewer(t, "0.12")
	r.claude.Say(claudetest.Edit(r.notes, "two", "2"))
	r.shown()
	waiting := r.hooks()
	if len(waiting) != 1 {
		t.Fatalf("hooks that wait: %q", waiting)
	}
	out, err := exec.Command("ps", "-o", "ppid=", "-p", waiting[0]).Output()
	if err != nil {
		t.Fatal(err)
	}
	var client int
	if _, err := fmt.Sscan(string(out), &client); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(client, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	r.wants("one\ntwo\nthree\nfour\nfive\nsix\nseven\n")
}

// Where another editor is connected to the session, the question is asked there
// and in the terminal, not in Neovim too; and in Neovim again once it has gone.
func TestReviewOtherEditor(t *testing.T) {
	p := newPerson(t, nvimtest.Binary(t, "0.12"))
	ide := claudetest.ServeIDE(t, p.Home, p.project)
	r := p.reviewer(ide.Connected, "--ide")
	r.claude.Say(claudetest.Edit(r.notes, "two", "2"))
	diff := ide.Diff()
	want := "one\n2\nthree\nfour\nfive\nsix\nseven\n"
	if diff.Path != r.notes || diff.Contents != want {
		t.Errorf("the editor shows %+v", diff)
	}
	nvimtest.Eventually(t, "the hook leaves the question to the editor", func() error {
		cmd := exec.Command(sidekick, "log", "--json")
		cmd.Env = r.Environ()
		out, err := cmd.CombinedOutput()
		if err == nil && !strings.Contains(string(out), "an editor that is connected") {
			err = fmt.Errorf("the log:\n%s", out)
		}
		return err
	})
	r.closed() // no view, and no hook that waits
	var waiting int
	r.editor.Lua(&waiting, `
		local desk = package.loaded['_sidekick.review_desk']
		return desk and #desk.queue + #desk.past or 0`)
	if waiting > 0 {
		t.Errorf("%d proposals came to Neovim, too", waiting)
	}
	diff.Save(want)
	r.told(false, "updated successfully")
	r.wants(want)

	ide.Close()
	r.claude.Say(claudetest.Edit(r.notes, "three", "3"))
	r.decide("Enter")
	r.told(false, "updated successfully")
	r.wants("one\n2\n3\nfour\nfive\nsix\nseven\n")
}
