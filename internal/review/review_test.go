package review_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/claude"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/review"
)

// desk is a person at a Neovim in a terminal, and an agent that asks.
type desk struct {
	*nvimtest.Terminal
	home    nvimtest.Home
	editor  *nvimtest.Editor
	runtime string
	t       *testing.T
}

func newDesk(t *testing.T, binary string, args ...string) *desk {
	t.Helper()
	return newDeskIn(t, nvimtest.NewHome(t), binary, args...)
}

// newDeskIn is one more Neovim of the person whose home it is.
func newDeskIn(t *testing.T, home nvimtest.Home, binary string, args ...string) *desk {
	t.Helper()
	address := home.NewAddress()
	argv := append([]string{binary, "--clean", "--listen", address}, args...)
	d := &desk{home: home, runtime: home.Runtime, t: t, Terminal: home.Terminal(t, argv)}
	d.editor = home.Attach(t, address)
	nvimtest.Eventually(t, "neovim has a screen", func() error {
		if uis, err := d.editor.RPC.UIs(); err != nil || len(uis) == 0 {
			return fmt.Errorf("%d screens, %v", len(uis), err)
		}
		var entered int
		if d.editor.Lua(&entered, `return vim.v.vim_did_enter`); entered == 0 {
			return errors.New("it is starting") // and would go to its first window in the end
		}
		return nil
	})
	return d
}

// asked is a question on its way.
type asked struct {
	answer chan claude.Answer
	how    chan review.Outcome
	cancel context.CancelFunc
}

var pids = 100000

// ask lets the agent ask for a tool call.
func (d *desk) ask(tool string, input map[string]any, change ...func(*review.Request)) asked {
	d.t.Helper()
	raw, err := json.Marshal(input)
	if err != nil {
		d.t.Fatal(err)
	}
	pids++
	request := review.Request{
		Payload: claude.Payload{Event: claude.PermissionRequest, SessionID: "session", Cwd: d.home.Dir, Tool: tool, Input: raw},
		Dir:     d.runtime,
		Editors: []string{d.editor.Address},
		Pid:     pids,
		Answer:  os.Stderr.Fd(),
		Unsaved: func(context.Context) string { return "" },
	}
	path := request.Payload.FilePath()
	request.File = map[string]any{"names": []string{path}, "dev": 0, "inode": 0}
	for _, f := range change {
		f(&request)
	}
	ctx, cancel := context.WithCancel(d.t.Context())
	a := asked{make(chan claude.Answer, 1), make(chan review.Outcome, 1), cancel}
	go func() {
		answer, outcome, err := review.Run(ctx, request)
		if err != nil {
			d.t.Errorf("review: %v", err)
		}
		a.answer <- answer
		a.how <- outcome
	}()
	d.t.Cleanup(cancel)
	return a
}

// await returns the answer as the client reads it.
func (d *desk) await(a asked) (string, review.Outcome) {
	d.t.Helper()
	var answer claude.Answer
	nvimtest.Eventually(d.t, "the review's answer", func() error {
		select {
		case answer = <-a.answer:
			return nil
		default:
			return errors.New("none yet") // the terminal may have gone with Neovim
		}
	})
	var text strings.Builder
	if err := answer.Write(&text); err != nil {
		d.t.Fatal(err)
	}
	return text.String(), <-a.how
}

// shown waits until the review is on the screen and its grace time is over.
func (d *desk) shown() {
	d.t.Helper()
	d.WaitFor("proposes")
	nvimtest.Eventually(d.t, "the review is open", func() error {
		var name string
		d.editor.Lua(&name, `return vim.api.nvim_buf_get_name(0)`)
		if !strings.HasPrefix(name, "sidekick-review://") {
			return fmt.Errorf("in %q:\n%s", name, d.Screen())
		}
		return nil
	})
}

// waiting waits until so many proposals wait for a decision.
func (d *desk) waiting(want int) {
	d.t.Helper()
	nvimtest.Eventually(d.t, "proposals that wait", func() error {
		var got int
		d.editor.Lua(&got, `local desk = package.loaded['_sidekick.review_desk'] return desk and #desk.queue or 0`)
		if got != want {
			return fmt.Errorf("%d, not %d:\n%s", got, want, d.Screen())
		}
		return nil
	})
}

const fast = "let g:sidekick_bridge = {'review': {'grace': 0, 'pause': 50}}"

// decision is what the client reads of an answer.
type decision struct {
	Behavior string         `json:"behavior"`
	Input    map[string]any `json:"updatedInput"`
	Message  string         `json:"message"`
}

