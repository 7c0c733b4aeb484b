package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/words"
)

// runIn runs sidekick as a process in a home.
func runIn(t testing.TB, home nvimtest.Home, env []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(sidekick(t), args...)
	cmd.Dir, cmd.Env = home.Dir, home.Environ(env...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// doctorRows runs `sidekick doctor --json` and returns the state of each check.
func doctorRows(t *testing.T, home nvimtest.Home, env []string) (protected bool, states map[string]string, code int) {
	t.Helper()
	code, out, errs := runIn(t, home, env, "doctor", "--json")
	var answer struct {
		Protected bool
		Rows      []struct{ Check, State, Fact, Hint string }
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || errs != "" {
		t.Fatalf("doctor --json: %v: %q, %q", err, out, errs)
	}
	states = map[string]string{}
	for _, r := range answer.Rows {
		states[r.Check] = r.State
		if r.State != "ok" && r.Hint == "" {
			t.Errorf("%s has no hint: %s", r.Check, r.Fact)
		}
	}
	return answer.Protected, states, code
}

// From nothing to protected, and what a broken part does.
func TestDoctor(t *testing.T) {
	home := nvimtest.NewHome(t)
	env := []string{"SIDEKICK_NVIM=" + nvimtest.Binary(t, "0.12")}
	protected, states, code := doctorRows(t, home, env)
	if protected || code != 1 || states["hooks"] != "fail" || states["neovim"] != "ok" {
		t.Errorf("nothing installed: %v, %d, %v", protected, code, states)
	}
	if code, _, errs := runIn(t, home, env, "install"); code != 0 {
		t.Fatal(errs)
	}
	protected, states, code = doctorRows(t, home, env)
	if !protected || code != 0 || states["hooks"] != "ok" || states["binary"] != "ok" || states["probe"] == "fail" {
		t.Errorf("installed: %v, %d, %v", protected, code, states)
	}
	code, out, errs := runIn(t, home, env, "doctor")
	if code != 0 || !strings.HasSuffix(out, words.Protected+"\n") || strings.Contains(out, "\x1b") || errs != "" {
		t.Errorf("doctor: %d\n%s%s", code, out, errs)
	}
	// No HOME, no terminal, another language, nothing on PATH: rows, no crash.
	_, states, code = doctorRows(t, home, []string{"HOME=", "PATH=", "SIDEKICK_NVIM=", "LC_ALL=tr_TR.UTF-8"})
	if code != 1 || states["neovim"] != "fail" || states["probe"] != "fail" {
		t.Errorf("no HOME: %d, %v", code, states)
	}
	if code, _, errs := runIn(t, home, env, "doctor", "--fix"); code != 2 || !strings.Contains(errs, words.FixByHand) {
		t.Errorf("--fix with nobody there: %d, %q", code, errs)
	}
}

// --fix shows the change and asks; no is no.
func TestDoctorFix(t *testing.T) {
	home := nvimtest.NewHome(t)
	file := filepath.Join(home.Dir, ".claude", "settings.json")
	command := []string{"sh", "-c", sidekick(t) + " doctor --fix; echo code $?; exec sleep 600"}
	env := "SIDEKICK_NVIM=" + nvimtest.Binary(t, "0.10")
	term := home.Terminal(t, command, env)
	term.WaitFor(strings.TrimSpace(words.ApplyQuestion))
	term.Keys("n", "Enter")
	term.WaitFor("code 1")
	if _, err := os.Stat(file); err == nil {
		t.Fatal("the answer was no")
	}
	term = home.Terminal(t, command, env)
	term.WaitFor(strings.TrimSpace(words.ApplyQuestion))
	if !strings.Contains(term.Screen(), `"args": ["hook"]`) && !strings.Contains(term.Screen(), `+`) {
		t.Errorf("no diff:\n%s", term.Screen())
	}
	term.Keys("y", "Enter")
	term.WaitFor("code 0")
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "sidekick") {
		t.Errorf("file: %q, %v", text, err)
	}
}

// What a person said yes to is made, or nothing: somebody else has written to the
// file since it was shown. The same for install's question.
func TestChangedWhileAsked(t *testing.T) {
	home := nvimtest.NewHome(t)
	env := "SIDEKICK_NVIM=" + nvimtest.Binary(t, "0.10")
	for command, c := range map[string]struct{ question, before, after string }{
		"doctor --fix": {words.ApplyQuestion, `{"model":"opus"}`, `{"model":"haiku"}`},
		"install":      {words.ReplaceQuestion, `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"sidekick hook"}]}]}}`, `{"model":"haiku"}`},
	} {
		file := home.Write(t, ".claude/settings.json", c.before)
		term := home.Terminal(t, []string{"sh", "-c", sidekick(t) + " " + command + "; echo code $?; exec sleep 600"}, env)
		term.WaitFor(strings.TrimSpace(c.question))
		home.Write(t, ".claude/settings.json", c.after)
		term.Keys("y", "Enter")
		term.WaitFor("code 1")
		if screen := term.Screen(); !strings.Contains(screen, "nothing was written") {
			t.Errorf("%s:\n%s", command, screen)
		}
		if text := readAll(file); text != c.after {
			t.Errorf("%s: file holds %s", command, text)
		}
	}
}

// The probe is about its own file, also while a Vim elsewhere has unsaved text in
// one that its swap file calls by the same name, ~/notes.txt.
func TestDoctorBesideVim(t *testing.T) {
	elsewhere := nvimtest.NewHome(t)
	vim := elsewhere.Terminal(t, []string{"env", "-C", elsewhere.Dir, "vim", "-Nu", "NONE", elsewhere.Write(t, "notes.txt", "line 1\n")})
	vim.WaitFor("line 1")
	vim.Type("Atyped")
	vim.Keys("Escape")
	vim.Type(":preserve")
	vim.Keys("Enter")
	vim.WaitFor("File preserved")

	home := nvimtest.NewHome(t)
	env := []string{"SIDEKICK_NVIM=" + nvimtest.Binary(t, "0.12")}
	if code, _, errs := runIn(t, home, env, "install"); code != 0 {
		t.Fatal(errs)
	}
	if _, out, _ := runIn(t, home, env, "doctor"); !strings.HasSuffix(out, words.Protected+"\n") {
		t.Error(out)
	}
}
