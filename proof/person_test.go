package proof

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"sidekick/internal/nvim/nvimtest"
	"sidekick/lua"
)

// seat is a Neovim that the person has, and what they know of it.
type seat struct {
	m       *model
	number  int
	e       *nvimtest.Editor // nil: it was killed
	pid     int
	stopped bool
	sitting *posture // nil: in normal mode
	views   map[*file]*view
	synced  chan int          // which keys have been read
	ticks   map[string]int    // by buffer, as last looked at
	texts   map[string]string // by buffer, then
	kept    map[*file]crashed // killed with unsaved text
}

// crashed is the unsaved text that a swap file has.
type crashed struct{ text, swap string }

// view is one buffer as it was last seen.
type view struct {
	text   string
	dirty  bool
	base   string   // the text that buffer and file last had in common
	state  int      // the file's then, as far as Neovim was told
	tokens []string // typed since it was loaded

	recovered bool // from a swap file: which state of the file it belongs to, nobody knows
}

// posture is where the person sits.
type posture struct {
	keys, leave string
	blocks      bool // no call is answered (found out)
	hidden      bool // 0.12 does not tell that it waits, because it answers all the same
	defers      bool // a change would disturb: Neovim catches up later
}

var postures = []posture{
	{keys: `"`, leave: "<Esc>"},
	{keys: ":call getchar()<CR>", leave: "<Esc>", hidden: true},
	{keys: "<C-W>", leave: "<Esc>"},
	{keys: "d", leave: "<Esc>"},
	{keys: "i", leave: "<Esc>"},
	{keys: ":let half", leave: "<Esc>"},
	{keys: "V", leave: "<Esc>"},
	{keys: "q:", leave: "<C-\\><C-N>", defers: true},
}

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
	"leave":  func(s *seat, _ *file, _ int) { s.leave() },
	"stop":   (*seat).stop,
	"go":     func(s *seat, _ *file, _ int) { s.goOn() },
	"kill":   (*seat).kill,
	"start":  func(s *seat, _ *file, c int) { s.start(c) },
}

// start starts Neovim, with the runtime in it or without, and recovers what the
// swap files have.
func (s *seat) start(c int) {
	if s.e != nil {
		return
	}
	args := []string{
		"--cmd", "set updatetime=50 updatecount=1 nofsync", // the process is killed, not the machine
		"--cmd", "autocmd SwapExists * let v:swapchoice = 'e'",
	}
	if s.number == 1 { // swap files beside the file
		args = append(args, "--cmd", "set directory=.")
	}
	if c%2 == 0 {
		start, err := filepath.Abs("../lua/_sidekick/start.lua")
		if err != nil {
			s.m.Fatal(err)
		}
		args = append(args, "--cmd", fmt.Sprintf("lua loadfile('%s')('%s')", start, lua.Version()))
	}
	s.e = s.m.home.StartFound(s.m, s.m.binary, args...)
	s.e.Lua(&s.pid, "return vim.fn.getpid()")
	s.views, s.stopped, s.sitting = map[*file]*view{}, false, nil
	s.forget()
	s.m.show(s.pid)
	synced := make(chan int, 100)
	s.synced = synced
	if err := s.e.RPC.RegisterHandler("sync", func(n int) { synced <- n }); err != nil {
		s.m.Fatal(err)
	}
	for _, f := range s.m.files {
		if from, ok := s.kept[f]; ok {
			s.recover(f, from)
		}
	}
	s.kept = nil
}

// recover opens a file as somebody does whose Neovim crashed. Not by the question
// of |swap-exists-choices|: after a second crash that would look in vain for the
// first name of a swap file, which was removed after the first.
func (s *seat) recover(f *file, from crashed) {
	s.e.Lua(nil, `
		vim.cmd('silent hide enew') -- the buffer before may be modified
		vim.cmd('silent! recover ' .. vim.fn.fnameescape(...))`, from.swap)
	now, ok := s.look()[f]
	if !ok || now.text != from.text {
		s.m.Fatalf("the swap file %s had\n%s\nrecovered is\n%s\n%s", from.swap, short(from.text), short(now.text), s.buffers())
	}
	var swap string
	s.e.Lua(&swap, "return vim.fn.swapname('%')")
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

// name is how this Neovim knows the file.
func (s *seat) name(f *file) string {
	if s.number == 1 {
		return f.link
	}
	return f.path
}

// keys presses keys and waits until they have been read.
func (s *seat) keys(keys string) {
	s.m.Helper()
	if s.send(keys + "<Cmd>%s<CR>") {
		s.m.Fatalf("after %s a question is open (mode %q)", keys, s.mode().Name)
	}
}

// send presses keys, in which %s stands for a command that tells that it was
// reached. asked: a question came first.
func (s *seat) send(keys string) (asked bool) {
	s.m.Helper()
	s.m.syncs++
	want := s.m.syncs
	tell := fmt.Sprintf(`call rpcnotify(%d, "sync", %d)`, s.e.RPC.ChannelID(), want)
	s.input(strings.ReplaceAll(keys, "%s", tell))
	end := time.Now().Add(30 * time.Second)
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		timer := time.NewTimer(pause)
		select {
		case got := <-s.synced:
			timer.Stop()
			if got == want {
				return false
			}
			continue
		case <-timer.C:
		}
		if s.mode().Blocking {
			return true
		}
		if time.Now().After(end) {
			s.m.Fatalf("keys %s are not read; mode %v", keys, s.mode())
		}
	}
}

