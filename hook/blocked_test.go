package hook_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/internal/nvim/nvimtest"
)

// oddName has all that could become code, a prompt or a cut in the middle of a
// character on its way to the screen.
var oddName = strings.Repeat("長い", 25) + ` '"]] %s %% | quit!` + "\x1b\\.txt"

// desk is a person at a terminal, with unsaved text in Neovim, and an agent.
type desk struct {
	*scene
	*nvimtest.Terminal
	nvim *nvimtest.Editor
	t    *testing.T
	path string
}

// sit opens a file in a terminal's Neovim and types into it. Nothing has asked
// that Neovim anything yet, so it does not have our runtime.
func sit(t *testing.T, binary, name string, args ...string) *desk {
	t.Helper()
	s := newScene(t)
	path := s.Write(t, name, "text\n")
	address := s.FoundAddress(t)
	command := append([]string{binary, "--clean", "-n", "--listen", address, "--cmd", "set hidden shortmess+=I"}, args...)
	term := s.Terminal(t, command)
	e := s.Attach(t, address)
	e.Edit(path)
	term.Type("ityped ")
	term.WaitFor("typed text")
	term.Keys("Escape")
	d := &desk{s, term, e, t, path}
	d.waitForMode("n", false)
	return d
}

func (d *desk) waitForMode(name string, blocking bool) {
	d.t.Helper()
	nvimtest.Eventually(d.t, "mode "+name, func() error {
		mode, err := d.nvim.RPC.Mode()
		if err == nil && (mode.Mode != name || mode.Blocking != blocking) {
			err = fmt.Errorf("mode is %+v", mode)
		}
		return err
	})
}

// wantTold waits until nothing of ours is left to be shown, and checks what the
// person has seen: nothing that asks them for a key.
func (d *desk) wantTold(times int) {
	d.t.Helper()
	d.waitForMode("n", false) // before calls that a prompt would hold up
	nvimtest.Eventually(d.t, "nothing waits", func() error {
		var waits bool
		d.nvim.Lua(&waits, `return next(_sidekick_waiting or {}) ~= nil`)
		if waits {
			return fmt.Errorf("a line waits; screen:\n%s", d.Screen())
		}
		return nil
	})
	d.waitForMode("n", false)
	var messages string
	d.nvim.Lua(&messages, `return vim.fn.execute('messages')`)
	if got := strings.Count(messages, "edit held back"); got != times {
		d.t.Errorf("the person was told %d times, want %d: %q\n%s", got, times, messages, d.Screen())
	}
}

// A person at a prompt is told of a refused edit as soon as they are free.
func TestBlockedPersonIsToldLater(t *testing.T) {
	tests := []struct {
		name  string
		block func(*desk)
		free  func(*desk)
		args  []string
		check string // a Lua expression that is true then
	}{
		{
			name:  "hit-enter",
			block: func(d *desk) { d.Type(":echo 'a' | echo 'b'\r"); d.WaitFor("Press ENTER") },
			free:  func(d *desk) { d.Keys("Enter") },
		},
		{
			name:  "hit-enter without a command line",
			args:  []string{"--cmd", "silent! set cmdheight=0"}, // 0.7 has one always
			block: func(d *desk) { d.Type(":echo 'a' | echo 'b'\r"); d.WaitFor("Press ENTER") },
			free:  func(d *desk) { d.Keys("Enter") },
		},
		{
			name:  "more prompt",
			block: func(d *desk) { d.Type(":for i in range(99) | echo i | endfor\r"); d.WaitFor("-- More --") },
			free:  func(d *desk) { d.Keys("q") },
		},
		{
			name:  "half a command",
			block: func(d *desk) { d.Keys(`"`); d.waitForMode("n", true) },
			free:  func(d *desk) { d.Type("ayy") },
			check: `vim.fn.getreg('a') == 'typed text\n'`,
		},
		{
			name:  "half a key in insert mode",
			block: func(d *desk) { d.Keys("A", "C-v"); d.waitForMode("i", true) },
			free:  func(d *desk) { d.Type("q more"); d.Keys("Escape") },
			check: `vim.fn.getline(1) == 'typed textq more'`,
		},
		{
			name:  "dialog",
			block: func(d *desk) { d.Type(":call confirm('sure?')\r"); d.WaitFor("sure?") },
			free:  func(d *desk) { d.Keys("Enter") },
		},
		{
			name: "shell command",
			block: func(d *desk) {
				d.Type(":!echo begun; until test -e go; do sleep 0.05; done\r")
				d.WaitFor("begun")
			},
			free: func(d *desk) {
				d.Write(d.t, "go", "")
				d.WaitFor("Press ENTER")
				d.Keys("Enter")
			},
		},
	}
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				d := sit(t, binary, oddName, test.args...)
				test.block(d)
				for range 3 { // a model tries again
					wantDeny(t, d.run(edit(d.path)), "unsaved changes")
				}
				test.free(d)
				d.WaitFor("Claude's edit held back until you save (:w)")
				d.wantTold(1)
				if test.check != "" {
					var holds bool
					if d.nvim.Lua(&holds, "return "+test.check); !holds {
						t.Errorf("not so: %s\n%s", test.check, d.Screen())
					}
				}
			})
		}
	})
}

