package reload_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/reload"
)

const record = `
	EVENTS, ATTACHED = {}, {}
	for _, name in ipairs({'BufReadPre', 'BufReadPost', 'BufUnload', 'BufWritePre', 'BufWritePost', 'BufFilePre',
		'FileType', 'Syntax', 'OptionSet', 'BufModifiedSet', 'FileChangedShell', 'FileChangedShellPost', 'BufEnter', 'BufLeave', 'WinEnter'}) do
		vim.api.nvim_create_autocmd(name, {callback = function(a)
			if a.match ~= 'eventignore' then table.insert(EVENTS, name) end -- setting it back is not to be hidden
		end})
	end
	vim.api.nvim_create_autocmd('User', {pattern = 'SidekickBridge*', callback = function(a)
		local data = vim.g.sidekick_bridge_reload
		if vim.fn.has('nvim-0.8') == 1 then assert(vim.deep_equal(a.data, data)) end
		table.insert(EVENTS, a.match .. ' ' .. data.lines .. ' ' .. #data.hunks .. ' ' .. vim.fn.fnamemodify(data.file, ':t'))
	end})
	vim.api.nvim_buf_attach(0, false, {
		on_lines = function() table.insert(ATTACHED, 'lines') end,
		on_reload = function() table.insert(ATTACHED, 'reload') end,
		on_detach = function() table.insert(ATTACHED, 'detach') end,
	})`

func TestOthersAreTold(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		home := nvimtest.NewHome(t)
		e := home.Start(t, binary)
		path := home.Write(t, "main.go", numbered(30))
		e.Edit(path)
		e.Lua(nil, record)
		after := strings.Replace(strings.Replace(numbered(30), "line 3\n", "three\n", 1), "line 20\n", "", 1)
		write(t, path, after)
		sync(t, e, path)
		waitFor(t, e, `return table.concat(EVENTS, ', ')`, "FileChangedShellPost, SidekickBridgeReload 2 2 main.go")
		waitFor(t, e, `return table.concat(ATTACHED, ', ')`, "lines, lines")

		// Nothing to do: nothing happens.
		e.Lua(nil, `EVENTS, ATTACHED = {}, {}`)
		tick := tickOf(e)
		write(t, path, after)
		for range 3 {
			if got := sync(t, e, path); !is(got.Buffers[0], reload.Unchanged) {
				t.Errorf("got %+v", got)
			}
			e.Command("checktime")
		}
		e.Lua(nil, `vim.wait(20)`)
		waitFor(t, e, `return table.concat(EVENTS, ', ') .. table.concat(ATTACHED, ', ')`, "")
		if now := tickOf(e); now != tick {
			t.Errorf("changedtick went from %d to %d", tick, now)
		}
	})
}

func TestPersonSeesOneLineAndAMomentOfColour(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		e, term, path := person(t, binary, numbered(20))
		const coloured = `
			local lines = {}
			for _, m in ipairs(vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('SidekickBridgeFlash'), 0, -1, {details = true})) do
				table.insert(lines, m[2] + 1 .. '-' .. m[4].end_row)
			end
			return table.concat(lines, ' ')`
		write(t, path, strings.Replace(numbered(20), "line 5\nline 6\n", "5\n6\n7\n", 1))
		sync(t, e, path)
		term.WaitFor("notes.txt: 3 lines changed by Claude")
		waitFor(t, e, coloured, "") // and before that:
		e.Lua(nil, `vim.g.sidekick_bridge = {highlight_ms = 60000} vim.cmd('highlight clear')`)
		write(t, path, strings.Replace(numbered(20), "line 5\nline 6\n", "five\nsix\n", 1))
		sync(t, e, path)
		waitFor(t, e, coloured, "5-6")
		waitFor(t, e, `return vim.trim(vim.fn.execute('highlight SidekickBridgeChanged')):match('links to %w+')`, "links to DiffAdd")
		e.Lua(nil, `vim.g.sidekick_bridge = {highlight = false, message = false} vim.cmd('messages clear')
			vim.api.nvim_buf_clear_namespace(0, vim.api.nvim_create_namespace('SidekickBridgeFlash'), 0, -1)
			vim.g.sidekick_bridge_reload = nil`)
		write(t, path, "top\n"+numbered(20))
		sync(t, e, path)
		waitFor(t, e, `return tostring(vim.g.sidekick_bridge_reload and vim.g.sidekick_bridge_reload.lines)`, "3")
		waitFor(t, e, coloured+`.. vim.fn.execute('messages')`, "")
	})
}

// TestMessageNeverAsksForEnter shows the line in a screen too narrow for it.
func TestMessageNeverAsksForEnter(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		home := nvimtest.NewHome(t)
		path := home.Write(t, strings.Repeat("long-and-日本-", 12)+".txt", "line 1\n")
		address := home.NewAddress()
		term := home.Terminal(t, []string{binary, "--clean", "-n", "--listen", address, path})
		e := home.Attach(t, address)
		term.WaitFor("line 1")
		for i := range 4 {
			write(t, path, strings.Repeat("more\n", i+1)+"line 1\n")
			sync(t, e, path)
			waitFor(t, e, `return tostring(#vim.fn.execute('messages') > 10)`, "true")
			if mode, err := e.RPC.Mode(); err != nil || mode.Mode != "n" || mode.Blocking {
				t.Fatalf("mode %+v, %v:\n%s", mode, err, term.Screen())
			}
		}
		term.WaitFor("line changed by Claude")
	})
}

func TestDeletionIsSaidOnce(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		e, term, path := person(t, binary, numbered(5))
		check(t, os.Remove(path))
		sync(t, e, path)
		sync(t, e, path)
		term.WaitFor("notes.txt was deleted")
		var messages string
		e.Lua(&messages, `return vim.fn.execute('messages')`)
		if n := strings.Count(messages, "was deleted"); n != 1 {
			t.Errorf("said %d times:\n%s", n, messages)
		}
	})
}

func TestJump(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		home := nvimtest.NewHome(t)
		e := home.Start(t, binary)
		path := home.Write(t, "main.go", numbered(40))
		e.Edit(path)
		text := strings.Replace(numbered(40), "line 30\n", "thirty\n", 1)
		write(t, path, text)
		sync(t, e, path)
		write(t, path, "top\n"+strings.Replace(text, "line 10\n", "ten\n", 1))
		sync(t, e, path)
		var got []string
		e.Lua(nil, `vim.wait(20)`)
		e.Lua(&got, `
			local at = {}
			for _, step in ipairs({1, 1, 1, -1, -1, -1}) do
				local moved = require('_sidekick').jump(step)
				table.insert(at, (moved and '' or 'stayed at ') .. vim.api.nvim_get_current_line())
			end
			return at`)
		want := []string{"ten", "thirty", "stayed at thirty", "ten", "top", "stayed at top"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("jumps (-want +got):\n%s", diff)
		}
	})
}
