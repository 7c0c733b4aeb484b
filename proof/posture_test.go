package proof

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"sidekick/internal/nvim/nvimtest"
)

// posture is where the person sits.
type posture struct {
	keys, leave string
	blocks      bool   // no call is answered (found out)
	hidden      bool   // 0.12 does not tell that it waits, because it answers all the same
	defers      bool   // a change would disturb: Neovim catches up later
	holds       string // Vimscript, true as long as nobody has disturbed
	terminal    bool   // is only in a real terminal
	asked       *file  // by a dialog about its swap file
}

var postures = []posture{
	{keys: `"`, leave: "<Esc>"},
	{keys: ":call getchar()<CR>", leave: "<Esc>", hidden: true},
	{keys: "<C-W>", leave: "<Esc>"},
	{keys: "d", leave: "<Esc>"},
	{keys: "i", leave: "<Esc>"},
	{keys: ":let half", leave: "<Esc>"},
	{keys: "V", leave: "<Esc>"},
	{keys: "q:", leave: "<C-\\><C-N>", defers: true, holds: "getcmdwintype() != ''"},
	{keys: "i<C-R>=Menu()<CR>", leave: "<C-E><Esc>", defers: true, holds: "pumvisible()"},
	{keys: "2d3", leave: "<Esc>", terminal: true},
	{keys: ":echo 1 | echo 2<CR>", leave: "<CR>", terminal: true},
	{keys: ":for i in range(99) | echo i | endfor<CR>", leave: "q", terminal: true},
}

// sit goes somewhere where Neovim waits, and stays.
func (s *seat) sit(_ *file, c int) {
	s.leave()
	p := postures[c%len(postures)]
	if p.terminal && s.term == nil {
		return
	}
	before := s.mode()
	s.input(p.keys)
	tries := 0
	nvimtest.Eventually(s.m, "sit at "+p.keys, func() error {
		mode := s.mode()
		p.blocks = mode.Blocking
		tries++
		if p.holds != "" {
			if mode.Blocking || !s.is(p.holds) {
				return fmt.Errorf("not yet: %s; mode %v", p.holds, mode)
			}
			return nil
		}
		if mode != before || p.hidden && tries > 15 {
			return nil
		}
		return fmt.Errorf("mode %v", mode)
	})
	s.sitting = &p
}

// is reports whether a Vimscript expression is true.
func (s *seat) is(expression string) (yes bool) {
	s.lua(&yes, "local v = vim.api.nvim_eval(...) return v ~= 0 and v ~= false", expression)
	return yes
}

// ask opens a file that another Neovim may have open, and sits at the question.
func (s *seat) ask(f *file, c int) {
	if s.term == nil || s.views[f] != nil {
		return
	}
	s.leave()
	s.lua(nil, "vim.g.choice = ''")
	if !s.send(":silent edit " + s.name(f) + tell) {
		s.lua(nil, "vim.g.choice = 'e'")
		s.to(f)
		return
	}
	s.sitting = &posture{keys: "a question about a swap file", leave: []string{"e", "q"}[c%2], blocks: true, defers: true, asked: f}
}

// leave goes back to normal mode.
func (s *seat) leave() {
	s.m.Helper()
	p := s.sitting
	if s.e == nil || s.stopped || p == nil {
		return
	}
	if p.holds != "" && !s.is(p.holds) {
		s.m.Fatalf("somebody disturbed the person at %s: %s holds no more", p.keys, p.holds)
	}
	s.input(p.leave)
	nvimtest.Eventually(s.m, "leave "+p.keys, func() error {
		mode := s.mode()
		if mode.Blocking {
			if mode.Name == "r" && (p.asked != nil || p.terminal) { // what was said is long
				s.input("<CR>")
			}
			return fmt.Errorf("mode %q", mode.Name)
		}
		return nil
	})
	s.sitting = nil
	if p.asked != nil {
		s.lua(nil, "vim.g.choice = 'e'")
	}
	s.keys(`<C-\><C-N>`)
	if p.asked != nil && p.leave == "e" {
		s.to(p.asked)
	}
}

// stop stops the process, as somebody does who debugs it, or the system.
func (s *seat) stop(_ *file, c int) {
	if s.m.isBlind && c%8 > 0 { // every hook then waits for it in vain: a second or two
		return
	}
	if s.term != nil { // tmux lets its child go on at once
		return
	}
	s.swaps = map[*file]string{}
	for f := range s.views {
		if !s.mute() {
			s.waitForSwap(f)
		}
	}
	s.signal(syscall.SIGSTOP)
	nvimtest.Eventually(s.m, "stop", func() error {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(s.pid) + "/stat")
		if err == nil && !strings.Contains(string(stat), ") T ") {
			err = fmt.Errorf("not yet")
		}
		return err
	})
	s.stopped = true
}

// waitForSwap waits until the swap file says what Neovim says.
func (s *seat) waitForSwap(f *file) {
	var swap string
	s.lua(&swap, `
		for _, b in ipairs(vim.api.nvim_list_bufs()) do
			if vim.api.nvim_buf_get_name(b) == ... then return vim.fn.fnamemodify(vim.fn.swapname(b), ':p') end
		end`, s.name(f))
	nvimtest.Eventually(s.m, "the swap file of "+f.path, func() error {
		modified, err := swapSaysModified(swap)
		if err == nil && modified != s.views[f].dirty {
			err = fmt.Errorf("modified is %t in the swap file %q, %t in Neovim", modified, swap, s.views[f].dirty)
		}
		return err
	})
	s.swaps[f] = swap
}

func (s *seat) goOn() {
	if s.e != nil && s.stopped {
		s.signal(syscall.SIGCONT)
		s.stopped, s.swaps = false, nil
	}
}
