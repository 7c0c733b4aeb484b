package reload_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"sidekick/internal/nvim/nvimtest"
)

// Neovim's own question about a file that changed under unsaved text (W12) comes
// by itself, and one key would load the file over the text.
func TestFileChangesUnderUnsavedText(t *testing.T) {
	for name, test := range map[string]struct {
		setup   string // Lua, before the file changes
		change  func(t *testing.T, path string)
		trigger string // what makes Neovim look
		asked   bool   // Neovim asks all the same
		text    string // the buffer's first line afterwards
	}{
		"looked at": {trigger: `vim.cmd('checktime')`, text: "mineline 1"},
		"idle":      {setup: `vim.o.updatetime = 20`, trigger: `vim.cmd('doautocmd CursorHold') vim.cmd('checktime')`, text: "mineline 1"},
		"focus":     {trigger: `vim.api.nvim_exec_autocmds('FocusGained', {}) vim.cmd('checktime')`, text: "mineline 1"},
		"deleted": {change: func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}, trigger: `vim.cmd('checktime')`, text: "mineline 1"},
		"saved text is asked about as ever": {
			setup: `vim.cmd('silent undo') vim.o.autoread = false`, trigger: `vim.cmd('checktime')`, asked: true,
		},
		"the person's own autocommand decides": {
			setup:   `vim.cmd("autocmd FileChangedShell * let v:fcs_choice = 'reload'")`,
			trigger: `vim.cmd('checktime')`, text: "theirs",
		},
		"one for other files does not": {
			setup:   `vim.cmd("autocmd FileChangedShell *.md let v:fcs_choice = 'reload'")`,
			trigger: `vim.cmd('checktime')`, text: "mineline 1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			nvimtest.Each(t, func(t *testing.T, binary string) {
				t.Parallel()
				e, term, path := person(t, binary, numbered(30))
				sync(t, e, path) // brings the runtime
				term.Type("imine")
				waitForText(t, e, path, "mine"+numbered(30))
				term.Keys("Escape")
				waitForMode(t, e, "n")
				e.Lua(nil, test.setup)
				if test.change != nil {
					test.change(t, path)
				} else {
					write(t, path, "theirs\n")
				}
				// Not by a call that waits for an answer to the question.
				e.Lua(nil, `local code = ... vim.defer_fn(function() loadstring(code)() LOOKED = true end, 0)`, test.trigger)
				if test.asked {
					waitForMode(t, e, "r")
					term.Type("o")
					return
				}
				waitFor(t, e, `return tostring(LOOKED)`, "true")
				waitForMode(t, e, "n")
				if got := e.Lines(path)[0]; got != test.text {
					t.Errorf("the first line is %q", got)
				}
				if test.text == "theirs" || test.change != nil {
					return
				}
				term.WaitFor("your text is kept")
				// The file is still not overwritten without a word.
				term.Type(":w\r")
				term.WaitFor("really want to write")
				term.Type("n")
				nvimtest.Eventually(t, "the question is over", func() error {
					mode, err := e.RPC.Mode()
					if err == nil && mode.Mode != "n" {
						term.Keys("Enter")
						err = errors.New(mode.Mode)
					}
					return err
				})
				if disk, err := os.ReadFile(path); err != nil || string(disk) != "theirs\n" {
					t.Errorf("the file is %q, %v", disk, err)
				}
				if got := strings.Join(e.Lines(path), "\n") + "\n"; got != "mine"+numbered(30) {
					t.Errorf("the text is %q", got)
				}
			})
		})
	}
}
