package proof

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"sidekick/internal/nvim/nvimtest"
)

// kill is a crash. What Neovim has written into its swap files by then is kept. Not
// a second crash before what was recovered after the first is written: 0.10 and
// 0.12, left to themselves, do not recover a large text twice.
func (s *seat) kill(_ *file, c int) {
	for _, v := range s.views {
		if v.recovered {
			return
		}
	}
	s.leave()
	s.kept = map[*file]crashed{}
	for _, f := range s.m.files {
		v := s.views[f]
		if v == nil || !v.dirty {
			continue
		}
		from := crashed{text: v.text}
		s.lua(&from.swap, `
			local name = ...
			for _, b in ipairs(vim.api.nvim_list_bufs()) do
				if vim.api.nvim_buf_get_name(b) == name then
					vim.api.nvim_buf_call(b, function() vim.cmd('silent preserve') end)
					return vim.fn.fnamemodify(vim.fn.swapname(b), ':p')
				end
			end`, s.name(f))
		s.kept[f] = from
	}
	s.signal(syscall.SIGKILL)
	nvimtest.Eventually(s.m, "die", func() error {
		if syscall.Kill(s.pid, 0) == nil {
			return fmt.Errorf("still there")
		}
		return nil
	})
	s.e, s.views, s.sitting = nil, nil, nil
	for _, f := range s.m.files {
		if _, ok := s.kept[f]; !ok {
			s.removeSwaps(f, "")
		}
	}
}

// recover opens a file as somebody does whose Neovim crashed. Not by the question
// of |swap-exists-choices|: after a second crash that would look in vain for the
// first name of a swap file, which was removed after the first.
func (s *seat) recover(f *file, from crashed) {
	s.lua(nil, `
		vim.cmd('silent hide enew') -- the buffer before may be modified
		vim.cmd('silent! recover ' .. vim.fn.fnameescape(...))`, from.swap)
	now, ok := s.look()[f]
	if !ok || now.text != from.text {
		s.m.Fatalf("the swap file %s had\n%s\nrecovered is\n%s\n%s", from.swap, short(from.text), short(now.text), s.buffers())
	}
	var swap string
	s.lua(&swap, "return vim.fn.swapname('%')")
	s.removeSwaps(f, swap)
	now.base, now.state, now.recovered = now.text, -1, true
	s.views[f] = &now
}

// removeSwaps removes the crashed one's swap files, as Neovim tells people to.
func (s *seat) removeSwaps(f *file, except string) {
	dir, pattern := filepath.Join(s.m.home.Dir, ".local/state/nvim/swap"), "*"+filepath.Base(f.path)+".sw?"
	if s.number == 1 {
		dir = filepath.Dir(f.path)
	}
	found, _ := filepath.Glob(filepath.Join(dir, pattern))
	hidden, _ := filepath.Glob(filepath.Join(dir, "."+pattern))
	for _, swap := range append(found, hidden...) {
		if filepath.Base(swap) != filepath.Base(except) {
			os.Remove(swap)
		}
	}
}
