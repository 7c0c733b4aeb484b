package proof

import (
	"fmt"
	"os"
	"strings"

	"sidekick/internal/nvim/nvimtest"
)

// lookChunk returns every file buffer that is loaded; of one whose changedtick is
// known, without the text.
const lookChunk = `
	local all, ticks = {}, ...
	for _, b in ipairs(vim.api.nvim_list_bufs()) do
		local name = vim.api.nvim_buf_get_name(b)
		if vim.api.nvim_buf_is_loaded(b) and vim.bo[b].buftype == '' and name ~= '' then
			local tick = vim.api.nvim_buf_get_changedtick(b)
			local new = ticks[b .. ' ' .. name] ~= tick
			table.insert(all, {
				key = b .. ' ' .. name, name = name, modified = vim.bo[b].modified, tick = tick, new = new,
				text = new and table.concat(vim.api.nvim_buf_get_lines(b, 0, -1, false), '\n') or '',
			})
		end
	end
	return all`

// look reads all buffers. The editor must be able to answer. Neovim itself says
// which texts are still what they were: the large one is dear to fetch.
func (s *seat) look() map[*file]view {
	s.m.Helper()
	var all []struct {
		Key      string `msgpack:"key"`
		Name     string `msgpack:"name"`
		Modified bool   `msgpack:"modified"`
		Tick     int    `msgpack:"tick"`
		New      bool   `msgpack:"new"`
		Text     string `msgpack:"text"`
	}
	s.lua(&all, lookChunk, s.ticks)
	found := map[*file]view{}
	for _, b := range all {
		if b.New {
			s.ticks[b.Key], s.texts[b.Key] = b.Tick, b.Text
		}
		for _, f := range s.m.files {
			if b.Name == f.path || b.Name == f.link {
				text := unreturned(s.texts[b.Key])
				found[f] = view{text: text, dirty: b.Modified, returns: text != s.texts[b.Key]}
			}
		}
	}
	return found
}

// unreturned is a text without the carriage returns that Neovim shows (^M) where
// it takes a file with dos line ends for one with unix line ends. It does so when
// it reads a file itself that it has met before as an empty one.
func unreturned(text string) string {
	return strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\r")
}

// forget makes the next look read everything.
func (s *seat) forget() {
	s.ticks, s.texts = map[string]int{}, map[string]string{}
}

// buffers lists the buffers as Neovim does.
func (s *seat) buffers() (list string) {
	s.lua(&list, "return vim.fn.execute('ls!') .. vim.fn.execute('messages') .. ' ' .. vim.v.errmsg")
	return list
}

// mute reports whether nothing can be asked now.
func (s *seat) mute() bool {
	return s.e == nil || s.stopped || s.sitting != nil && s.sitting.blocks
}

// check compares every buffer with what the person last saw of it.
func (s *seat) check(step) {
	s.m.Helper()
	s.checkSwaps()
	if s.mute() {
		return
	}
	if mode := s.mode(); mode.Blocking && s.sitting == nil {
		s.m.Fatalf("Neovim %d asks something (mode %q)\n%s", s.number, mode.Name, s.screen())
	}
	buffers := s.look()
	for _, f := range s.m.files {
		v := s.views[f]
		if v == nil {
			continue
		}
		now, ok := buffers[f]
		switch {
		case !ok:
			s.m.Fatalf("Neovim %d has no buffer of %s:\n%s", s.number, s.name(f), s.buffers())
		case v.dirty && (!now.dirty || now.text != v.text):
			s.m.Fatalf("unsaved text of %s was changed (still modified: %t). It was\n%s\nit is\n%s", f.path, now.dirty, short(v.text), short(now.text))
		case !v.dirty && (now.dirty || now.text != v.text && now.text != f.text):
			s.m.Fatalf("the buffer of %s (modified: %t) is neither what it was nor the file. It was\n%s\nit is\n%s\nthe file is\n%s",
				f.path, now.dirty, short(v.text), short(now.text), short(f.text))
		}
		if !v.dirty {
			v.text, v.base = now.text, now.text
		}
	}
}

// checkSwaps holds while an editor is stopped: its swap files say what is unsaved,
// as they did before.
func (s *seat) checkSwaps() {
	s.m.Helper()
	for f, swap := range s.swaps {
		if modified, err := swapSaysModified(swap); err != nil || modified != s.views[f].dirty {
			s.m.Fatalf("the swap file of a stopped Neovim says modified: %t (%v); %s is: %t", modified, err, f.path, s.views[f].dirty)
		}
	}
}

// swapSaysModified reads the byte of a swap file's first block that says so.
func swapSaysModified(path string) (bool, error) {
	raw, err := os.ReadFile(path)
	if err != nil || len(raw) < 4096 {
		return false, fmt.Errorf("read swap file %q of %d bytes: %w", path, len(raw), err)
	}
	return raw[1007] == 0x55, nil
}

// inLine holds after a follow-up: buffers without unsaved text are their files.
func (s *seat) inLine(files ...*file) {
	s.m.Helper()
	if s.mute() || s.sitting != nil && s.sitting.defers {
		return
	}
	for _, f := range files {
		v := s.views[f]
		if v == nil || v.dirty || f.gone { // of a file that is gone the text stays
			continue
		}
		nvimtest.Eventually(s.m, "a buffer without unsaved text is its file", func() error {
			now, ok := s.look()[f]
			if !ok {
				return fmt.Errorf("Neovim %d has no buffer of %s:\n%s", s.number, s.name(f), s.buffers())
			}
			if now.returns && !f.isMixed(s.m) {
				return fmt.Errorf("Neovim %d shows the line ends of %s", s.number, s.name(f))
			}
			if now.text != f.text || now.dirty {
				return fmt.Errorf("%s (modified: %t) is\n%s\nthe file is\n%s", f.path, now.dirty, short(now.text), short(f.text))
			}
			return nil
		})
		v.text, v.base, v.state = f.text, f.text, f.state
	}
}

// undoChunk walks through all states of a buffer and returns the lines of all.
const undoChunk = `
	local name = ...
	local seen, lines = {}, {}
	for _, b in ipairs(vim.api.nvim_list_bufs()) do
		if vim.api.nvim_buf_get_name(b) == name then
			vim.api.nvim_buf_call(b, function()
				local tree = vim.fn.undotree()
				for state = 0, tree.seq_last do
					vim.cmd('silent! undo ' .. state)
					for _, line in ipairs(vim.api.nvim_buf_get_lines(b, 0, -1, false)) do
						if not seen[line] then
							seen[line] = true
							table.insert(lines, line)
						end
					end
				end
				vim.cmd('silent! undo ' .. tree.seq_cur)
			end)
		end
	end
	return lines`

// checkUndo holds at the end: whatever the person typed is in a state of the
// text to which undo leads.
func (s *seat) checkUndo() {
	s.m.Helper()
	if s.mute() {
		return
	}
	for f, v := range s.views {
		var lines []string
		s.lua(&lines, undoChunk, s.name(f))
		all := strings.Join(lines, "\n")
		for _, token := range v.tokens {
			if !strings.Contains(all, token) {
				s.m.Fatalf("%s, typed into %s, is in no state of its undo tree", token, f.path)
			}
		}
	}
}
