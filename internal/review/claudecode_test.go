package review_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sidekick/internal/nvim"
	"sidekick/internal/nvim/nvimtest"
)

// family is a version of claudecode.nvim with one of its layouts.
type family struct {
	name    string
	folder  string
	events  bool // of the stand-in: it fires User events
	options map[string]any
}

// families are those of the stand-in, or of the checkout that
// $SIDEKICK_CLAUDECODE names (see scripts/test-claudecode).
func families(t *testing.T) (all []family) {
	t.Helper()
	folder, err := filepath.Abs("testdata/claudecode")
	if err != nil {
		t.Fatal(err)
	}
	events, layouts := []bool{false, true}, []string{"vertical", "horizontal", "unified"}
	if checkout := os.Getenv("SIDEKICK_CLAUDECODE"); checkout != "" {
		folder, events = checkout, []bool{true}
		config, err := os.ReadFile(filepath.Join(folder, "lua", "claudecode", "config.lua"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(config), `"unified"`) {
			layouts = layouts[:2]
		}
	}
	for _, withEvents := range events {
		for _, layout := range layouts {
			for _, newTab := range []bool{false, true} {
				all = append(all, family{
					name:    fmt.Sprintf("%s-newtab-%v-events-%v", layout, newTab, withEvents),
					folder:  folder,
					events:  withEvents,
					options: map[string]any{"layout": layout, "open_in_new_tab": newTab},
				})
			}
		}
	}
	return all
}

// diffs is a Neovim with the plugin and our runtime.
type diffs struct {
	*nvimtest.Editor
	t    *testing.T
	path string
	tabs int
	tab  string // of the diff that is open
}

func newDiffs(t *testing.T, binary string, f family) *diffs {
	t.Helper()
	home := nvimtest.NewHome(t)
	d := &diffs{Editor: home.Start(t, binary, "--cmd", "set hidden"), t: t}
	d.path = home.Write(t, "notes.txt", "one\ntwo\n")
	driver, err := os.ReadFile("testdata/claudecode_driver.lua")
	if err != nil {
		t.Fatal(err)
	}
	d.Lua(nil, `vim.g.sidekick_bridge = { review = { grace = 0 } } vim.g.standin_events = ...`, f.events)
	d.Lua(nil, string(driver), f.folder, f.options)
	// As any hook of sidekick would, the first question brings the runtime.
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	client, err := nvim.Dial(ctx, d.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := nvim.Call[map[string]any](client, "review.where", map[string]any{"file": map[string]any{"names": []string{d.path}, "dev": 0, "inode": 0}}); err != nil {
		t.Fatal(err)
	}
	return d
}

// open opens the diff of a proposal and waits for our keys in it.
func (d *diffs) open(path, contents string) {
	d.t.Helper()
	d.tabs++
	d.tab = fmt.Sprintf("✻ [Claude Code] notes.txt (%06x) ⧉", d.tabs)
	d.Lua(nil, `driver.open(...)`, path, contents, d.tab)
	d.eventually("our keys are in the proposal", `return #vim.api.nvim_buf_get_keymap(driver.buffer(...), 'n') >= 2`)
	d.Lua(nil, `vim.api.nvim_set_current_win(vim.fn.win_findbuf(driver.buffer(...))[1])`, d.tab)
}

// eventually polls Lua code, called with the diff's name, until it says true.
func (d *diffs) eventually(what, code string) {
	d.t.Helper()
	nvimtest.Eventually(d.t, what, func() error {
		var holds bool
		d.Lua(&holds, code, d.tab)
		if !holds {
			var state string
			d.Lua(&state, `
				local diff = require('claudecode.diff')._get_active_diffs()[...] or {}
				return vim.inspect({
					vim.api.nvim_get_mode(),
					vim.fn.bufname(),
					diff.status,
					driver.answer(...),
					vim.fn.getbufvar(driver.buffer(...), '&buftype'),
					vim.fn.execute('messages'),
					vim.fn.execute('nmap <buffer>'),
					READ,
					RELOADED,
				})`, d.tab)
			return fmt.Errorf("it does not hold; %s", state)
		}
		return nil
	})
}

// input types keys and waits until they are worked off.
func (d *diffs) input(keys string) {
	d.t.Helper()
	d.Lua(nil, `vim.g.typed = 0`)
	if _, err := d.RPC.Input(keys); err != nil {
		d.t.Fatal(err)
	}
	d.Lua(nil, `vim.schedule(function() vim.g.typed = 1 end)`)
	d.eventually("keys are worked off", `return vim.g.typed == 1 and vim.api.nvim_get_mode().mode == 'n'`)
}

func (d *diffs) answers(kind, text string) {
	d.t.Helper()
	d.eventually("the answer "+kind, `return driver.answer(...)[1] ~= nil`)
	var answer []string
	d.Lua(&answer, `return driver.answer(...)`, d.tab)
	if answer[0] != kind || kind == "FILE_SAVED" && answer[1] != text {
		d.t.Errorf("answer %q, want %q %q", answer, kind, text)
	}
	d.eventually("our keys are gone", `
		local buf = driver.buffer(...)
		return buf == 0 or #vim.tbl_filter(function(map)
			return (map.desc or ''):find('SidekickBridge')
		end, vim.api.nvim_buf_get_keymap(buf, 'n')) == 0`)
}

// undecided checks that nothing that was typed so far was a decision.
func (d *diffs) undecided(what string) {
	d.t.Helper()
	var answer []string
	d.Lua(&answer, `return driver.answer(...)`, d.tab)
	if len(answer) > 0 {
		d.t.Fatalf("%s decided: %q", what, answer)
	}
}

// finish ends the diff as Claude does, and checks that it left no trace.
func (d *diffs) finish() {
	d.t.Helper()
	d.Lua(nil, `driver.close(...)`, d.tab)
	d.eventually("the proposal is gone", `return driver.buffer(...) == 0`)
	var maps int
	d.Lua(&maps, `
		local count = 0
		for _, buf in ipairs(vim.api.nvim_list_bufs()) do
			for _, map in ipairs(vim.api.nvim_buf_get_keymap(buf, 'n')) do
				if (map.desc or ''):find('SidekickBridge') then count = count + 1 end
			end
		end
		return count`)
	if maps != 0 {
		d.t.Errorf("%d of our mappings are left", maps)
	}
	if text, _ := os.ReadFile(d.path); string(text) != "one\ntwo\n" {
		d.t.Errorf("the target was written: %q", text)
	}
	d.Lua(nil, `vim.cmd('silent! tabonly | silent! only')`)
}

func TestClaudecode(t *testing.T) {
	const proposal = "one\nTWO\n"
	for _, f := range families(t) {
		for _, version := range []string{"0.10", "0.12"} { // the plugin needs 0.8
			t.Run(f.name+"-nvim-"+version, func(t *testing.T) {
				t.Parallel()
				d := newDiffs(t, nvimtest.Binary(t, version), f)

				d.open(d.path, proposal)
				d.input("<CR>")
				d.answers("FILE_SAVED", proposal)
				d.finish()

				d.open(d.path, proposal)
				d.input("<Esc>")
				d.answers("DIFF_REJECTED", "")
				d.finish()

				d.open(d.path, proposal)
				d.input(":w<CR>")
				d.answers("FILE_SAVED", proposal)
				d.finish()

				d.open(filepath.Join(d.Dir, "new.txt"), proposal)
				d.input("<CR>")
				d.answers("FILE_SAVED", proposal)
				d.finish()

				d.notConsent(proposal)
				d.unsavedTarget(proposal)
				d.ownKeys(proposal)
				d.graceTime(proposal)
				d.upgraded(proposal)
				for _, order := range []string{"ours first", "theirs first", "ours while the diff is open"} {
					d.reloads(order)
				}
			})
		}
	}
}

// notConsent tries what saves in bulk or by itself.
func (d *diffs) notConsent(proposal string) {
	d.t.Helper()
	d.open(d.path, proposal)
	d.Lua(nil, `
		vim.o.autowriteall = true
		vim.api.nvim_create_autocmd({ 'InsertLeave', 'TextChanged', 'BufLeave', 'WinLeave', 'FocusLost' }, {
			group = vim.api.nvim_create_augroup('autosave', {}),
			callback = function() vim.cmd('silent! write | silent! wall') end,
		})`)
	d.input(":wa<CR>")
	d.undecided(":wa")
	var editable bool
	d.Lua(&editable, `return vim.bo[driver.buffer(...)].modifiable`, d.tab)
	if editable {
		d.input("onew<Esc>u")
		d.undecided("an autosave plugin")
		d.input("x:wa<CR>u")
		d.undecided(":wa of an edited proposal")
	}
	d.input(":silent! wall<CR>:doautocmd FocusLost<CR><C-w>p<C-w>p")
	d.undecided("leaving the window")
	d.Lua(nil, `vim.api.nvim_del_augroup_by_name('autosave') vim.o.autowriteall = false`)
	d.input("<CR>")
	d.answers("FILE_SAVED", proposal)
	d.finish()
}

// unsavedTarget types into the target while its diff is open.
func (d *diffs) unsavedTarget(proposal string) {
	d.t.Helper()
	d.open(d.path, proposal)
	d.Lua(nil, `
		local buf = vim.fn.bufadd(...)
		vim.fn.bufload(buf)
		vim.api.nvim_buf_set_lines(buf, 0, 0, true, { 'typed' })`, d.path)
	d.input("<CR>")
	d.undecided("<CR> over unsaved text")
	d.input(":w<CR>")
	d.undecided(":w over unsaved text")
	d.Lua(nil, `vim.api.nvim_buf_call(vim.fn.bufadd(...), function() vim.cmd('silent edit!') end)`, d.path)
	d.input("<CR>")
	d.answers("FILE_SAVED", proposal)
	d.finish()
}

// ownKeys has a mapping of the person's in the proposal before ours come.
func (d *diffs) ownKeys(proposal string) {
	d.t.Helper()
	d.Lua(nil, `
		vim.api.nvim_create_autocmd('BufWinEnter', {
			group = vim.api.nvim_create_augroup('own', {}),
			pattern = { '*proposed)', '*diff)' },
			callback = function(args)
				vim.keymap.set('n', '<cr>', '<Cmd>let g:own = 1<CR>', { buffer = args.buf })
			end,
		})`)
	d.open(d.path, proposal)
	d.input("<CR>")
	d.undecided("the person's own mapping")
	d.eventually("the person's own mapping runs", `return vim.g.own == 1`)
	d.Lua(nil, `vim.api.nvim_del_augroup_by_name('own')`)
	d.input("<Esc>")
	d.answers("DIFF_REJECTED", "")
	d.finish()
}

func (d *diffs) graceTime(proposal string) {
	d.t.Helper()
	d.Lua(nil, `vim.g.sidekick_bridge = { review = { grace = 100000 } }`)
	d.open(d.path, proposal)
	d.input("<CR><Esc>")
	d.undecided("a key within the grace time")
	d.Lua(nil, `vim.g.sidekick_bridge = { review = { grace = 0 } }`)
	d.input("<Esc>")
	d.answers("DIFF_REJECTED", "")
	d.finish()
}

// upgraded has another version of our runtime take over while a diff is open.
func (d *diffs) upgraded(proposal string) {
	d.t.Helper()
	for i, keys := range []string{"<CR>", ":w<CR>"} {
		d.open(d.path, proposal)
		upgrade(d.Editor, fmt.Sprint("new ", i))
		d.eventually("the new version's keys are in the proposal", `
			return vim.bo[driver.buffer(...)].buftype == 'nofile' and #vim.api.nvim_buf_get_keymap(driver.buffer(...), 'n') >= 2`)
		d.input(":wa<CR>")
		d.undecided(":wa after it")
		d.input(keys)
		d.answers("FILE_SAVED", proposal)
		d.finish()
	}
}

// reloads has the plugin reload the file that Claude wrote, as it does some time
// after close_tab, and our hook reload it too, before or after.
func (d *diffs) reloads(order string) {
	d.t.Helper()
	text := ""
	for i := range 60 {
		text += fmt.Sprintf("line %d\n", i+1)
	}
	proposal := "new\nlines\n" + strings.Replace(text, "line 20\n", "line twenty\n", 1)
	path := d.Write(d.t, "long.txt", text)
	sync := func(want string) {
		d.t.Helper()
		var got string
		d.Lua(&got, `
			local names, say = { ... }, { one = '%s: %d', many = '%s: %d', deleted = '%s' }
			local reloaded = require('_sidekick.reload').rpc.sync({ names = names, bufs = {}, limit = math.huge, say = say })
			return reloaded.buffers[1].state`, path)
		if got != want {
			d.t.Errorf("%s: our reload: %s, want %s", order, got, want)
		}
	}
	// places are the lines that the person is on, by window.
	places := func() (all map[string]string) {
		d.t.Helper()
		d.Lua(&all, `
			local all = vim.empty_dict()
			for _, win in ipairs(vim.fn.win_findbuf(vim.fn.bufnr(...))) do
				local buf = vim.api.nvim_win_get_buf(win)
				local lnum = vim.api.nvim_win_get_cursor(win)[1]
				all[tostring(win)] = vim.api.nvim_buf_get_lines(buf, lnum - 1, lnum, false)[1]
			end
			return all`, path)
		return all
	}
	d.Lua(nil, `
		local path = ...
		vim.cmd('silent! edit! ' .. path)
		vim.api.nvim_win_set_cursor(0, { 40, 0 })
		vim.cmd('messages clear')
		READ, RELOADED = 0, 0
		local group = vim.api.nvim_create_augroup('reloads', {})
		local function on(event, pattern, f)
			vim.api.nvim_create_autocmd(event, { group = group, pattern = pattern, callback = f })
		end
		on('BufReadPost', path, function() READ = READ + 1 end)
		on('User', 'SidekickBridgeReload', function() RELOADED = RELOADED + 1 end)`, path)
	d.open(path, proposal)
	// The person goes on reading while they think about it.
	d.Lua(nil, `
		for _, win in ipairs(vim.fn.win_findbuf(vim.fn.bufnr(...))) do
			vim.api.nvim_win_set_cursor(win, { 30, 0 })
		end`, path)
	d.input("<CR>")
	d.answers("FILE_SAVED", proposal)
	d.Lua(nil, `READ, RELOADED = 0, 0`) // it may read the file to show the diff
	before := places()
	reloaded := 1
	switch order {
	case "ours first":
		d.Lua(nil, `driver.close(...)`, d.tab)
		d.Write(d.t, "long.txt", proposal)
		sync("reloaded")
	case "theirs first":
		d.Lua(nil, `driver.close(...)`, d.tab)
		d.Write(d.t, "long.txt", proposal)
		reloaded = 0
	case "ours while the diff is open":
		d.Write(d.t, "long.txt", proposal)
		sync("reloaded")
		d.Lua(nil, `driver.close(...)`, d.tab)
	}
	d.eventually("the plugin has reloaded", `return READ == 1`)
	sync("unchanged")
	nvimtest.Eventually(d.t, order+": the person is where they were", func() error {
		after := places()
		for win, line := range before {
			if now, open := after[win]; open && now != line {
				return fmt.Errorf("not on %q, but on %q", line, now)
			}
		}
		if len(after) == 0 {
			return errors.New("no window shows the file")
		}
		return nil
	})
	d.eventually("our events", `return RELOADED == `+fmt.Sprint(reloaded))
	// No dialog then, none with the next write; undo leads back.
	d.Lua(nil, `
		local path = ...
		vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr(path))[1])
		vim.cmd('checktime')`, path)
	d.input("ggOmine<Esc>:w<CR>")
	var said string
	d.Lua(&said, `return vim.fn.execute('messages')`)
	if strings.Contains(said, "W1") || strings.Contains(said, "WARNING") || strings.Contains(said, "Error") {
		d.t.Errorf("%s: messages: %s", order, said)
	}
	if got, _ := os.ReadFile(path); string(got) != "mine\n"+proposal {
		d.t.Errorf("%s: after :w the file is %.60q", order, got)
	}
	d.eventually("the plugin reloaded once", `return READ == 1`)
	d.Lua(nil, `vim.api.nvim_del_augroup_by_name('reloads')`)
	d.finish()
}
