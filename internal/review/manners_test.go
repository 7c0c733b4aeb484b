package review_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/claude"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/review"
)

// After a review everything is where it was, however it began and ended.
func TestPlaceIsKept(t *testing.T) {
	command := func(d *desk) {
		d.press(":SidekickBridgeReview")
		d.press("Enter")
	}
	tests := []struct {
		name    string
		options string // of the review
		arrange string // Lua: windows and tab pages; ... is a long file
		begin   func(d *desk)
		end     func(d *desk)
	}{
		{
			"accepted", `{}`, `vim.cmd('split | vsplit | resize 7 | edit ' .. ...) vim.cmd('normal! 120Gzt$') vim.cmd('wincmd j | resize 5')`,
			func(*desk) {}, func(d *desk) { d.press("Enter") },
		},
		{
			"rejected, one above the other", `{ layout = 'horizontal' }`, `vim.cmd('vsplit | split | edit ' .. ...) vim.cmd('normal! 50Gzb')`,
			func(*desk) {}, func(d *desk) { d.press("Escape") },
		},
		{
			"one window closed", `{}`, `vim.cmd('split') vim.o.equalalways = false vim.cmd('resize 4')`,
			func(*desk) {}, func(d *desk) { d.press("C-w h"); d.press(":q"); d.press("Enter") },
		},
		{
			"tab page closed, from the second of two", `{}`, `vim.cmd('tabedit ' .. ...) vim.cmd('vsplit | vertical resize 20 | normal! 80Gzt')`,
			func(*desk) {}, func(d *desk) { d.press(":tabclose"); d.press("Enter") },
		},
		{
			"ended elsewhere", `{}`, `vim.cmd('split | resize 3')`,
			func(*desk) {}, func(d *desk) { d.tell(claude.Payload{Event: claude.Stop}) },
		},
		{
			"by the command, no alternate file", `{ open = 'command' }`, `vim.cmd('%bwipeout! | edit ' .. ... .. ' | split')`,
			command, func(d *desk) { d.press(":wq"); d.press("Enter") },
		},
		{
			"no tab line, no status line", `{}`, `vim.o.showtabline, vim.o.laststatus, vim.o.cmdheight = 0, 0, 2 vim.cmd('split')`,
			func(*desk) {}, func(d *desk) { d.press("Enter") },
		},
	}
	nvimtest.Each(t, func(t *testing.T, binary string) {
		d := newDesk(t, binary, "--cmd", fast)
		path := d.home.Write(t, "notes.txt", "one\ntwo\nthree\n")
		long := d.home.Write(t, "long.txt", strings.Repeat("a line\n", 200))
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				d := *d
				d.t = t
				d.editor.Lua(nil, `
					local path, long, options, arrange = ...
					vim.cmd('silent! tabonly! | silent! only! | set showtabline=1 laststatus=2 cmdheight=1 equalalways')
					vim.cmd('edit ' .. long .. ' | edit ' .. path)
					local review = loadstring('return ' .. options)()
					review.grace, review.pause = 0, 50
					vim.g.sidekick_bridge = { review = review }
					loadstring(arrange)(long)`, path, long, test.options, test.arrange)
				before, tabs := d.place(), d.tabs()
				a := d.edit(path, "two", "2")
				d.waiting(1)
				test.begin(&d)
				d.shown()
				test.end(&d)
				d.await(a)
				nvimtest.Eventually(t, "the review is closed", func() error {
					if now := d.tabs(); now != tabs {
						return fmt.Errorf("%d tab pages, not %d", now, tabs)
					}
					return nil
				})
				if diff := cmp.Diff(before, d.place()); diff != "" {
					t.Errorf("place (-before +after):\n%s", diff)
				}
			})
		}
	})
}

func (d *desk) tabs() (count int) {
	d.t.Helper()
	d.editor.Lua(&count, `return #vim.api.nvim_list_tabpages()`)
	return count
}

