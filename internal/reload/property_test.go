package reload_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/reload"
)

// TestAnyEdit reloads random edits of random texts in one buffer after another.
// Afterwards the buffer is the file; cursors, marks and extmarks of every line
// that the edit left alone are on that line; and undo walks back through exactly
// the earlier texts.
//
// SIDEKICK_ROUNDS sets how many texts each Neovim gets, SIDEKICK_SEED which.
func TestAnyEdit(t *testing.T) {
	rounds, seed := env(t, "SIDEKICK_ROUNDS", 25), env(t, "SIDEKICK_SEED", 1)
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		home := nvimtest.NewHome(t)
		e := home.Start(t, binary, "-n")
		e.Command("set hidden lines=30 columns=80")
		for round := range rounds {
			r := &randomEdit{
				Rand: rand.New(rand.NewPCG(uint64(seed), uint64(round))), e: e, t: t,
				path: home.Write(t, fmt.Sprintf("%d.txt", round), ""),
			}
			r.run()
			if t.Failed() {
				t.Fatalf("with SIDEKICK_SEED=%d, round %d", seed, round)
			}
		}
	})
}

func env(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

type randomEdit struct {
	*rand.Rand
	e    *nvimtest.Editor
	t    *testing.T
	path string
	next int // numbers lines, so that none occurs twice
}

func (r *randomEdit) lines(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		r.next++
		lines[i] = fmt.Sprintf("%d é %s", r.next, strings.Repeat("x", r.IntN(9)))
	}
	return lines
}

// change returns a with a few random changes.
func (r *randomEdit) change(a []string) []string {
	b := slices.Clone(a)
	for range 1 + r.IntN(5) {
		at := r.IntN(len(b) + 1)
		cut := r.IntN(min(4, len(b)-at) + 1)
		b = slices.Replace(b, at, at+cut, r.lines(r.IntN(4))...)
	}
	return b
}

func (r *randomEdit) write(lines []string) {
	write(r.t, r.path, strings.Join(lines, "\n")+"\n")
}

func (r *randomEdit) run() {
	text := r.lines(1 + r.IntN(80))
	r.write(text)
	r.e.Command("silent! tabonly | silent! only")
	r.e.Edit(r.path)
	history := [][]string{text}
	for range 1 + r.IntN(4) {
		if r.IntN(2) == 0 {
			text = r.typed(text)
		} else {
			text = r.reloaded(text)
		}
		if !slices.Equal(text, history[len(history)-1]) {
			history = append(history, text)
		}
	}
	r.undo(history)
	r.e.Command("silent undo 0 | set nomodified")
}

// typed changes the text as the person would, and writes it.
func (r *randomEdit) typed(before []string) []string {
	text := r.change(before)
	if len(text) == 0 {
		text = r.lines(1)
	}
	if slices.Equal(text, before) {
		return text // an undo step without a change
	}
	r.e.Lua(nil, `
		vim.o.undolevels = vim.o.undolevels
		vim.api.nvim_buf_set_lines(0, 0, -1, true, ...)
		vim.o.undolevels = vim.o.undolevels
		vim.cmd('silent write')`, text)
	return text
}

// plant leaves a person's traces in the current buffer: a cursor in each of two
// windows, marks, an extmark on every line, a closed fold.
const plant = `
	local cursors, fold = ...
	local ns = vim.api.nvim_create_namespace('property')
	vim.cmd('only | split')
	vim.api.nvim_buf_clear_namespace(0, ns, 0, -1)
	vim.cmd('delmarks a-z')
	for l = 1, vim.api.nvim_buf_line_count(0) do
		vim.api.nvim_buf_set_extmark(0, ns, l - 1, 1, {})
		if l <= 26 then vim.fn.setpos("'" .. string.char(96 + l), {0, l, 2, 0}) end
	end
	for i, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
		vim.api.nvim_win_call(win, function()
			vim.wo.foldmethod = 'manual'
			vim.cmd('normal! zE')
			vim.cmd(fold .. ',' .. math.min(fold + 2, vim.fn.line('$')) .. 'fold')
			vim.fn.winrestview({lnum = cursors[i], col = 2})
		end)
	end`

// trace is a thing that plant left: what it is, and the lines that it is on.
type trace struct {
	Kind  string   `msgpack:"kind"`
	Lines []string `msgpack:"lines"`
}

const harvest = `
	local traces = {}
	local function found(kind, first, last)
		table.insert(traces, {kind = kind, lines = vim.api.nvim_buf_get_lines(0, first - 1, last or first, false)})
	end
	local ns = vim.api.nvim_create_namespace('property')
	for i, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
		found('cursor ' .. i, vim.api.nvim_win_get_cursor(win)[1])
		vim.api.nvim_win_call(win, function()
			for l = 1, vim.fn.line('$') do
				if vim.fn.foldclosed(l) == l then found('fold ' .. i, l, vim.fn.foldclosedend(l)) end
			end
		end)
	end
	for _, m in ipairs(vim.fn.getmarklist(vim.api.nvim_get_current_buf())) do
		if m.mark:find("^'%l$") then found(m.mark, m.pos[2]) end
	end
	for _, m in ipairs(vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, {})) do
		found('extmark ' .. m[1], m[2] + 1)
	end
	return traces`

// reloaded lets the agent change the file, with the person's traces all over it.
func (r *randomEdit) reloaded(text []string) []string {
	after := r.change(text)
	if len(after) == 0 {
		after = r.lines(1)
	}
	r.e.Lua(nil, plant, []int{1 + r.IntN(len(text)), 1 + r.IntN(len(text))}, 1+r.IntN(len(text)))
	var had, has []trace
	r.e.Lua(&had, harvest)
	r.write(after)
	if got := sync(r.t, r.e, r.path); len(got.Buffers) != 1 || got.Buffers[0].State == reload.Failed {
		r.t.Fatalf("got %+v", got)
	}
	r.same(after)
	r.e.Lua(&has, harvest)
	for _, planted := range had {
		if !survives(planted, text, after) {
			continue
		}
		if !slices.ContainsFunc(has, func(t trace) bool { return cmp.Equal(t, planted) }) {
			r.t.Fatalf("the edit kept the lines of %v, but not it: %v\nbefore %q\nafter  %q", planted, has, text, after)
		}
	}
	return after
}

// survives reports whether the edit left the lines of a trace alone; of a fold,
// also the lines around it: 0.12 takes into a fold what is put in beside it.
func survives(t trace, before, after []string) bool {
	lines := t.Lines
	if strings.HasPrefix(t.Kind, "fold") {
		at := slices.Index(before, lines[0])
		lines = before[max(0, at-1):min(len(before), at+len(lines)+1)]
	}
	at := slices.Index(after, lines[0])
	return at >= 0 && at+len(lines) <= len(after) && slices.Equal(lines, after[at:at+len(lines)])
}

func (r *randomEdit) same(want []string) {
	r.t.Helper()
	if diff := cmp.Diff(want, r.e.Lines(r.path)); diff != "" {
		r.t.Fatalf("text (-want +got):\n%s", diff)
	}
}

// undo walks back to the first text and forward again.
func (r *randomEdit) undo(history [][]string) {
	r.t.Helper()
	r.same(history[len(history)-1])
	for i := len(history) - 2; i >= 0; i-- {
		r.e.Command("silent undo")
		r.same(history[i])
	}
	for _, text := range history[1:] {
		r.e.Command("silent redo")
		r.same(text)
	}
}
