package nvim_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"sidekick/internal/nvim"
	"sidekick/internal/nvim/nvimtest"
)

// states are all the states in which a person may leave an editor, and the keys
// that lead there from normal mode, in tmux's notation.
var states = []struct {
	name    string
	keys    []string
	silent  bool // nothing answers, by any call
	wantSee string
}{
	{name: "normal"},
	{name: "insert", keys: []string{"i"}},
	{name: "insert completion", keys: []string{"i", "C-x", "C-n"}},
	{name: "replace", keys: []string{"R"}},
	{name: "visual", keys: []string{"v"}},
	{name: "visual line", keys: []string{"V"}},
	{name: "visual block", keys: []string{"C-v"}},
	{name: "select", keys: []string{"g", "h"}},
	{name: "operator pending", keys: []string{"d"}},
	{name: "command line", keys: []string{":", "a"}},
	{name: "search", keys: []string{"/", "a"}},
	{name: "command-line window", keys: []string{"q", ":"}, wantSee: "[Command Line]"},
	{name: "recording", keys: []string{"q", "a"}, wantSee: "recording"},
	{name: "input()", keys: []string{":call input('name? ')", "Enter"}, wantSee: "name?"},
	{name: "pending r", keys: []string{"r"}},
	{name: "pending f", keys: []string{"f"}},
	{name: "pending register", keys: []string{`"`}},
	{name: "pending CTRL-W", keys: []string{"C-w"}},
	{name: "pending g", keys: []string{"g"}},
	{name: "half a mapping", keys: []string{","}},
	{name: "insert CTRL-V", keys: []string{"i", "C-v"}},
	{name: "insert CTRL-R", keys: []string{"i", "C-r"}},
	{name: "hit-enter", keys: []string{":echo 'one' | echo 'two'", "Enter"}, wantSee: "Press ENTER"},
	{name: "more prompt", keys: []string{":for i in range(99) | echo i | endfor", "Enter"}, wantSee: "-- More --"},
	{name: "confirm()", keys: []string{":call confirm('sure?')", "Enter"}, wantSee: "sure?"},
	{name: "substitute confirm", keys: []string{":%s/typed/x/gc", "Enter"}, wantSee: "replace with"},
	{name: "inputlist()", keys: []string{":call inputlist(['pick', 'one'])", "Enter"}, wantSee: "pick"},
	{name: "shell command", keys: []string{":!echo begun; exec sleep 1000", "Enter"}, wantSee: "begun"},
	{name: "system()", keys: []string{":echo 'begun' | redraw | call system('exec sleep 1000')", "Enter"}},
	{name: "Vimscript loop", keys: []string{":while 1 | endwhile", "Enter"}},
	{name: "terminal", keys: []string{":terminal", "Enter", "i"}},
	{name: "Lua loop", keys: []string{":lua while true do end", "Enter"}, silent: true},
}

func TestOpenFilesInEveryState(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for _, state := range states {
			t.Run(state.name, func(t *testing.T) {
				t.Parallel()
				home := nvimtest.NewHome(t)
				path := home.Write(t, "notes.txt", "text\n")
				address := home.NewAddress()
				term := home.Terminal(t, []string{
					binary, "--clean", "-n", "--listen", address,
					"--cmd", "set hidden timeoutlen=100000", "--cmd", "nmap ,x :echo<CR>", path,
				})
				home.Attach(t, address)
				term.WaitFor("text")
				term.Keys("i")
				term.Type("typed ")
				term.WaitFor("typed text")
				term.Keys("Escape")
				waitForMode(t, address, "n")
				term.Keys(state.keys...)
				if state.wantSee != "" {
					term.WaitFor(state.wantSee)
				}
				if state.silent {
					waitUntilSilent(t, address)
					return
				}
				nvimtest.Eventually(t, "the modified file is seen", func() error {
					got, err := ask(t, address, 2*time.Second)
					if err != nil {
						return err
					}
					if !slices.ContainsFunc(got.Files, func(f nvim.OpenFile) bool { return f.Name == path && f.Modified }) {
						t.Fatalf("a silent \"free\" in state %q: %+v", state.name, got)
					}
					return nil
				})
			})
		}
	})
}

func ask(t *testing.T, address string, bound time.Duration) (nvim.OpenFiles, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	defer cancel()
	client, err := nvim.Dial(ctx, address)
	if err != nil {
		return nvim.OpenFiles{}, err
	}
	defer client.Close()
	return client.OpenFiles(false)
}

func waitForMode(t *testing.T, address, want string) {
	t.Helper()
	nvimtest.Eventually(t, "mode "+want, func() error {
		mode, err := dial(t, address).Mode()
		if err == nil && mode.Name != want {
			err = errors.New("mode is " + mode.Name)
		}
		return err
	})
}

// waitUntilSilent waits for the state in which no call answers, and checks that
// it is an error and not a "free".
func waitUntilSilent(t *testing.T, address string) {
	t.Helper()
	nvimtest.Eventually(t, "nothing answers", func() error {
		if _, err := ask(t, address, 300*time.Millisecond); err == nil {
			return errors.New("it still answers")
		}
		return nil
	})
}

// Suspended in a shell by CTRL-Z: 0.7 stops whole, later ones leave their server
// running. Never a silent "free".
func TestSuspended(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		path := home.Write(t, "notes.txt", "text\n")
		address := home.NewAddress()
		term := home.Terminal(t, []string{"bash", "--norc", "-i"})
		term.Type(binary + " --clean -n --listen " + address + " " + path + "\r")
		home.Attach(t, address)
		term.WaitFor("text")
		term.Type("ityped ")
		term.WaitFor("typed text")
		term.Keys("Escape")
		waitForMode(t, address, "n")
		term.Keys("C-z")
		term.WaitFor("Stopped")
		got, err := ask(t, address, time.Second)
		if err == nil && !slices.ContainsFunc(got.Files, func(f nvim.OpenFile) bool { return f.Name == path }) {
			t.Errorf("a silent \"free\": %+v", got)
		}
	})
}

// The question about a swap file at the start: what is unsaved in another buffer
// is seen all the same.
func TestSwapFileDialog(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		path := home.Write(t, "notes.txt", "text\n")
		other := home.Write(t, "other.txt", "other\n")
		first := home.Start(t, binary, "--cmd", "set directory=.")
		first.Edit(path)
		first.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
		address := home.NewAddress()
		term := home.Terminal(t, []string{binary, "--clean", "--cmd", "set directory=. hidden shortmess-=A", "--listen", address, other})
		home.Attach(t, address)
		term.WaitFor("other")
		term.Type("ityped ")
		term.WaitFor("typed other")
		term.Keys("Escape")
		waitForMode(t, address, "n")
		// Since 0.10 Neovim answers the question by itself, in a group with two names.
		term.Type(":silent! autocmd! nvim_swapfile\r:silent! autocmd! nvim.swapfile\r")
		term.Type(":edit notes.txt\r")
		term.WaitFor("(R)ecover")
		got, err := ask(t, address, 2*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(got.Files, func(f nvim.OpenFile) bool { return f.Name == other && f.Modified }) {
			t.Errorf("a silent \"free\": %+v", got)
		}
	})
}
