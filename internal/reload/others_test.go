package reload_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/reload"
)

// TestOtherReloaders lets others reload the same buffer, before us and after us.
func TestOtherReloaders(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for name, test := range map[string]struct{ before, after string }{
			"checktime first":                {before: `vim.cmd('checktime')`},
			"checktime afterwards":           {after: `vim.cmd('checktime')`},
			"checktime of the buffer":        {after: `vim.cmd('checktime 1')`},
			"claudecode.nvim's edit":         {after: `local c = CURSOR vim.api.nvim_buf_call(1, function() vim.cmd('edit') end) vim.api.nvim_win_set_cursor(0, c)`},
			"timers and a focus that return": {before: `vim.cmd('doautocmd FocusGained') vim.cmd('silent! checktime')`, after: `vim.cmd('silent! checktime')`},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				e, _, path := person(t, binary, numbered(60))
				e.Lua(nil, `vim.o.autoread = true CURSOR = {30, 2} vim.fn.winrestview({lnum = 30, col = 2, topline = 20})`)
				sync(t, e, path)
				write(t, path, "top\nmore\n"+numbered(60))
				e.Lua(nil, test.before)
				sync(t, e, path)
				e.Lua(nil, test.after)
				if got := sync(t, e, path); len(got.Buffers) != 1 || !is(got.Buffers[0], reload.Unchanged) {
					t.Errorf("afterwards: got %+v", got)
				}
				if test.before == "" {
					waitFor(t, e, `return vim.api.nvim_get_current_line() .. ' ' .. vim.fn.getline('w0')`, "line 30 line 20")
				}
				quiet(t, e, 1, path)
			})
		}
	})
}

// TestForeignBuffersAreReloadedByNeovim: the text of an archive is not its bytes.
func TestForeignBuffersAreReloadedByNeovim(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		home := nvimtest.NewHome(t)
		e := home.Start(t, binary)
		path := home.Write(t, "file.secret", "abc\n")
		e.Lua(nil, `
			WRITTEN = 0
			vim.cmd([[
				autocmd BufReadCmd *.secret execute '0read' fnameescape(expand('<amatch>')) | $delete _ | silent %s/.*/\U&/ | set nomodified
				autocmd BufWriteCmd *.secret lua WRITTEN = WRITTEN + 1
			]])
			vim.o.hidden = true`)
		e.Edit(path)
		write(t, path, "abcdef\nghi\n")
		if got := sync(t, e, path); len(got.Buffers) != 1 || got.Buffers[0].State != reload.Reloaded {
			t.Errorf("got %+v", got)
		}
		if got := strings.Join(e.Lines(path), " "); got != "ABCDEF GHI" {
			t.Errorf("text %q", got)
		}
		waitFor(t, e, `return tostring(WRITTEN)`, "0")
	})
}

// TestTextAlteredOnRead: an autocommand changed the text after it was read, which
// leaves no trace in 'modified'. Reading the bytes again would undo its work.
func TestTextAlteredOnRead(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		for _, runtime := range []string{"before the autocommand", "before the read", "after the read"} {
			home := nvimtest.NewHome(t)
			e := home.Start(t, binary)
			arrives := func(when string) {
				if runtime == when {
					sync(t, e, "/nowhere")
				}
			}
			arrives("before the autocommand")
			e.Command(`autocmd BufReadPost *.txt silent %s/.*/\U&/`)
			arrives("before the read")
			path := home.Write(t, "file.txt", "abc\n")
			// Of a file as young as its reading, who came later can only look at the bytes.
			old := time.Now().Add(-time.Minute)
			check(t, os.Chtimes(path, old, old))
			e.Edit(path)
			e.Lua(nil, `vim.wait(30)`)
			all, err := reload.Changed(dial(t, e.Address), say)
			check(t, err)
			if got := strings.Join(e.Lines(path), " "); got != "ABC" || len(all.Buffers) > 0 {
				t.Errorf("runtime %s: nothing changed, but: %q, %+v", runtime, got, all)
			}
			if runtime == "after the read" {
				continue // what came before us is Neovim's secret
			}
			write(t, path, "abcdef\n")
			sync(t, e, path)
			if got := strings.Join(e.Lines(path), " "); got != "ABCDEF" {
				t.Errorf("runtime %s: text %q", runtime, got)
			}
		}
	})
}

// TestLargeFileWithoutAWholeLook holds the fast way: what the runtime knows of a
// buffer decides, and where that is not enough the lines are compared.
func TestLargeFileWithoutAWholeLook(t *testing.T) {
	before := numbered(30000)
	after := strings.Replace(before, "line 20000\n", "twenty thousand\n", 1)
	for name, test := range map[string]struct {
		told   bool   // Neovim was told of the text before the edit
		meddle string // Lua, before the edit
		whole  bool   // the buffer's lines are fetched
	}{
		"told":                          {told: true},
		"not told":                      {whole: true},
		"told, but typed and undone":    {told: true, meddle: `vim.cmd('normal! x') vim.cmd('silent undo')`, whole: true},
		"told, but the buffer is older": {told: true, meddle: `vim.fn.writefile(vim.fn.readfile(vim.api.nvim_buf_get_name(0)), vim.api.nvim_buf_get_name(0)) vim.wait(30)`, whole: true},
	} {
		t.Run(name, func(t *testing.T) {
			nvimtest.Each(t, func(t *testing.T, binary string) {
				t.Parallel()
				home := nvimtest.NewHome(t)
				e := home.Start(t, binary)
				sync(t, e, "/nowhere") // brings the runtime
				path := home.Write(t, "file.txt", before)
				e.Lua(nil, `vim.wait(30)`)
				e.Edit(path)
				e.Lua(nil, `
					FETCHED = 0
					local rpc = require('_sidekick.reload').rpc
					local lines = rpc.lines
					rpc.lines = function(...) FETCHED = FETCHED + 1 return lines(...) end`)
				e.Lua(nil, test.meddle)
				names := []string{path}
				if test.told {
					check(t, reload.BeforeEdit(names).Tell(dial(t, e.Address)))
				}
				write(t, path, after)
				result := run(t, e, &reload.Request{Names: names, Before: &before, Say: say})
				if len(result.Buffers) != 1 || result.Buffers[0].State != reload.Reloaded {
					t.Fatalf("got %+v", result)
				}
				lines := result.Buffers[0].Lines
				if lines != 1 && lines != caughtUp {
					t.Errorf("%d lines changed", lines)
				}
				if got := strings.Join(e.Lines(path), "\n") + "\n"; got != after {
					t.Error("the buffer is not the file")
				}
				var fetched int
				e.Lua(&fetched, `return FETCHED`)
				if (fetched > 0) != test.whole && lines != caughtUp {
					t.Errorf("%d pages of lines were fetched", fetched)
				}
				quiet(t, e, 1, path)
			})
		})
	}
}
