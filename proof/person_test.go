package proof

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sidekick/internal/nvim/nvimtest"
)

var personOps = map[string]func(s *seat, f *file, c int){
	"open": (*seat).open,
	"type": (*seat).typeText,
	"undo": func(s *seat, f *file, c int) {
		s.change(f, fmt.Sprintf(":silent! undo %s<CR>", []string{"", "0"}[c%9/8]))
	},
	"redo":   func(s *seat, f *file, _ int) { s.change(f, ":silent! redo<CR>") },
	"save":   (*seat).save,
	"reload": func(s *seat, f *file, _ int) { s.discard(f) },
	"window": (*seat).window,
	"sit":    (*seat).sit,
	"ask":    (*seat).ask,
	"leave":  func(s *seat, _ *file, _ int) { s.leave() },
	"stop":   (*seat).stop,
	"go":     func(s *seat, _ *file, _ int) { s.goOn() },
	"kill":   (*seat).kill,
	"start":  func(s *seat, _ *file, c int) { s.start(c) },
}

// to shows the file in the current window.
func (s *seat) to(f *file) *view {
	s.m.Helper()
	s.leave()
	var number int
	s.lua(&number, `
		for _, b in ipairs(vim.api.nvim_list_bufs()) do
			if vim.api.nvim_buf_get_name(b) == ... then return b end
		end
		vim.cmd('silent edit ' .. vim.fn.fnameescape(...))
		return 0`, s.name(f))
	// :edit would read it anew. Neovim looks at the file here, and may complain that
	// it is gone, or ask whether to keep unsaved text although the file changed.
	if number > 0 && s.send(fmt.Sprintf(":silent! buffer %d", number)+tell) {
		if !s.mayAsk(f) {
			s.m.Fatalf("Neovim asks something about %s (mode %q)", f.path, s.mode().Name)
		}
		s.say("o")
	}
	now, ok := s.look()[f]
	if !ok {
		s.m.Fatalf("%s is not open", f.path)
	}
	v := s.views[f]
	if v == nil {
		v = &view{}
		s.views[f] = v
		s.loaded(f, v, now)
		v.state = f.state
	} else if !v.dirty {
		s.loaded(f, v, now)
	}
	return v
}

// mayAsk reports whether Neovim itself has a question when it comes to a file that
// nobody has told it of: its text is unsaved, or there was no file when it was
// opened (W13).
func (s *seat) mayAsk(f *file) bool {
	v := s.views[f]
	return v != nil && (v.dirty || v.base == "") && (f.text != v.base || f.state != v.state)
}

// loaded takes note of a buffer that was just read.
func (s *seat) loaded(f *file, v *view, now view) {
	if now.dirty || now.text != f.text && now.text != v.text {
		s.m.Fatalf("%s was opened (modified: %t) with\n%s\nthe file is\n%s", f.path, now.dirty, short(now.text), short(f.text))
	}
	v.text, v.dirty, v.base = now.text, false, now.text
}

func (s *seat) open(f *file, _ int) { s.to(f) }

// typeText types a line somewhere.
func (s *seat) typeText(f *file, c int) {
	s.to(f)
	token := s.m.token("person")
	s.keys(fmt.Sprintf("%dGo%s<Esc>", 1+c%7, token))
	v := s.views[f]
	now := s.look()[f]
	without := strings.Replace("\n"+now.text, "\n"+token, "", 1)
	if !strings.Contains(now.text, token) || !now.dirty {
		s.m.Fatalf("typed %s, modified: %t, the text is\n%s", token, now.dirty, short(now.text))
	}
	if without != "\n"+v.text && (v.dirty || without != "\n"+f.text) {
		s.m.Fatalf("typed %s into\n%s\nnow it is\n%s", token, short(v.text), short(now.text))
	}
	if !v.dirty {
		v.base = without[1:]
	}
	v.text, v.dirty, v.tokens = now.text, true, append(v.tokens, token)
}

// change runs a command that leads to another state of the text.
func (s *seat) change(f *file, keys string) {
	v := s.to(f)
	s.keys(keys)
	now := s.look()[f]
	if !now.dirty && now.text != v.base && now.text != f.text {
		s.m.Fatalf("%s: Neovim takes a text for saved that is not. The file was\n%s\nthe text is\n%s", f.path, short(v.base), short(now.text))
	}
	v.text, v.dirty = now.text, now.dirty
	if !v.dirty {
		v.base = now.text
	}
}

