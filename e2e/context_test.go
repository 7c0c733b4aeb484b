package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sidekick/internal/claudetest"
	"sidekick/internal/nvim/nvimtest"
)

// told is all that the model was told since it last spoke.
func told(h claudetest.Heard) string {
	all := h.Texts
	for _, result := range h.Results {
		all = append(all, result.Text)
	}
	return strings.Join(all, "\n")
}

// mustTell checks that the model was told each part, and nothing that stands
// after "not".
func mustTell(t *testing.T, h claudetest.Heard, parts ...string) {
	t.Helper()
	text, want := told(h), true
	end := text[max(0, len(text)-2000):] // before it the client says the same to everybody
	for _, part := range parts {
		if part == "not" {
			want = false
		} else if strings.Contains(text, part) != want {
			t.Errorf("the model is told %q: %v, want %v:\n%s", part, !want, want, end)
		}
	}
}

// TestContext is what the model knows of the person's screen: with the prompt
// what is selected and unsaved, with a Read the unsaved text, with an Edit the
// errors that it made.
func TestContext(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, nvim string) {
		p := newPerson(t, nvim)
		code := p.Write(t, "project/src/code.txt", "good line\nsecond line\n")
		term := p.Terminal(t, p.alias(p.project, "notes.txt"))
		term.WaitFor("line 10")
		e := p.attach("*.sock")
		term.Type("5Gotyped ``` by a person")
		term.Keys("Escape")
		term.Type(":set hidden | edit src/code.txt\r")
		term.WaitFor("good line")
		e.AttachLSP(10 * time.Millisecond)
		term.Type("ggV")
		nvimtest.Eventually(t, "visual mode", func() error {
			mode, err := e.RPC.Mode()
			if err == nil && mode.Mode != "V" {
				err = fmt.Errorf("mode %q", mode.Mode)
			}
			return err
		})

		c := claudetest.Print(t, p.Home, p.project)
		mustTell(t, c.Hear(), "do the work", "UserPromptSubmit hook additional context",
			"The user has selected line 1 of src/code.txt in Neovim:\n```\ngood line\n```",
			"unsaved changes in the user's Neovim: notes.txt.", "not", "by a person")
		term.Keys("Escape")

		c.Say(claudetest.Read(p.notes))
		mustTell(t, c.Hear(), "notes.txt has unsaved changes in Neovim", "\n````diff\n--- notes.txt (disk)", " line 5\n+typed ``` by a person\n line 6\n")

		c.Say(claudetest.Read(code))
		mustTell(t, c.Hear(), "good line", "not", "unsaved", "diff")
		c.Say(claudetest.Edit(code, "second line", "second line is BAD"))
		mustTell(t, c.Hear(), "reports a new error in src/code.txt:\n```\nline 2, column 16: this is BAD (testserver E1)\n```")
		p.sees(e, code)
		c.Say(claudetest.Text("Done."))
		c.Wait()
	})
}
