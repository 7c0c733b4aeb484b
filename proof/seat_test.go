package proof

import (
	"errors"
	"fmt"
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
	term    *nvimtest.Terminal // nil: without one, its keys come by RPC
	stopped bool
	swaps   map[*file]string // while it is stopped
	sitting *posture         // nil: in normal mode
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
	text  string
	dirty bool
	// As look found it: lines of the text end in carriage returns.
	returns bool
	base    string   // the text that buffer and file last had in common
	state   int      // the file's then, as far as Neovim was told
	tokens  []string // typed since it was loaded

	recovered bool // from a swap file: which state of the file it belongs to, nobody knows
}

// start starts Neovim, with the runtime in it or without, in a real terminal or
// without, and recovers what the swap files have.
func (s *seat) start(c int) {
	s.m.Helper()
	if s.e != nil {
		return
	}
	args := []string{
		// The process is killed, not the machine. One that is idle looks at the files by
		// itself, and reads them at a time that the model does not know.
		"--cmd", "set updatetime=60000 updatecount=1 nofsync",
		"--cmd", "set completeopt=menuone,noinsert,noselect",
		"--cmd", "function Menu()\n call complete(col('.'), ['aa', 'ab'])\n return ''\n endfunction",
		"--cmd", "autocmd SwapExists * let v:swapchoice = get(g:, 'choice', 'e')",
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
	if s.term = nil; c%5 == 4 {
		address := s.m.home.FoundAddress(s.m)
		s.term = s.m.home.Terminal(s.m, append([]string{s.m.binary, "--clean", "--listen", address}, args...))
		s.e = s.m.home.Attach(s.m, address)
	} else {
		s.e = s.m.home.StartFound(s.m, s.m.binary, args...)
	}
	s.views, s.stopped, s.swaps, s.sitting = map[*file]*view{}, false, nil, nil
	s.forget()
	// In a terminal it answers before it has read its arguments.
	nvimtest.Eventually(s.m, "Neovim has started", func() error {
		if !s.is("v:vim_did_enter") {
			return errors.New("not yet")
		}
		return nil
	})
	synced := make(chan int, 100)
	s.synced = synced
	if err := s.e.RPC.RegisterHandler("sync", func(n int) { synced <- n }); err != nil {
		s.m.Fatal(err)
	}
	// What a person in a terminal cannot type is on a key. Newer Neovims answer the
	// question about a swap file by themselves.
	s.lua(&s.pid, `
		vim.g.channel, vim.g.want = ...
		local tell = '<Cmd>call rpcnotify(g:channel, "sync", g:want)<CR>'
		for _, mode in ipairs({'n', 'v', 'o', 'i', 'c'}) do
			vim.api.nvim_set_keymap(mode, '<F12>', tell, {noremap = true})
		end
		pcall(vim.api.nvim_del_augroup_by_name, 'nvim_swapfile')
		pcall(vim.api.nvim_del_augroup_by_name, 'nvim.swapfile')
		return vim.fn.getpid()`, s.e.RPC.ChannelID(), 0)
	s.m.show(s.pid)
	for _, f := range s.m.files {
		if from, ok := s.kept[f]; ok {
			s.recover(f, from)
		}
	}
	s.kept = nil
}

// lua runs code in Neovim, which must be free.
func (s *seat) lua(result any, code string, args ...any) {
	s.m.Helper()
	if result == nil {
		var drop any
		result = &drop
	}
	done := make(chan error, 1)
	go func() { done <- s.e.RPC.ExecLua(code, result, args...) }()
	timer := time.NewTimer(20 * time.Second)
	defer timer.Stop()
	select {
	case err := <-done:
		if err != nil {
			s.m.Fatalf("lua %q: %v", code, err)
		}
	case <-timer.C:
		s.m.Fatalf("Neovim %d does not answer (mode %v) to %q\n%s", s.number, s.mode(), code, s.screen())
	}
}

// screen is what the person sees, where there is a terminal.
func (s *seat) screen() string {
	if s.term == nil {
		return ""
	}
	return s.term.Screen()
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
	if s.send(keys + "<F12>") {
		s.m.Fatalf("after %s a question is open (mode %q)", keys, s.mode().Name)
	}
}

// send presses keys that make Neovim tell (see tell) that they were read. asked: a
// question came first.
func (s *seat) send(keys string) (asked bool) {
	s.m.Helper()
	s.m.syncs++
	want := s.m.syncs
	s.lua(nil, "vim.g.want = ...", want)
	s.input(strings.ReplaceAll(keys, "{want}", strconv.Itoa(want)))
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
			s.m.Fatalf("keys %s are not read; mode %v, %s", keys, s.mode(), s.buffers())
		}
	}
}

// tell is the end of an Ex command line that makes Neovim tell that it was run. One
// that asks first tells late, when the next keys are under way: hence the number.
const tell = ` | call rpcnotify(g:channel, "sync", {want})<CR>`

type mode struct {
	Name     string
	Blocking bool
}

func (s *seat) mode() mode {
	s.m.Helper()
	m, err := s.e.RPC.Mode()
	if err != nil {
		s.m.Fatalf("Neovim has ended: %v", err)
	}
	// 0.12 answers calls while it asks.
	return mode{m.Mode, m.Blocking || strings.HasPrefix(m.Mode, "r")}
}

// terminalKeys are what a terminal sends for keys. Escape is not among them: what follows
// it at once is taken for a key with Alt.
var terminalKeys = strings.NewReplacer("<CR>", "\r", "<Esc>", "\x1c\x0e", `<C-\><C-N>`, "\x1c\x0e",
	"<C-W>", "\x17", "<C-R>", "\x12", "<C-E>", "\x05", "<F12>", "\x1b[24~")

func (s *seat) input(keys string) {
	s.m.Helper()
	if s.term != nil {
		s.term.Type(terminalKeys.Replace(keys))
		return
	}
	if _, err := s.e.RPC.Input(keys); err != nil {
		s.m.Fatalf("Neovim has ended: %v", err)
	}
}

func (s *seat) signal(sig syscall.Signal) {
	s.m.Helper()
	if err := syscall.Kill(s.pid, sig); err != nil {
		s.m.Fatal(err)
	}
}