// save writes. Neovim asks exactly when the file is in another state than the
// one that the person's text belongs to.
func (s *seat) save(f *file, c int) {
	v := s.to(f)
	if v.recovered {
		s.overwrite(f, v)
		return
	}
	f.aged(s.m)
	for !f.newest.Before(now(s.m)) { // each state has its own time
	}
	asked, refused := s.write("w")
	if !asked && !refused {
		if !v.dirty && f.disk(s.m) == f.text { // the buffer was brought in line since we looked
			v.text, v.base = f.text, f.text
		}
		if f.text != v.base && !f.gone {
			s.m.Fatalf("the agent's text was overwritten and nobody asked: %s was\n%s\nthe person began with\n%s\nand wrote (unsaved text: %t)\n%s",
				f.path, short(f.text), short(v.base), v.dirty, short(f.disk(s.m)))
		}
		s.written(f, v)
		return
	}
	if asked {
		s.say("n")
	}
	if v.state == f.state && v.base == f.text {
		s.m.Fatalf("Neovim asks whether to overwrite %s, which is as the person's text had it", f.path)
	}
	switch c % 3 {
	case 0:
		s.overwrite(f, v)
	case 1:
		s.discard(f)
	}
}

// write runs a command that writes, and reports whether Neovim asks something: no
// key may follow, which would be the answer. refused: it does not even ask, because
// there was no file when the buffer was made (E13).
func (s *seat) write(command string) (asked, refused bool) {
	s.m.Helper()
	s.lua(nil, "vim.g.refused = ''")
	if s.send(":try | silent " + command + " | catch /E13:/ | let g:refused = v:exception | endtry" + tell) {
		return true, false
	}
	var exception string
	s.lua(&exception, "return vim.g.refused")
	return false, exception != ""
}

// say answers a question.
func (s *seat) say(answer string) {
	s.input(answer)
	nvimtest.Eventually(s.m, "say "+answer, func() error {
		if mode := s.mode(); mode.Blocking {
			if mode.Name == "r" && s.term != nil { // what was said is long
				s.input("<CR>")
			}
			return fmt.Errorf("still asked: mode %q", mode.Name)
		}
		return nil
	})
	s.keys(`<C-\><C-N>`)
}

// overwrite writes whatever the file is; Neovim asks all the same.
func (s *seat) overwrite(f *file, v *view) {
	if asked, _ := s.write("w!"); asked {
		s.say("y")
	}
	s.written(f, v)
}

func now(m *model) time.Time {
	path := filepath.Join(m.home.Dir, "clock")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		m.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		m.Fatal(err)
	}
	return info.ModTime()
}

// written takes note of what the person wrote.
func (s *seat) written(f *file, v *view) {
	if got := f.disk(s.m); got != v.text {
		s.m.Fatalf("the person wrote\n%s\nthe file is\n%s", short(v.text), short(got))
	}
	f.text, f.gone = v.text, false
	f.state++
	v.dirty, v.recovered, v.base, v.state = false, false, v.text, f.state
}

// discard is :edit!
func (s *seat) discard(f *file) {
	s.to(f)
	s.keys(":silent edit!<CR>")
	now := s.look()[f]
	s.views[f] = &view{text: f.text, state: f.state}
	s.loaded(f, s.views[f], now)
}

func (s *seat) window(f *file, c int) {
	s.leave()
	keys := []string{
		":silent! split<CR>", ":silent! vsplit<CR>", ":silent! tab split<CR>", ":silent! only<CR>", ":silent! tabonly<CR>",
		":silent! enew<CR>", ":silent! hide<CR>", ":silent! bnext<CR>", "<C-W>w", "gg", "G", "zf2j", "ma", ":silent! tabnext<CR>",
	}[c%14]
	command, ok := strings.CutSuffix(keys, "<CR>")
	if !ok {
		s.keys(keys)
		return
	}
	if s.send(command + tell) {
		if !slices.ContainsFunc(s.m.files, s.mayAsk) {
			s.m.Fatalf("after %s a question is open (mode %q)", keys, s.mode().Name)
		}
		s.say("o")
	}
}
