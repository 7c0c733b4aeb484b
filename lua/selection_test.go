package lua_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"sidekick/internal/nvim"
	"sidekick/internal/nvim/nvimtest"
)

// loadRuntime gives the runtime to an editor as the hook does.
func loadRuntime(t *testing.T, e *nvimtest.Editor) {
	t.Helper()
	take(t, e)
}

type selection struct {
	Name     string   `msgpack:"name"`
	Mode     string   `msgpack:"mode"`
	Live     bool     `msgpack:"live"`
	Modified bool     `msgpack:"modified"`
	Changed  bool     `msgpack:"changed"`
	First    int      `msgpack:"first"`
	Last     int      `msgpack:"last"`
	FirstCol int      `msgpack:"first_col"`
	LastCol  int      `msgpack:"last_col"`
	Lines    []string `msgpack:"lines"`
	Cut      bool     `msgpack:"cut"`
}

// take asks for the selection as the hook does.
func take(t *testing.T, e *nvimtest.Editor) []selection {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	c, err := nvim.Dial(ctx, e.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := nvim.Call[struct {
		Selections []selection `msgpack:"selections"`
	}](c, "selection.take", map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Selections
}

// The text of a region is what a yank of it takes, for any text, both corners
// and every mode: the editor itself is the oracle.
func TestRegionIsWhatAYankTakes(t *testing.T) {
	const compare = `
		local region = require('_sidekick.region')
		local pieces = { 'a', 'bc', ' ', '\t', 'é', '漢', 'e\204\129', '🙂', '\1', '\195', '\0', 'x', '.' }
		math.randomseed(7)
		local function line()
			local parts = {}
			for _ = 1, math.random(0, 12) do table.insert(parts, pieces[math.random(#pieces)]) end
			return table.concat(parts)
		end
		local wrong = {}
		for round = 1, 1500 do
			local lines = {}
			for _ = 1, math.random(1, 5) do table.insert(lines, line()) end
			vim.api.nvim_buf_set_lines(0, 0, -1, true, lines)
			vim.bo.tabstop = math.random(2, 8)
			vim.o.selection = ({ 'inclusive', 'exclusive', 'old' })[math.random(3)]
			local mode = ({ 'v', 'V', '\22' })[math.random(3)]
			local function jump()
				local row = math.random(#lines)
				vim.fn.cursor(row, math.random(#lines[row] + 1))
			end
			jump()
			vim.cmd('normal! ' .. mode)
			jump()
			local to_end = math.random(4) == 1
			if to_end then vim.cmd('normal! $') end
			local got
			local function capture()
				local pos = function(e) local p = vim.fn.getpos(e) return { row = p[2], col = p[3], off = p[4] } end
				local from, to = pos('v'), pos('.')
				if from.row > to.row or (from.row == to.row and from.col > to.col) then from, to = to, from end
				got = region.read(0, {
					mode = mode == '\22' and 'b' or mode, from = from, to = to,
					to_end = mode == '\22' and to_end, exclusive = vim.o.selection == 'exclusive',
				}, { lines = 100, bytes = 100000 })
			end
			capture()
			vim.cmd('silent normal! y')
			local want = vim.fn.getreg('"', 1, true)
			local function trim(list)
				local out = {}
				for i, l in ipairs(list) do out[i] = mode == '\22' and l:gsub(' +$', '') or l end
				-- A yank up to a line's end has that line break, and an empty line after it.
				while mode == 'v' and #out > 1 and out[#out] == '' do table.remove(out) end
				return out
			end
			if not vim.deep_equal(trim(got.lines), trim(want)) then
				table.insert(wrong, vim.inspect({ round, mode, vim.o.selection, to_end, lines = lines, ts = vim.bo.tabstop,
					got = got, want = want }))
				if #wrong == 3 then break end
			end
		end
		return wrong`
	nvimtest.Each(t, func(t *testing.T, binary string) {
		e := nvimtest.NewHome(t).Start(t, binary)
		loadRuntime(t, e)
		e.Lua(nil, `vim.o.undolevels = -1`)
		var wrong []string
		e.Lua(&wrong, compare)
		for _, w := range wrong {
			t.Error(w)
		}
	})
}

func TestSelections(t *testing.T) {
	text := "one two\nthree\n\tfour é five\nsix\n"
	whole := func(first, last int, lines ...string) selection {
		return selection{Mode: "V", First: first, Last: last, Lines: lines}
	}
	live := func(s selection) selection { s.Live = true; return s }
	tests := []struct {
		name string
		keys []string // one prompt after each
		want [][]selection
	}{
		{"never anything", []string{"gg"}, [][]selection{{}}},
		{"live lines", []string{"ggVj"}, [][]selection{{live(whole(1, 2, "one two", "three"))}}},
		{"live lines, upwards", []string{"2GVk"}, [][]selection{{live(whole(1, 2, "one two", "three"))}}},
		{"live, twice", []string{"ggVj", ""}, [][]selection{{live(whole(1, 2, "one two", "three"))}, {}}},
		{"live, then ended", []string{"ggVj", "<Esc>"}, [][]selection{{live(whole(1, 2, "one two", "three"))}, {}}},
		{
			"live, then made larger",
			[]string{"ggV", "j"},
			[][]selection{{live(whole(1, 1, "one two"))}, {live(whole(1, 2, "one two", "three"))}},
		},
		{"ended, once", []string{"ggVj<Esc>", ""}, [][]selection{{whole(1, 2, "one two", "three")}, {}}},
		{"yanked", []string{"ggVy"}, [][]selection{{whole(1, 1, "one two")}}},
		{"the same again", []string{"ggV<Esc>", "gv"}, [][]selection{{whole(1, 1, "one two")}, {live(whole(1, 1, "one two"))}}},
		{"the last of two", []string{"ggV<Esc>jV<Esc>"}, [][]selection{{whole(2, 2, "three")}}},
		{"deleted", []string{"ggVd"}, [][]selection{{}}},
		{"changed", []string{"ggviwcX<Esc>"}, [][]selection{{}}},
		{"appended to a block", []string{"gg<C-v>j$Aq<Esc>"}, [][]selection{{}}},
		{"shifted", []string{"ggV>"}, [][]selection{{}}},
		{
			"characters",
			[]string{"ggwviw<Esc>"},
			[][]selection{{{Mode: "v", First: 1, Last: 1, FirstCol: 5, LastCol: 7, Lines: []string{"two"}}}},
		},
		{
			"characters after a tab and a wide one",
			[]string{"3Gfévfi<Esc>"},
			[][]selection{{{Mode: "v", First: 3, Last: 3, FirstCol: 7, LastCol: 10, Lines: []string{"é fi"}}}},
		},
		{
			"characters that are whole lines",
			[]string{"gg0vj$<Esc>"},
			[][]selection{{whole(1, 2, "one two", "three")}},
		},
		{
			"a block",
			[]string{"gg0l<C-v>jl<Esc>"},
			[][]selection{{{Mode: "b", First: 1, Last: 2, FirstCol: 2, LastCol: 3, Lines: []string{"ne", "hr"}}}},
		},
		{
			"a block to the end",
			[]string{"gg0l<C-v>j$"},
			[][]selection{{live(selection{Mode: "b", First: 1, Last: 2, FirstCol: 2, Lines: []string{"ne two", "hree"}})}},
		},
		{
			"a block to the end, ended",
			[]string{"gg0l<C-v>j$<Esc>"},
			[][]selection{{{Mode: "b", First: 1, Last: 2, FirstCol: 2, Lines: []string{"ne two", "hree"}}}},
		},
		{
			"lines inserted above",
			[]string{"2GV<Esc>ggOnew<Esc>"},
			[][]selection{{{Mode: "V", First: 3, Last: 3, Lines: []string{"three"}, Modified: true}}},
		},
		{
			"edited afterwards",
			[]string{"2GV<Esc>xx"},
			[][]selection{{{Mode: "V", First: 2, Last: 2, Lines: []string{"three"}, Modified: true, Changed: true}}},
		},
		{"in another window", []string{"ggV<C-w>w"}, [][]selection{{whole(1, 1, "one two")}}},
	}
	nvimtest.Each(t, func(t *testing.T, binary string) {
		h := nvimtest.NewHome(t)
		e := h.Start(t, binary)
		path := h.Write(t, "file.txt", text)
		other := h.Write(t, "other.txt", "other\n")
		loadRuntime(t, e)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				press(t, e, "<C-\\><C-n>")
				e.Lua(nil, `
					local path, other = ...
					vim.cmd('only | edit! ' .. path)
					vim.cmd('split ' .. other .. ' | wincmd p')
					-- Marks of another day.
					vim.fn.setpos("'<", {0, 4, 1, 0})
					vim.fn.setpos("'>", {0, 4, 2, 0})`, path, other)
				take(t, e)
				for i, keys := range test.keys {
					press(t, e, keys)
					want := test.want[i]
					for j := range want {
						want[j].Name = path
					}
					if diff := cmp.Diff(want, take(t, e), cmpopts.EquateEmpty()); diff != "" {
						t.Errorf("after %q (-want +got):\n%s", keys, diff)
					}
				}
			})
		}
	})
}

// press types keys and waits until the editor has read them.
func press(t *testing.T, e *nvimtest.Editor, keys string) {
	t.Helper()
	e.Lua(nil, `vim.api.nvim_input(...)`, keys)
	nvimtest.Eventually(t, "keys are read", func() error {
		var left int
		if e.Lua(&left, `return vim.fn.getchar(1)`); left != 0 {
			return fmt.Errorf("key %d is next", left)
		}
		return nil
	})
}
