package reload_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/reload"
)

// place is where a person is and what they left in a buffer, told by the text of
// the lines, not by their numbers.
type place struct {
	Windows  []string `msgpack:"windows"` // top line, cursor line, column, wanted column
	Marks    []string `msgpack:"marks"`
	Extmarks []string `msgpack:"extmarks"`
	Jumps    []string `msgpack:"jumps"`
	Changes  []string `msgpack:"changes"`
	Folds    []string `msgpack:"folds"` // closed ones: first and last line
}

const placeOf = `
	local b = ...
	local function text(lnum) return vim.api.nvim_buf_get_lines(b, lnum - 1, lnum, false)[1] or '-' end
	local p = {windows = {}, marks = {}, extmarks = {}, jumps = {}, changes = {}, folds = {}}
	local wins = vim.fn.win_findbuf(b)
	table.sort(wins)
	for _, win in ipairs(wins) do
		vim.api.nvim_win_call(win, function()
			local v = vim.fn.winsaveview()
			table.insert(p.windows, table.concat({text(v.topline), text(v.lnum), v.col, v.curswant}, '|'))
			local l, last = 1, vim.fn.line('$')
			while l <= last do
				if vim.fn.foldclosed(l) == l then
					table.insert(p.folds, text(l) .. '..' .. text(vim.fn.foldclosedend(l)))
					l = vim.fn.foldclosedend(l)
				end
				l = l + 1
			end
			for _, j in ipairs(vim.fn.getjumplist()[1]) do
				if j.bufnr == b then table.insert(p.jumps, text(j.lnum)) end
			end
		end)
	end
	for _, m in ipairs(vim.fn.getmarklist(b)) do
		if m.mark:find("^'%a$") then table.insert(p.marks, m.mark .. text(m.pos[2]) .. ':' .. m.pos[3]) end
	end
	table.insert(p.marks, 'last change ' .. text(vim.api.nvim_buf_get_mark(b, '.')[1]))
	for _, m in ipairs(vim.api.nvim_buf_get_extmarks(b, vim.api.nvim_create_namespace('test'), 0, -1, {})) do
		table.insert(p.extmarks, text(m[2] + 1) .. ':' .. m[3])
	end
	for _, c in ipairs(vim.fn.getchangelist(b)[1]) do table.insert(p.changes, text(c.lnum)) end
	return p`

func placeIn(e *nvimtest.Editor, buf int) (p place) {
	e.Lua(&p, placeOf, buf)
	return p
}

// settleIn leaves traces of a person in the current buffer: two of their changes,
// three windows in two tab pages, marks, extmarks, folds and jumps.
const settleIn = `
	vim.o.undolevels = vim.o.undolevels
	vim.api.nvim_buf_set_lines(0, 39, 40, true, {'typed first'})
	vim.o.undolevels = vim.o.undolevels
	vim.cmd('normal! 60Gcctyped second')
	vim.cmd('silent write')
	local ns = vim.api.nvim_create_namespace('test')
	for _, l in ipairs({1, 20, 45, 60, 80, 100}) do
		vim.api.nvim_buf_set_extmark(0, ns, l - 1, 2, {virt_text = {{'sign', 'Comment'}}})
	end
	for mark, l in pairs({a = 10, b = 45, c = 90}) do vim.fn.setpos("'" .. mark, {0, l, 3, 0}) end
	vim.wo.foldmethod = 'manual'
	vim.cmd('70,75fold')
	vim.cmd('normal! 12G')
	vim.cmd('normal! 88G')
	vim.cmd('normal! 25G')
	vim.cmd('split')
	vim.cmd('setlocal foldmethod=manual')
	vim.fn.winrestview({lnum = 55, col = 3, topline = 50, curswant = 20})
	vim.cmd('tab split')
	vim.fn.winrestview({lnum = 95, col = 1, topline = 92})
	vim.cmd('tabprevious')
	vim.cmd('wincmd p')`

// agentEdit changes lines that nothing of settleIn lies on.
func agentEdit(text string) string {
	lines := strings.Split(text, "\n")
	lines = slices.Replace(lines, 82, 84, "one for two") // 83, 84
	lines[65] += " changed"
	lines = slices.Insert(lines, 29, "new a", "new b")
	lines = slices.Insert(lines, 0, "top 1", "top 2", "top 3", "top 4", "top 5")
	return strings.Join(lines, "\n")
}

func TestPlaceAndUndoAreKept(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for name, length := range map[string]int{"small": 120, "large": 20000} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				home := nvimtest.NewHome(t)
				e := home.Start(t, binary)
				path := home.Write(t, "file.txt", numbered(length))
				e.Command("set hidden lines=40 columns=100")
				e.Edit(path)
				e.Lua(nil, settleIn)
				before, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				had := placeIn(e, 1)
				if len(had.Windows) != 3 || len(had.Folds) == 0 || len(had.Jumps) < 3 || len(had.Changes) < 2 {
					t.Fatalf("the test left too little: %+v", had)
				}
				after := agentEdit(string(before))
				write(t, path, after)
				got := sync(t, e, path).Buffers
				if len(got) != 1 || got[0].State != reload.Reloaded || got[0].Lines != 10 && got[0].Lines != caughtUp {
					t.Fatalf("got %+v", got)
				}
				if diff := cmp.Diff(had, placeIn(e, 1)); diff != "" {
					t.Errorf("the person's place (-before +after):\n%s", diff)
				}
				checkUndo(t, e, string(before), after)
			})
		}
	})
}

// checkUndo walks through the undo history of settleIn and one reload.
func checkUndo(t *testing.T, e *nvimtest.Editor, before, after string) {
	t.Helper()
	first := strings.Replace(before, "typed second\n", "line 60\n", 1)
	original := strings.Replace(first, "typed first\n", "line 40\n", 1)
	for _, step := range []struct {
		command, text string
		modified      bool
	}{
		{"undo", before, true},
		{"redo", after, false},
		{"undo", before, true},
		{"undo", first, true},
		{"undo", original, true},
		{"silent! undo", original, true},
		{"redo | redo | redo", after, false},
	} {
		e.Command(step.command)
		got := bufferText(e, 1)
		if text := strings.Join(got.Lines, "\n") + "\n"; text != step.text {
			t.Fatalf("after :%s (-want +got):\n%.600s", step.command, cmp.Diff(step.text, text))
		}
		if got.Modified != step.modified {
			t.Errorf("after :%s 'modified' is %v", step.command, got.Modified)
		}
	}
}
