//go:build claudecode

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sidekick/internal/claudetest"
	"sidekick/internal/nvim/nvimtest"
)

// TestClaudecode has the real client connected to the real claudecode.nvim, in
// the checkout that $SIDEKICK_CLAUDECODE names: scripts/test-claudecode.
func TestClaudecode(t *testing.T) {
	r := &reviewer{person: newPerson(t, nvimtest.Binary(t, "0.12"))}
	r.Write(t, "project/notes.txt", "one\ntwo\nthree\nfour\n")
	setup := r.Write(t, "setup.lua", fmt.Sprintf(`
		vim.opt.runtimepath:prepend(%q)
		require('claudecode').setup({ terminal = { provider = 'none' } })`, os.Getenv("SIDEKICK_CLAUDECODE")))
	r.screen = r.Terminal(t, r.alias(r.project, "-c", "luafile "+setup, "notes.txt"))
	r.screen.WaitFor("four")
	r.editor = r.attach("*.sock")
	nvimtest.Eventually(t, "the plugin's lock file", func() error {
		found, err := filepath.Glob(filepath.Join(r.Dir, ".claude", "ide", "*.lock"))
		if err == nil && len(found) != 1 {
			err = fmt.Errorf("%q:\n%s", found, r.screen.Screen())
		}
		return err
	})
	r.claude, r.client = claudetest.Interactive(t, r.Home, r.project, "--ide")
	nvimtest.Eventually(t, "the client is connected", func() error {
		var connected bool
		r.editor.Lua(&connected, `return require('claudecode').is_claude_connected()`)
		if !connected {
			return fmt.Errorf("it is not:\n%s", r.client.Screen())
		}
		return nil
	})
	r.claude.Prompt(r.client, "please edit")
	r.claude.Use(claudetest.Read(r.notes))
	decide := func(key string) {
		t.Helper()
		r.client.WaitFor("Opened changes in")
		r.screen.WaitFor("(proposed)")
		r.screen.KeysUntil(key+" decides", func() error {
			var pending bool
			r.editor.Lua(&pending, `
				for _, diff in pairs(require('claudecode.diff')._get_active_diffs()) do
					if diff.status == 'pending' then return true end
				end
				return false`)
			if pending {
				return fmt.Errorf("still pending:\n%s", r.screen.Screen())
			}
			return nil
		}, key)
		if r.open() {
			t.Error("our review is open, too")
		}
	}
	for old, text := range map[string]string{"two": "2", "three": "3"} {
		r.claude.Say(claudetest.Edit(r.notes, old, text))
		decide("Enter")
		r.told(false, "updated successfully")
	}
	r.wants("one\n2\n3\nfour\n")
	r.claude.Say(claudetest.Edit(r.notes, "four", "4"))
	decide("Escape")
	r.client.WaitFor("User rejected update")
	r.wants("one\n2\n3\nfour\n")
}