type mode struct {
	Name     string
	Blocking bool
}

func (s *seat) mode() mode {
	m, err := s.e.RPC.Mode()
	if err != nil {
		s.m.Fatalf("Neovim has ended: %v", err)
	}
	// 0.12 answers calls while it asks.
	return mode{m.Mode, m.Blocking || strings.HasPrefix(m.Mode, "r")}
}

func (s *seat) input(keys string) {
	if _, err := s.e.RPC.Input(keys); err != nil {
		s.m.Fatalf("Neovim has ended: %v", err)
	}
}

// leave goes back to normal mode.
func (s *seat) leave() {
	if s.e == nil || s.stopped {
		return
	}
	if p := s.sitting; p != nil {
		if p.defers && !s.inCommandWindow() {
			s.m.Fatalf("the command-line window was closed under the person")
		}
		s.input(p.leave)
		nvimtest.Eventually(s.m, "leave "+p.keys, func() error {
			if mode := s.mode(); mode.Blocking {
				return fmt.Errorf("mode %q", mode.Name)
			}
			return nil
		})
		s.keys(`<C-\><C-N>`)
		s.sitting = nil
	}
}

// to shows the file in the current window.
func (s *seat) to(f *file) *view {
	s.m.Helper()
	s.leave()
	s.e.Lua(nil, `
		for _, b in ipairs(vim.api.nvim_list_bufs()) do
			if vim.api.nvim_buf_get_name(b) == ... then
				return vim.cmd('buffer ' .. b) -- :edit would read it anew
			end
		end
		vim.cmd('silent edit ' .. vim.fn.fnameescape(...))`, s.name(f))
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
	state, err := os.Stat(f.path)
	for err == nil && !state.ModTime().Before(now(s.m)) { // each state has its own time
	}
	asked := s.write("w")
	if !asked {
		if f.text != v.base {
			s.m.Fatalf("the agent's text was overwritten and nobody asked: %s was\n%s\nthe person began with\n%s", f.path, short(f.text), short(v.base))
		}
		s.written(f, v)
		return
	}
	s.say("n")
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
// key may follow, which would be the answer.
func (s *seat) write(command string) (asked bool) {
	s.m.Helper()
	return s.send(":silent " + command + " | %s<CR>")
}

// say answers a question.
func (s *seat) say(answer string) {
	s.input(answer)
	nvimtest.Eventually(s.m, "say "+answer, func() error {
		if s.mode().Blocking {
			return fmt.Errorf("still asked")
		}
		return nil
	})
	s.keys(`<C-\><C-N>`)
}

// overwrite writes whatever the file is; Neovim asks all the same.
func (s *seat) overwrite(f *file, v *view) {
	if s.write("w!") {
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
	f.text = v.text
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
	s.keys([]string{
		":silent! split<CR>", ":silent! vsplit<CR>", ":silent! tab split<CR>", ":silent! only<CR>", ":silent! tabonly<CR>",
		":silent! enew<CR>", ":silent! hide<CR>", ":silent! bnext<CR>", "<C-W>w", "gg", "G", "zf2j", "ma", ":silent! tabnext<CR>",
	}[c%14])
}

func (s *seat) sit(_ *file, c int) {
	s.leave()
	p := postures[c%len(postures)]
	before := s.mode()
	s.input(p.keys)
	tries := 0
	nvimtest.Eventually(s.m, "sit at "+p.keys, func() error {
		mode := s.mode()
		p.blocks = mode.Blocking
		tries++
		if p.defers {
			if mode.Blocking || !s.inCommandWindow() {
				return fmt.Errorf("not yet in the command-line window, mode %v", mode)
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

func (s *seat) inCommandWindow() bool {
	var kind string
	s.e.Lua(&kind, "return vim.fn.getcmdwintype()")
	return kind != ""
}

func (s *seat) signal(sig syscall.Signal) {
	if err := syscall.Kill(s.pid, sig); err != nil {
		s.m.Fatal(err)
	}
}

func (s *seat) stop(_ *file, c int) {
	if s.m.isBlind && c%8 > 0 { // every hook then waits for it in vain: a second or two
		return
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

func (s *seat) goOn() {
	if s.e != nil && s.stopped {
		s.signal(syscall.SIGCONT)
		s.stopped = false
	}
}

// kill is a crash. What Neovim has written into its swap files by then is kept.
func (s *seat) kill(_ *file, c int) {
	s.leave()
	s.kept = map[*file]crashed{}
	for _, f := range s.m.files {
		v := s.views[f]
		if v == nil || !v.dirty {
			continue
		}
		from := crashed{text: v.text}
		s.e.Lua(&from.swap, `
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