// Claude runs in Neovim's own terminal, and the person looks at it.
func TestInTerminal(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		d := newDesk(t, binary, "--cmd", fast)
		path := d.home.Write(t, "notes.txt", "one\ntwo\n")
		d.editor.Edit(path)
		d.press(":terminal echo $$; sleep 1000; true")
		d.press("Enter")
		var agent int
		d.editor.Lua(&agent, `return vim.b.terminal_job_pid`)
		mode := func(want string) {
			t.Helper()
			nvimtest.Eventually(t, "mode "+want, func() error {
				got, err := d.editor.RPC.Mode()
				if err == nil && got.Mode != want {
					err = fmt.Errorf("mode %q", got.Mode)
				}
				return err
			})
		}
		mode("nt")
		// idle waits until a review would have opened, had it been free to.
		idle := func() {
			t.Helper()
			nvimtest.Eventually(t, "a pause", func() error {
				var quiet float64
				d.editor.Lua(&quiet, `return require('_sidekick.person').quiet()`)
				if quiet < 600 {
					return fmt.Errorf("%.0f ms", quiet)
				}
				return nil
			})
		}
		from := func(pid int) func(*review.Request) { return func(r *review.Request) { r.Pid = pid } }

		a := d.edit(path, "two", "2", from(agent))
		d.waiting(1)
		idle()
		d.press("i")
		mode("t")
		idle()
		if screen := d.Screen(); strings.Contains(screen, "(proposed)") {
			t.Errorf("it took the focus:\n%s", screen)
		}
		d.Keys("C-\\", "C-n")
		mode("nt")
		before := d.place()
		d.press(":SidekickBridgeReview")
		d.press("Enter")
		d.shown()
		d.press("Enter")
		if answer, how := d.await(a); how != review.Accepted {
			t.Errorf("%s: %s", how, answer)
		}
		d.closed()
		if diff := cmp.Diff(before, d.place()); diff != "" {
			t.Errorf("place (-before +after):\n%s", diff)
		}

		// Another program's terminal; and where the person asked for it.
		for _, pid := range []int{os.Getpid(), agent} {
			a := d.edit(path, "two", "2", from(pid))
			d.shown()
			d.press("Enter")
			d.await(a)
			d.closed()
			mode("nt")
			d.editor.Lua(nil, `vim.g.sidekick_bridge = { review = { grace = 0, pause = 50, from_terminal = true } }`)
		}
	})
}

// Three proposals wait; the person goes to and fro, and looks at one again.
func TestQueue(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		d := newDesk(t, binary, "--cmd", fast)
		var all []asked
		for i, name := range []string{"a.txt", "b.txt", "c.txt"} {
			path := d.home.Write(t, name, "one\ntwo\n")
			all = append(all, d.edit(path, "two", "2"))
			d.waiting(i + 1)
		}
		shows := func(name, of string) {
			t.Helper()
			nvimtest.Eventually(t, name+" is shown", func() error {
				var current string
				d.editor.Lua(&current, `return vim.api.nvim_buf_get_name(0)`)
				if !strings.HasSuffix(current, "/"+name+" (proposed)") || !strings.Contains(d.Screen(), of) {
					return fmt.Errorf("in %q:\n%s", current, d.Screen())
				}
				return nil
			})
		}
		ends := func(a asked, want review.Outcome) {
			t.Helper()
			if answer, how := d.await(a); how != want {
				t.Errorf("%s, not %s: %s", how, want, answer)
			}
		}
		shows("a.txt", "1 of 3")
		d.press("Amine")
		d.press("Escape")
		d.press("]r")
		shows("b.txt", "2 of 3")
		d.press("]r")
		shows("c.txt", "3 of 3")
		d.press("]r")
		shows("a.txt", "1 of 3")
		d.WaitFor("2mine") // what was typed into it
		d.press("[r")
		shows("c.txt", "3 of 3")
		d.press("[r")
		shows("b.txt", "2 of 3")
		d.press("Enter")
		ends(all[1], review.Accepted)
		shows("a.txt", "1 of 2")
		d.press(":SidekickBridgeReview next")
		d.press("Enter")
		shows("c.txt", "2 of 2")
		d.press(":SidekickBridgeReview reject too long")
		d.press("Enter")
		ends(all[2], review.Rejected)
		shows("a.txt", "proposes")
		d.press("]r")
		d.WaitFor("no other proposal is waiting")
		d.press("Enter")
		ends(all[0], review.AcceptedEdited)
		d.closed()

		// Once more: to read only, and no key answers anything.
		d.press(":SidekickBridgeReview last")
		d.press("Enter")
		shows("a.txt", "a.txt: accepted, edited")
		d.WaitFor("2mine")
		d.press("x")
		d.WaitFor("E21") // not modifiable
		d.press("Enter")
		d.closed()
		d.press(":SidekickBridgeReview")
		d.press("Enter")
		shows("a.txt", "a.txt: accepted, edited")
		d.press("Escape")
	})
}