func parse(t *testing.T, answer string) decision {
	t.Helper()
	var a struct {
		Output struct {
			Event    string   `json:"hookEventName"`
			Decision decision `json:"decision"`
		} `json:"hookSpecificOutput"`
	}
	if answer == "" {
		return decision{}
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil || a.Output.Event != claude.PermissionRequest {
		t.Fatalf("answer %q: %v", answer, err)
	}
	return a.Output.Decision
}

// What the person does with a proposal, and what the client is answered.
func TestDecisions(t *testing.T) {
	const text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
	const both = "ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n"
	tests := []struct {
		name    string
		file    string // "" = text
		propose string // "" = both
		keys    []string
		allow   bool
		content string // the changed input, "" = unchanged
		reason  string // in the message of a refusal
	}{
		{name: "enter accepts", keys: []string{"Enter"}, allow: true},
		{name: "escape rejects", keys: []string{"Escape"}, reason: "rejected it. Nothing was written. Do not"},
		{name: "write accepts", keys: []string{":w", "Enter"}, allow: true},
		{name: "write and quit accepts", keys: []string{":wq", "Enter"}, allow: true},
		{name: "exit accepts", keys: []string{":x", "Enter"}, allow: true},
		{name: "quit rejects", keys: []string{":q", "Enter"}, reason: "rejected it"},
		{name: "closing the copy rejects", keys: []string{"C-w h", ":q", "Enter"}, reason: "rejected it"},
		{name: "closing the tab page rejects", keys: []string{":tabclose", "Enter"}, reason: "rejected it"},
		{name: "bulk save is no consent", keys: []string{":wa", "Enter", "Escape"}, reason: "rejected it"},
		{name: "bulk save after an edit is no consent", keys: []string{"x", ":wa", "Enter", ":windo silent! w", "Enter", "Escape"}, reason: "rejected it"},
		{name: "reason", keys: []string{"gr", "wrong place", "Enter"}, reason: "Their reason: wrong place"},
		{name: "no reason after all", keys: []string{"gr", "C-c", "Enter"}, allow: true},
		{name: "edited", keys: []string{"A!", "Escape", ":w", "Enter"}, allow: true, content: "ONE!\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n"},
		{name: "one hunk taken out", keys: []string{"do", "Enter"}, allow: true, content: "one\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n"},
		{name: "other hunk taken out from the copy", keys: []string{"]c", "C-w h", "]c", "dp", "Enter"}, allow: true, content: "ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n"},
		{name: "both hunks taken out", keys: []string{"do", "]c", "do", "Enter"}, reason: "took every part"},
		{name: "taken out and undone", keys: []string{"do", "u", "Enter"}, allow: true},
		{name: "reset", keys: []string{"dd", ":e!", "Enter", "Enter"}, allow: true},
		{name: "no final newline", file: "a\nb", propose: "a\nc", keys: []string{"ggIx", "Escape", ":w", "Enter"}, allow: true, content: "xa\nc"},
		{name: "all text deleted", propose: "\n", keys: []string{"Enter"}, allow: true},
		{name: "emptied by the person", keys: []string{"ggdG", ":w", "Enter"}, allow: true, content: "\x00"},
		{name: "escape after insert mode is no verdict", keys: []string{"A!", "Escape", "Escape", "Enter"}, allow: true, content: "ONE!\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n"},
	}
	nvimtest.Each(t, func(t *testing.T, binary string) {
		d := newDesk(t, binary, "--cmd", fast)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				d := *d
				d.t = t
				if test.file == "" {
					test.file = text
				}
				if test.propose == "" {
					test.propose = both
				}
				path := d.home.Write(t, "notes.txt", test.file)
				a := d.ask("Write", map[string]any{"file_path": path, "content": test.propose})
				d.shown()
				for _, keys := range test.keys {
					d.press(keys)
				}
				answer, _ := d.await(a)
				got := parse(t, answer)
				want := decision{Behavior: "deny"}
				if test.allow {
					want = decision{Behavior: "allow"}
				}
				if test.content != "" {
					want.Input = map[string]any{"file_path": path, "content": strings.Trim(test.content, "\x00")}
				}
				if !strings.Contains(got.Message, test.reason) || (got.Message == "") != test.allow {
					t.Errorf("message %q, want one with %q", got.Message, test.reason)
				}
				got.Message = ""
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("answer (-want +got):\n%s", diff)
				}
				d.closed()
				if now, _ := os.ReadFile(path); string(now) != test.file {
					t.Errorf("the file was written: %q", now)
				}
			})
		}
	})
}

// press types keys, and waits until Neovim has taken them.
func (d *desk) press(keys string) {
	d.t.Helper()
	if keys == "Enter" || keys == "Escape" || strings.HasPrefix(keys, "C-") {
		d.Keys(strings.Fields(keys)...)
	} else {
		d.Type(keys)
	}
	d.settled()
}

// settled waits until Neovim has worked off what was typed: it then answers.
func (d *desk) settled() {
	d.t.Helper()
	before := d.Screen()
	nvimtest.Eventually(d.t, "the screen stands still", func() error {
		now := d.Screen()
		if now != before {
			before = now
			return errors.New("it moves")
		}
		return nil
	})
}

// closed waits until nothing of a review is left.
func (d *desk) closed() {
	d.t.Helper()
	nvimtest.Eventually(d.t, "nothing of the review is left", func() error {
		var left []string
		d.editor.Lua(&left, `
			local left = {}
			for _, b in ipairs(vim.api.nvim_list_bufs()) do
				local name = vim.api.nvim_buf_get_name(b)
				if name:find('^sidekick%-review') then table.insert(left, name) end
			end
			if #vim.api.nvim_list_tabpages() > 1 then table.insert(left, 'tab page') end
			return left`)
		if len(left) > 0 {
			return fmt.Errorf("%q; the screen:\n%s", left, d.Screen())
		}
		return nil
	})
}
