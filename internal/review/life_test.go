package review_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/claude"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/review"
)

// edit lets the agent ask for one word of the file to be changed.
func (d *desk) edit(path, old, new string, change ...func(*review.Request)) asked {
	d.t.Helper()
	return d.ask("Edit", map[string]any{"file_path": path, "old_string": old, "new_string": new, "replace_all": false}, change...)
}

// place is where the person is, as far as they can tell.
type place struct {
	Layout string   `msgpack:"layout"`
	Win    int      `msgpack:"win"`
	Mode   string   `msgpack:"mode"`
	Other  string   `msgpack:"other"` // alternate file
	Views  []string `msgpack:"views"`
}

func (d *desk) place() (p place) {
	d.t.Helper()
	d.editor.Lua(&p, `
		local views = {}
		for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
			local view = vim.api.nvim_win_call(win, vim.fn.winsaveview)
			table.insert(views, ('%d: %d %d top %d of %s'):format(win, view.lnum, view.col, view.topline,
				vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win))))
		end
		return { layout = vim.fn.winrestcmd(), win = vim.api.nvim_get_current_win(), mode = vim.api.nvim_get_mode().mode,
			other = vim.fn.expand('#:p'), views = views }`)
	return p
}

// What comes between a question and its answer.
func TestLife(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		d := newDesk(t, binary, "--cmd", fast)
		path := d.home.Write(t, "notes.txt", "one\ntwo\nthree\n")
		long := d.home.Write(t, "long.txt", strings.Repeat("a line\n", 200))
		d.editor.Edit(long)
		d.editor.Edit(path)
		run := func(name string, test func(d *desk)) {
			t.Run(name, func(t *testing.T) {
				d := *d
				d.t = t
				test(&d)
				if d.editor != nil {
					d.closed()
				}
			})
		}
		ends := func(d *desk, a asked, want review.Outcome) {
			d.t.Helper()
			if answer, how := d.await(a); answer != "" || how != want {
				d.t.Errorf("answer %q, outcome %q, want none, %q", answer, how, want)
			}
		}

		run("typing is not interrupted", func(d *desk) {
			d.press("Onew text")
			a := d.edit(path, "two", "2")
			d.press(" and more")
			d.WaitFor("new text and more")
			if strings.Contains(d.Screen(), "(proposed)") {
				d.t.Errorf("interrupted:\n%s", d.Screen())
			}
			d.press("Escape")
			d.shown()
			d.press("Escape")
			d.await(a)
			if got := d.editor.Lines(path); got[0] != "new text and more" {
				d.t.Errorf("the text is %q", got)
			}
			d.editor.Command("edit!")
		})
		run("accepted elsewhere", func(d *desk) {
			a := d.edit(path, "two", "2")
			d.shown()
			input := fmt.Appendf(nil, `{"file_path": %q}`, path)
			other := fmt.Appendf(nil, `{"file_path": %q}`, long)
			for _, p := range []claude.Payload{
				{Event: claude.PostToolUse, Tool: "Edit", Input: other}, // a parallel call
				{Event: claude.PostToolUse, Tool: "Read", Input: input},
				{Event: claude.PostToolUse, Tool: "Edit", Input: input, AgentID: "sub"},
				{Event: claude.Stop, SessionID: "another"},
			} {
				d.tell(p)
			}
			d.settled()
			if !strings.Contains(d.Screen(), "proposes") {
				d.t.Errorf("another event ended it:\n%s", d.Screen())
			}
			d.tell(claude.Payload{Event: claude.PostToolUse, Tool: "Edit", Input: input})
			ends(d, a, review.AcceptedElsewhere)
		})
		for _, event := range []string{claude.UserPromptSubmit, claude.Stop, claude.SessionEnd} {
			run("rejected elsewhere, told by "+event, func(d *desk) {
				a := d.edit(path, "two", "2")
				d.shown()
				d.tell(claude.Payload{Event: event})
				ends(d, a, review.RejectedElsewhere)
				d.WaitFor("not accepted in the terminal")
				d.press(":echo")
				d.press("Enter")
			})
		}
		run("the hook is ended", func(d *desk) {
			a := d.edit(path, "two", "2")
			d.shown()
			a.cancel()
			ends(d, a, review.Withdrawn)
		})
		run("the agent dies", func(d *desk) {
			r, w, err := os.Pipe()
			if err != nil {
				d.t.Fatal(err)
			}
			defer w.Close()
			a := d.edit(path, "two", "2", func(r *review.Request) { r.Answer = w.Fd() })
			d.shown()
			r.Close()
			ends(d, a, review.Withdrawn)
		})
		run("the person's edits outlive the question", func(d *desk) {
			a := d.edit(path, "two", "2")
			d.shown()
			d.press("Amine")
			d.press("Escape")
			d.tell(claude.Payload{Event: claude.Stop})
			ends(d, a, review.RejectedElsewhere)
			d.WaitFor("2mine")
			d.press(":q")
			d.press("Enter")
		})
		run("the file changes", func(d *desk) {
			a := d.edit(path, "two", "2")
			d.shown()
			d.home.Write(d.t, "notes.txt", "one\ntwo\nthree\nfour\n")
			d.WaitFor("changed on disk")
			d.press("Enter")
			answer, how := d.await(a)
			if got := parse(d.t, answer); how != review.Outdated || !strings.Contains(got.Message, "Read the file again") {
				d.t.Errorf("%s: %+v", how, got)
			}
			d.home.Write(d.t, "notes.txt", "one\ntwo\nthree\n")
		})
		run("unsaved text", func(d *desk) {
			const sentence = "notes.txt has unsaved changes"
			var saved atomic.Bool
			a := d.edit(path, "two", "2", func(r *review.Request) {
				r.Unsaved = func(context.Context) string {
					if saved.Load() {
						return ""
					}
					return sentence
				}
			})
			d.shown()
			d.press("Ax")
			d.press("Escape")
			d.press(":wq")
			d.press("Enter")
			d.WaitFor(sentence)
			d.WaitFor("2x") // what was typed into it is there again
			saved.Store(true)
			d.press("Enter")
			if answer, how := d.await(a); how != review.AcceptedEdited {
				d.t.Errorf("%s: %s", how, answer)
			}
		})
		run("events", func(d *desk) {
			d.editor.Lua(nil, `
				EVENTS = {}
				vim.api.nvim_create_autocmd('User', {
					pattern = 'SidekickBridgeReview*',
					callback = function(args)
						local data = vim.g.sidekick_bridge_review or {}
						local text = ('%s %s %s'):format(args.match, vim.fn.fnamemodify(data.path or '', ':t'), data.outcome)
						if vim.fn.has('nvim-0.8') == 1 and not vim.deep_equal(data, args.data) then
							text = text .. ', but data ' .. vim.inspect(args.data)
						end
						table.insert(EVENTS, text)
					end,
				})`)
			first := d.edit(path, "two", "2")
			d.shown()
			d.press("Enter")
			d.await(first)
			d.closed()
			second := d.edit(path, "two", "2")
			d.shown()
			d.tell(claude.Payload{Event: claude.Stop})
			d.await(second)
			d.closed()
			var got []string
			d.editor.Lua(&got, `return EVENTS`)
			want := []string{
				"SidekickBridgeReviewOpened notes.txt nil", "SidekickBridgeReviewClosed notes.txt accepted",
				"SidekickBridgeReviewOpened notes.txt nil", "SidekickBridgeReviewClosed notes.txt rejected elsewhere",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				d.t.Errorf("events (-want +got):\n%s", diff)
			}
		})
		run("neovim ends", func(d *desk) {
			a := d.edit(path, "two", "2")
			d.shown()
			d.Type(":qa!")
			d.Keys("Enter")
			ends(d, a, review.Withdrawn)
			d.editor = nil
		})
	})
}

// tell lets the session go on.
func (d *desk) tell(p claude.Payload) {
	d.t.Helper()
	if p.SessionID == "" {
		p.SessionID = "session"
	}
	if _, err := review.Ended(d.runtime, p); err != nil {
		d.t.Error(err)
	}
}
