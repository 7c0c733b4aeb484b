package reload_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"sidekick/internal/nvim/nvimtest"
)

func TestMain(m *testing.M) {
	nvimtest.ServeLSP() // as a language server of a test's Neovim
	os.Exit(m.Run())
}

// every returns n numbered lines, of which every step-th is another and the last
// is an error.
func every(n, step int) string {
	lines := strings.Split(strings.TrimSuffix(numbered(n), "\n"), "\n")
	for i := step - 1; i < n; i += step {
		lines[i] += " changed"
	}
	lines[n-1] += " BAD"
	return strings.Join(lines, "\n") + "\n"
}

// A language client looks at the whole buffer after each change. What it sees
// must be true, whatever the number of hunks, and must not keep the person.
func TestLanguageServerFollows(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for _, test := range []struct {
			name        string
			lines, step int
			most        int  // changes that a listener may see
			mark        bool // on an untouched line it must follow its text
			extmark     bool // likewise
		}{
			{"a few hunks", 200, 50, 6, true, true},
			{"many hunks in a small file", 2000, 10, 202, true, true},
			{"many hunks in a large file", 20_000, 10, 520, true, false},
			{"one hunk of many lines", 20_000, 1, 520, false, false},
		} {
			t.Run(test.name, func(t *testing.T) {
				home := nvimtest.NewHome(t)
				e := home.Start(t, binary, "--cmd", "set noswapfile")
				path := home.Write(t, "notes.txt", numbered(test.lines))
				e.Edit(path)
				e.AttachLSP(0)
				middle := test.lines/2 + 5
				e.Lua(nil, `
					local middle = ...
					CHANGES, NS = 0, vim.api.nvim_create_namespace('test')
					vim.api.nvim_buf_attach(0, false, {
						on_lines = function() CHANGES = CHANGES + 1 end,
						on_detach = function() CHANGES = 1e9 end,
						on_reload = function() CHANGES = 1e9 end,
					})
					vim.api.nvim_buf_set_mark(0, 'm', middle, 2, {})
					MARK = vim.api.nvim_buf_set_extmark(0, NS, middle - 1, 0, {})
					vim.api.nvim_win_set_cursor(0, {middle, 3})`, middle)
				text, moved := every(test.lines, test.step), 0
				if test.step > 1 {
					text, moved = "top\n"+text, 1
				}
				write(t, path, text)
				sync(t, e, path)
				if got := strings.Join(e.Lines(path), "\n") + "\n"; got != text {
					t.Fatal("the buffer is not the file")
				}
				var got struct {
					Changes int   `msgpack:"changes"`
					Mark    []int `msgpack:"mark"`
					Extmark []int `msgpack:"extmark"`
					Cursor  []int `msgpack:"cursor"`
				}
				e.Lua(&got, `return {
					changes = CHANGES, mark = vim.api.nvim_buf_get_mark(0, 'm'),
					extmark = vim.api.nvim_buf_get_extmark_by_id(0, NS, MARK, {}), cursor = vim.api.nvim_win_get_cursor(0),
				}`)
				if got.Changes > test.most {
					t.Errorf("listeners saw %d changes", got.Changes)
				}
				if want := fmt.Sprint([]int{middle + moved, 2}); test.mark && fmt.Sprint(got.Mark) != want {
					t.Errorf("mark at %v, want %s", got.Mark, want)
				}
				if want := fmt.Sprint([]int{middle + moved, 3}); fmt.Sprint(got.Cursor) != want {
					t.Errorf("cursor at %v, want %s", got.Cursor, want)
				}
				if want := fmt.Sprint([]int{middle - 1 + moved, 0}); test.extmark && fmt.Sprint(got.Extmark) != want {
					t.Errorf("extmark at %v, want %s", got.Extmark, want)
				}
				// The server knows the text: it names the line that is wrong in it.
				waitFor(t, e, `
					local lines = {}
					for _, d in ipairs(vim.diagnostic.get(0)) do
						table.insert(lines, d.lnum + 1)
					end
					return table.concat(lines, ' ')`, strconv.Itoa(test.lines+moved))
				e.Command("undo")
				if got := strings.Join(e.Lines(path), "\n") + "\n"; got != numbered(test.lines) {
					t.Error("one undo does not bring back the text before")
				}
			})
		}
	})
}
