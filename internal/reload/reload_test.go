package reload_test

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/reload"
)

var say = reload.Say{One: "%s: 1 line changed by Claude", Many: "%s: %d lines changed by Claude", Deleted: "%s was deleted"}

func dial(t testing.TB, address string) *nvim.Client {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	client, err := nvim.Dial(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// caughtUp stands for the number of changed lines where nobody counted them.
const caughtUp = -1

// is reports whether want became of b, as far as that was seen.
func is(b reload.Buffer, want reload.State) bool {
	return b.State == want || b.Lines == caughtUp && want == reload.Unchanged
}

// sync runs the reload of path as the hook does.
func sync(t testing.TB, e *nvimtest.Editor, path string) reload.Result {
	t.Helper()
	return run(t, e, &reload.Request{Names: []string{path}, Say: say})
}

// run asks until Neovim is free. On a loaded machine one can look blocked, and
// bring the buffer in line by itself before it is asked again.
func run(t testing.TB, e *nvimtest.Editor, request *reload.Request) (result reload.Result) {
	t.Helper()
	blocked := false
	nvimtest.Eventually(t, "neovim is free", func() (err error) {
		result, err = reload.File(dial(t, e.Address), request)
		if err == nil && result.Blocked {
			blocked = true
			err = errors.New("blocked")
		}
		return err
	})
	for i, b := range result.Buffers {
		if blocked && b.State == reload.Unchanged {
			result.Buffers[i].State, result.Buffers[i].Lines = reload.Reloaded, caughtUp
		}
	}
	return result
}

// text is all that |:edit| would set of a buffer.
type text struct {
	Lines    []string `msgpack:"lines"`
	FF       string   `msgpack:"ff"`
	Fenc     string   `msgpack:"fenc"`
	Bomb     bool     `msgpack:"bomb"`
	EOL      bool     `msgpack:"eol"`
	Modified bool     `msgpack:"modified"`
	Empty    bool     `msgpack:"empty"`
}

const textOf = `
	local b = ...
	return vim.api.nvim_buf_call(b, function() return {
		lines = vim.tbl_map(function(l) return (l:gsub('%z', '<NUL>')) end, vim.api.nvim_buf_get_lines(b, 0, -1, false)),
		ff = vim.bo.ff, fenc = vim.bo.fenc, bomb = vim.bo.bomb, eol = vim.bo.eol,
		modified = vim.bo.modified, empty = vim.fn.wordcount().bytes == 0,
	} end)`

func tickOf(e *nvimtest.Editor) (tick int) {
	e.Lua(&tick, `return vim.api.nvim_buf_get_changedtick(1)`)
	return tick
}

func bufferText(e *nvimtest.Editor, buf int) (b text) {
	e.Lua(&b, textOf, buf)
	return b
}

// freshText is what fresh, a Neovim that has not seen the file, makes of it.
func freshText(fresh *nvimtest.Editor, path string) text {
	fresh.Edit(path)
	var buf int
	fresh.Lua(&buf, `return vim.api.nvim_get_current_buf()`)
	return bufferText(fresh, buf)
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// quiet fails where Neovim does not believe that the buffer is the file: where
// :checktime or :w would ask, warn or do anything.
func quiet(t *testing.T, e *nvimtest.Editor, buf int, path string) {
	t.Helper()
	disk, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Ticks    int    `msgpack:"ticks"`
		Messages string `msgpack:"messages"`
		Error    string `msgpack:"error"`
	}
	e.Lua(&got, `
		local b = ...
		vim.o.autoread = true
		vim.cmd('messages clear')
		local before = vim.api.nvim_buf_get_changedtick(b)
		vim.cmd('checktime ' .. b)
		local ticks = vim.api.nvim_buf_get_changedtick(b) - before
		local ok, err = pcall(vim.api.nvim_buf_call, b, function()
			-- A bang would hide the question; an answer of "no" makes it an error.
			vim.fn.feedkeys('n', 't')
			vim.bo.readonly, vim.bo.fixeol = false, false
			vim.cmd('write')
		end)
		vim.fn.getchar(0)
		return {ticks = ticks, error = ok and '' or err, messages = vim.fn.execute('messages')}`, buf)
	if got.Ticks != 0 {
		t.Errorf(":checktime changed the buffer")
	}
	if got.Error != "" || strings.Contains(got.Messages, "WARNING") {
		t.Errorf(":write objects: %s %s", got.Error, got.Messages)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(disk), string(after)); diff != "" {
		t.Errorf("written text (-disk before +after):\n%s", diff)
	}
}

// kinds of files: what the file holds before and after the agent.
var kinds = []struct {
	name          string
	before, after string
}{
	{"a line changed", "one\ntwo\nthree\n", "one\nTWO\nthree\n"},
	{"lines put in and taken out", numbered(40), "top\n" + strings.Replace(numbered(40), "line 20\nline 21\n", "", 1) + "end\n"},
	{"nothing in common", numbered(40), "completely\ndifferent\n"},
	{"equal", "one\ntwo\n", "one\ntwo\n"},
	{"dos", "one\r\ntwo\r\n", "one\r\nTWO\r\nthree\r\n"},
	{"unix to dos", "one\ntwo\n", "one\r\ntwo\r\n"},
	{"dos to unix", "one\r\ntwo\r\n", "one\nTWO\n"},
	{"mixed line ends", "one\r\ntwo\r\n", "one\r\nTWO\nthree\r\n"},
	{"mac", "one\ntwo\n", "one\rtwo\r"},
	{"final newline lost", "one\ntwo\n", "one\ntwo"},
	{"final newline gained", "one\ntwo", "one\ntwo\n"},
	{"no final newline, changed", "one\ntwo", "one\nTWO"},
	{"byte order mark", "\ufeffone\ntwo\n", "\ufeffone\nTWO\n"},
	{"byte order mark gained", "one\n", "\ufeffone\n"},
	{"byte order mark lost", "\ufeffone\n", "one\n"},
	{"latin1", "caf\xe9\ntwo\n", "caf\xe9\nTWO\nth\xe9\n"},
	{"latin1 to utf-8", "caf\xe9\ntwo\n", "café\ntwo\n"},
	{"utf-8 to latin1", "café\ntwo\n", "caf\xe9\ntwo\n"},
	{"utf-16", "\xff\xfea\x00\n\x00", "\xff\xfea\x00\n\x00b\x00\n\x00"},
	{"multibyte", "αβγ\n日本語\n", "αδγ\n日本人語\n"},
	{"NUL bytes", "a\x00b\ntwo\n", "a\x00c\nTWO\x00\n"},
	{"NUL bytes gained", "one\ntwo\n", "o\x00ne\ntwo\n"},
	{"emptied", "one\ntwo\n", ""},
	{"was empty", "", "one\ntwo\n"},
	{"one empty line to empty", "\n", ""},
	{"empty to one empty line", "", "\n"},
	{"one line to one empty line", "one\n", "\n"},
	{"large, few lines changed", numbered(20000), strings.Replace(strings.Replace(numbered(20000), "line 7\n", "seven\n", 1), "line 19000\n", "a\nb\n", 1)},
	{"large, all lines changed", numbered(20000), strings.ReplaceAll(numbered(20000), "line", "text")},
	{"large, half of it changed", numbered(20000), strings.ReplaceAll(numbered(11000), "line", "text") + strings.TrimPrefix(numbered(20000), numbered(11000))},
	{"large, dos", strings.ReplaceAll(numbered(20000), "\n", "\r\n"), strings.ReplaceAll(numbered(20000), "\n", "!\r\n")},
	{"large, no final newline", strings.TrimSuffix(numbered(20000), "\n"), strings.Replace(numbered(20000), "line 5\n", "", 1)},
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("line ")

		b.WriteString(strconv.Itoa(i + 1))
		b.WriteByte('\n')
	}
	return b.String()
}

// states are those of the buffer and the person, set up before the file changes.
var states = []struct {
	name  string
	setup string // Lua, with the file's path; the file is in the current window
}{
	{"plain", ``},
	{"shown twice and in another tab", `vim.cmd('split') vim.cmd('tabnew') vim.cmd('edit ' .. vim.fn.fnameescape(...))`},
	{"hidden", `vim.o.hidden = true vim.cmd('enew')`},
	{"in another tab", `vim.cmd('tabnew')`},
	{"in another window", `vim.cmd('new')`},
	{"readonly", `vim.bo.readonly = true`},
	{"nomodifiable", `vim.bo.modifiable = false`},
	{"diff mode", `vim.cmd('diffthis') vim.cmd('vnew') vim.cmd('diffthis')`},
	{"noautoread", `vim.o.autoread = false`},
	{"no swap file", `vim.bo.swapfile = false`},
	{"events ignored", `vim.o.eventignore = 'all'`},
	{"nofixeol", `vim.bo.fixeol = false`},
	{"undofile", `vim.bo.undofile = true`},
	{"foldmethod=indent", `vim.wo.foldmethod = 'indent'`},
}

func TestBufferIsTheFile(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for _, kind := range kinds {
			t.Run(kind.name, func(t *testing.T) {
				t.Parallel()
				home := nvimtest.NewHome(t)
				e, fresh := home.Start(t, binary), home.Start(t, binary, "-n")
				for i, state := range states {
					if i > 3 && len(kind.before) > 10000 {
						continue
					}
					path := home.Write(t, strconv.Itoa(i)+"/a file%.txt", kind.before)
					e.Command("tabonly | only | set autoread hidden eventignore=")
					e.Edit(path)
					e.Lua(nil, state.setup, path)
					var buf int
					e.Lua(&buf, `return vim.fn.bufnr(vim.fn.fnameescape(...))`, path)
					write(t, path, kind.after)
					result := sync(t, e, path)
					want := reload.Reloaded
					if kind.before == kind.after {
						want = reload.Unchanged
					}
					if len(result.Buffers) != 1 || !is(result.Buffers[0], want) {
						t.Errorf("%s: got %+v, want %s", state.name, result, want)
					}
					if diff := cmp.Diff(freshText(fresh, path), bufferText(e, buf)); diff != "" {
						t.Errorf("%s: buffer (-fresh :edit +reloaded):\n%.1000s", state.name, diff)
					}
					e.Command("set eventignore=")
					quiet(t, e, buf, path)
				}
			})
		}
	})
}
