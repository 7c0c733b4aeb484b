package hook_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"sidekick/internal/claude"
	"sidekick/internal/nvim/nvimtest"
)

// put is the agent's write: a new file over the old one.
func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path+".new", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// Every Neovim with the file shows the edit; the cursor stays on its text.
func TestReloadInEveryNeovim(t *testing.T) {
	s := newScene(t)
	old := strings.Repeat("line\n", 20) + "here\n" + strings.Repeat("line\n", 20)
	path := s.Write(t, "notes.txt", old)
	var editors []*nvimtest.Editor
	for _, version := range nvimtest.Versions {
		e := s.start(nvimtest.Binary(t, version), "-n")
		e.Edit(path)
		e.Command("call cursor(21, 2)")
		editors = append(editors, e)
	}
	p := edit(path)
	wantSilent(t, s.run(p))
	put(t, path, "new\nlines\n"+old)
	wantSilent(t, s.run(p.after()))
	for _, e := range editors {
		var got string
		e.Lua(&got, `return vim.fn.getline(1) .. ' ' .. vim.fn.line('.') .. ' ' .. vim.fn.getline('.') .. ' ' .. tostring(vim.bo.modified)`)
		if got != "new 23 here false" {
			t.Errorf("Neovim shows %q", got)
		}
	}
	if log := s.log(); !strings.Contains(log, `"decision":"reload"`) || !strings.Contains(log, `"lines":6`) {
		t.Errorf("the journal does not tell of 3 times 2 lines:\n%s", log)
	}
}

// After a shell command whatever changed is brought in line, also a command
// that failed half-way.
func TestReloadAfterCommand(t *testing.T) {
	s := newScene(t)
	path := s.Write(t, "notes.txt", "one\n")
	e := s.start(nvimtest.Binary(t, "0.10"), "-n")
	e.Edit(path)
	for i, event := range []string{claude.PostToolUse, claude.PostToolUseFailure} {
		text := fmt.Sprint("changed ", i)
		put(t, path, text+"\n")
		p := bash("some-tool").after()
		p["hook_event_name"] = event
		wantSilent(t, s.run(p))
		if got := e.Lines(path); got[0] != text {
			t.Errorf("after %s the buffer is %q", event, got)
		}
	}
}

// The person began to type between the question and the write.
func TestTextTypedMeanwhileIsKept(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := s.Write(t, "notes.txt", "one\ntwo\n")
		e := s.start(binary, "-n")
		e.Edit(path)
		p := edit(path)
		wantSilent(t, s.run(p))
		e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
		put(t, path, "one\nTWO\n")
		answer := s.run(p.after())
		if answer.Output == nil {
			t.Fatal("the agent is told nothing")
		}
		for _, part := range []string{"notes.txt", "must not be overwritten", "+typed", "-TWO", "+two"} {
			if !strings.Contains(answer.Output.AdditionalContext, part) {
				t.Errorf("the agent is not told %q:\n%s", part, answer.Output.AdditionalContext)
			}
		}
		if got := strings.Join(e.Lines(path), "|"); got != "typed|one|two" {
			t.Errorf("the buffer is now %q", got)
		}
		var messages string
		e.Lua(&messages, `return vim.fn.execute('messages')`)
		if !strings.Contains(messages, "your text is kept") {
			t.Errorf("the person sees %q", messages)
		}
		wantSilent(t, s.run(bash("true").after())) // not again for the same change

		e.Command("SidekickBridgeDiff")
		var shown [][]string
		e.Lua(&shown, `
			local texts = {}
			for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
				assert(vim.wo[win].diff)
				table.insert(texts, vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false))
			end
			return texts`)
		if len(shown) != 2 || strings.Join(shown[0], "|") != "one|TWO" || strings.Join(shown[1], "|") != "typed|one|two" {
			t.Errorf("side by side: %q", shown)
		}
	})
}

// No dialog comes up, whatever the options say.
func TestNoDialogAboutModifiedBuffer(t *testing.T) {
	s := newScene(t)
	path := s.Write(t, "notes.txt", "one\n")
	address := s.FoundAddress(t)
	term := s.Terminal(t, []string{nvimtest.Binary(t, "0.10"), "--clean", "--listen", address, path})
	s.Attach(t, address)
	term.WaitFor("one")
	term.Type("Otyped")
	term.WaitFor("typed")
	put(t, path, "two\n")
	s.run(edit(path).after())
	s.run(bash("true").after())
	term.Type(" more")
	term.WaitFor("typed more")
}
