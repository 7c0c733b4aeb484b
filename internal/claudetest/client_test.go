package claudetest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/internal/claudetest"
	"sidekick/internal/nvim/nvimtest"
)

// denyOnce is a hook command that denies the first edit and lets the others
// through.
const denyOnce = `#!/bin/sh
cat >/dev/null
[ -e "$HOME/denied" ] && exit 0
: >"$HOME/denied"
echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"unsaved text"}}'
`

// newProject makes a home whose client runs denyOnce, and a file to edit.
func newProject(t *testing.T) (home nvimtest.Home, path string) {
	home = nvimtest.NewHome(t)
	hook := home.Write(t, "hook", denyOnce)
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	home.Write(t, ".claude/settings.json", `{"hooks": {"PreToolUse": [
		{"matcher": "Edit", "hooks": [{"type": "command", "command": "`+hook+`"}]}]}}`)
	return home, home.Write(t, "project/notes.txt", "one\ntwo\n")
}

func TestPrint(t *testing.T) {
	home, path := newProject(t)
	c := claudetest.Print(t, home, filepath.Dir(path))
	if prompt := c.Hear(); !strings.Contains(strings.Join(prompt.Texts, "\n"), "do the work") {
		t.Errorf("the model was not told the prompt: %q", prompt.Texts)
	}
	if got := c.Use(claudetest.Read(path)); got.IsError || !strings.Contains(got.Text, "two") {
		t.Errorf("read: %+v", got)
	}
	denied := claudetest.Result{Text: "unsaved text", IsError: true}
	if got := c.Use(claudetest.Edit(path, "two", "TWO")); got != denied {
		t.Errorf("denied edit: %+v", got)
	}
	if got := c.Use(claudetest.Edit(path, "two", "TWO")); got.IsError {
		t.Errorf("second edit: %+v", got)
	}
	c.Say(claudetest.Text("Done."))
	c.Wait()
	if text, _ := os.ReadFile(path); string(text) != "one\nTWO\n" {
		t.Errorf("the file is %q", text)
	}
}

func TestInteractive(t *testing.T) {
	home, path := newProject(t)
	c, term := claudetest.Interactive(t, home, filepath.Dir(path))
	c.Prompt(term, "please edit")
	c.Use(claudetest.Read(path))
	if got := c.Use(claudetest.Edit(path, "two", "TWO")); got.Text != "unsaved text" {
		t.Errorf("denied edit: %+v", got)
	}
	c.Say(claudetest.Edit(path, "two", "TWO"))
	term.WaitFor("Do you want to make this edit")
	term.Keys("Enter")
	if got := c.Hear(); got.Results[0].IsError {
		t.Errorf("second edit: %+v", got)
	}
	c.Say(claudetest.Text("Finished it."))
	term.WaitFor("Finished it.")
}
