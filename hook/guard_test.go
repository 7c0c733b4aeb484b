package hook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/internal/nvim/nvimtest"
)

// Where the unsaved buffer is does not matter.
func TestUnsavedIsDenied(t *testing.T) {
	places := []struct{ name, keys string }{
		{"current", ""},
		{"other split", ":new<CR>"},
		{"other tab page", ":tabnew<CR>"},
		{"hidden", ":set hidden<CR>:enew<CR>"},
		{"behind a terminal", ":set hidden<CR>:terminal sleep 1000<CR>"},
	}
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for _, place := range places {
			t.Run(place.name, func(t *testing.T) {
				s := newScene(t)
				path := s.Write(t, "notes.txt", "one\ntwo\nthree\n")
				other := s.Write(t, "other.txt", "a\n")
				e := s.start(binary)
				e.Edit(path)
				e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 1, 2, true, {'typed', 'more'})`)
				if place.keys != "" {
					e.Type(place.keys)
				}
				var pid int
				e.Lua(&pid, `return vim.fn.getpid()`)
				wantDeny(t, s.run(edit(path)), path, fmt.Sprintf("Neovim (pid %d)", pid),
					"2 lines differ from the disk (lines 2-3)", ":w", ":e!", "other means")
				wantSilent(t, s.run(edit(other)))
				for _, tool := range []string{"Write", "MultiEdit"} {
					p := edit(path)
					p["tool_name"] = tool
					wantDeny(t, s.run(p), path)
				}
				if got := e.Lines(path); strings.Join(got, "|") != "one|typed|more|three" {
					t.Errorf("the buffer is now %q", got)
				}
			})
		}
	})
}

// One clean and one dirty, in different directories; the agent in a third.
func TestTwoNeovims(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := s.Write(t, "sub/notes.txt", "one\n")
		clean, dirty := s.start(binary, "-n"), s.start(binary, "-n")
		clean.Command("cd /")
		dirty.Command("cd " + filepath.Dir(path))
		clean.Edit(path)
		dirty.Edit(path)
		dirty.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
		p := edit("notes.txt")
		p["cwd"] = filepath.Dir(path)
		wantDeny(t, s.run(p), "notes.txt", "1 line differs")
		for name, e := range map[string]*nvimtest.Editor{"clean": clean, "dirty": dirty} {
			var messages string
			e.Lua(&messages, `return vim.fn.execute('messages')`)
			if !strings.Contains(messages, "notes.txt") {
				t.Errorf("the %s one shows nothing about the file: %q", name, messages)
			}
		}
		dirty.Command("write")
		wantSilent(t, s.run(p))
	})
}

// Every name of the file leads to its buffer.
func TestNamesOfTheFile(t *testing.T) {
	s := newScene(t)
	real := s.Write(t, "real/[id] $post.tsx", "one\n")
	for link, target := range map[string]string{"link.tsx": real, "folder": filepath.Dir(real)} {
		if err := os.Symlink(target, filepath.Join(s.Dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(real, filepath.Join(s.Dir, "hard.tsx")); err != nil {
		t.Fatal(err)
	}
	names := []string{
		real, filepath.Join(s.Dir, "link.tsx"), filepath.Join(s.Dir, "folder", filepath.Base(real)),
		filepath.Join(s.Dir, "hard.tsx"),
	}
	for _, opened := range names {
		e := s.start(nvimtest.Binary(t, "0.12"), "-n")
		e.Edit(opened)
		e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
		for _, named := range append(names, "real/../folder/"+filepath.Base(real), "~/link.tsx") {
			wantDeny(t, s.run(edit(named)), named)
		}
		_ = e.RPC.Command("quit!") // it ends before it answers
	}
}

// A buffer of a file that is not on disk yet.
func TestNewFile(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := filepath.Join(s.Dir, "new.txt")
		e := s.start(binary)
		e.Edit(path)
		wantSilent(t, s.run(edit(path)))
		e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
		wantDeny(t, s.run(edit(path)), path)
	})
}

func TestRules(t *testing.T) {
	tests := []struct {
		rule  string
		setup string // Lua, in a Neovim with the clean file in the current window
		deny  bool
	}{
		{"unsaved", ``, false},
		{"unsaved", `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'}) vim.cmd('new')`, true},
		{"visible", ``, true},
		{"visible", `vim.cmd('tabnew')`, true},
		{"visible", `vim.o.hidden = true vim.cmd('enew')`, false},
		{"visible", `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'}) vim.o.hidden = true vim.cmd('enew')`, true},
		{"current", ``, false},
		{"current", `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`, true},
		{"current", `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'}) vim.cmd('new')`, false},
		{"nonsense", `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'}) vim.cmd('new')`, true},
	}
	for i, test := range tests {
		t.Run(fmt.Sprint(i, " ", test.rule), func(t *testing.T) {
			s := newScene(t)
			s.env["SIDEKICK_GUARD"] = test.rule
			path := s.Write(t, "notes.txt", "one\n")
			e := s.start(nvimtest.Binary(t, "0.10"))
			e.Edit(path)
			if test.setup != "" {
				e.Lua(nil, test.setup)
			}
			answer := s.run(edit(path))
			if !test.deny {
				wantSilent(t, answer)
				return
			}
			wantDeny(t, answer, path, map[string]string{
				"unsaved": ":e!; ask", "visible": "", "current": ":e!, or turn to another buffer", "nonsense": "",
			}[test.rule])
			if test.rule == "nonsense" && !strings.Contains(answer.SystemMessage, `SIDEKICK_GUARD="nonsense"`) {
				t.Errorf("the person is not told of the bad value: %q", answer.SystemMessage)
			}
		})
	}
}

// The agent goes round a denied Edit by the shell.
func TestCommands(t *testing.T) {
	s := newScene(t)
	path := s.Write(t, "notes.txt", "one\n")
	e := s.start(nvimtest.Binary(t, "0.10"))
	e.Edit(path)
	e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
	wantDeny(t, s.run(bash("sed -i s/one/two/ notes.txt")), "sed -i", path)
	wantDeny(t, s.run(bash("git checkout -- .")), "`git checkout` may replace it", path)
	wantSilent(t, s.run(bash("cat notes.txt | grep one && go test ./...")))
}

func TestNotebookAndMCP(t *testing.T) {
	s := newScene(t)
	path := s.Write(t, "n.ipynb", "{}\n")
	e := s.start(nvimtest.Binary(t, "0.10"))
	e.Edit(path)
	e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
	wantDeny(t, s.run(payload{
		"hook_event_name": "PreToolUse", "tool_name": "NotebookEdit",
		"tool_input": map[string]any{"notebook_path": path, "new_source": "x"},
	}), path)
	wantDeny(t, s.run(payload{
		"hook_event_name": "PreToolUse", "tool_name": "mcp__filesystem__write_file",
		"tool_input": map[string]any{"path": "n.ipynb", "content": "x"},
	}), "n.ipynb")
	wantSilent(t, s.run(payload{
		"hook_event_name": "PreToolUse", "tool_name": "mcp__filesystem__read_file",
		"tool_input": map[string]any{"path": "n.ipynb"},
	}))
}