// What is no news any more is not told.
func TestBlockedPersonIsNotToldWhatIsOver(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Run("saved", func(t *testing.T) {
			t.Parallel()
			d := sit(t, binary, "notes.txt")
			d.Type(":echo 'a' | echo 'b'\r")
			d.WaitFor("Press ENTER")
			wantDeny(t, d.run(edit(d.path)))
			d.Type(":silent write\r") // a prompt takes a command at once
			nvimtest.Eventually(t, "it is saved", func() error {
				if text, _ := os.ReadFile(d.path); string(text) != "typed text\n" {
					return fmt.Errorf("the file holds %q", text)
				}
				return nil
			})
			d.wantTold(0)
		})
		t.Run("the wait is over", func(t *testing.T) {
			t.Parallel()
			d := sit(t, binary, "notes.txt")
			d.env["SIDEKICK_WAIT"] = "300ms"
			d.Type(":echo 'a' | echo 'b'\r")
			d.WaitFor("Press ENTER")
			wantDeny(t, d.run(edit(d.path)))
			d.Keys("Enter")
			d.WaitFor("held back")
			d.wantTold(1)
			var messages string
			if d.nvim.Lua(&messages, `return vim.fn.execute('messages')`); strings.Contains(messages, "waits") {
				t.Errorf("told that Claude waits: %q", messages)
			}
		})
	})
}

// Somebody who types is told when they stop, if that is still news.
func TestTypingPersonIsToldLater(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for _, save := range []bool{false, true} {
			t.Run(fmt.Sprint("saved ", save), func(t *testing.T) {
				t.Parallel()
				d := sit(t, binary, "notes.txt")
				d.Type("i")
				d.waitForMode("i", false)
				wantDeny(t, d.run(edit(d.path)))
				d.Type("end")
				if save {
					d.Keys("C-o")
					d.Type(":silent write\r")
				}
				d.Keys("Escape")
				d.waitForMode("n", false)
				// What waits is looked at after the mode has changed, shown or not.
				nvimtest.Eventually(t, "nothing waits", func() error {
					var waits bool
					if d.nvim.Lua(&waits, `return #vim.api.nvim_get_autocmds({ event = 'InsertLeave' }) > 0`); waits {
						return errors.New("a line waits")
					}
					return nil
				})
				d.wantTold(map[bool]int{false: 1, true: 0}[save])
			})
		}
	})
}

// Two lines at once would be a prompt.
func TestBlockedPersonIsToldOfTwoFiles(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		d := sit(t, binary, "notes.txt")
		other := filepath.Join(d.Dir, "other.txt")
		d.nvim.Lua(nil, `vim.cmd('edit ' .. ...) vim.api.nvim_buf_set_lines(0, 0, -1, true, {'typed too'})`, other)
		d.WaitFor("typed too")
		d.Type(":echo 'a' | echo 'b'\r")
		d.WaitFor("Press ENTER")
		wantDeny(t, d.run(edit(d.path)))
		wantDeny(t, d.run(edit(other)))
		d.Keys("Enter")
		d.WaitFor("held back")
		d.wantTold(2)
	})
}
