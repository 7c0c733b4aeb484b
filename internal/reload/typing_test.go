package reload_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/reload"
)

// person starts Neovim in a real terminal with a file open.
func person(t *testing.T, binary, text string) (e *nvimtest.Editor, term *nvimtest.Terminal, path string) {
	t.Helper()
	home := nvimtest.NewHome(t)
	path = home.Write(t, "notes.txt", text)
	address := home.NewAddress()
	term = home.Terminal(t, []string{binary, "--clean", "-n", "--listen", address, "--cmd", "set hidden undolevels=1000", path})
	e = home.Attach(t, address)
	term.WaitFor("line 1")
	return e, term, path
}

func waitForMode(t *testing.T, e *nvimtest.Editor, want string) {
	t.Helper()
	nvimtest.Eventually(t, "mode "+want, func() error {
		mode, err := e.RPC.Mode()
		if err == nil && !strings.HasPrefix(mode.Mode, want) {
			err = fmt.Errorf("mode is %q", mode.Mode)
		}
		return err
	})
}

func waitForText(t *testing.T, e *nvimtest.Editor, path, want string) {
	t.Helper()
	nvimtest.Eventually(t, "the text", func() error {
		if diff := cmp.Diff(want, strings.Join(e.Lines(path), "\n")+"\n"); diff != "" {
			return fmt.Errorf("(-want +got):\n%s", diff)
		}
		return nil
	})
}

// waitForState runs Lua until it returns want.
func waitFor(t *testing.T, e *nvimtest.Editor, code, want string) {
	t.Helper()
	nvimtest.Eventually(t, code, func() error {
		var got string
		e.Lua(&got, code)
		if got != want {
			return fmt.Errorf("got %q, want %q", got, want)
		}
		return nil
	})
}

func TestTypingGoesOnInInsertMode(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		e, term, path := person(t, binary, numbered(40))
		term.Keys("1", "0", "G", "A")
		term.Type(" one")
		waitFor(t, e, `return vim.api.nvim_get_current_line()`, "line 10 one")
		e.Command("silent write") // as an autosave plugin does
		saved := strings.Replace(numbered(40), "line 10\n", "line 10 one\n", 1)
		agent := "top\n" + strings.Replace(saved, "line 30\n", "line thirty\n", 1)
		write(t, path, agent)
		if got := sync(t, e, path); len(got.Buffers) != 1 || got.Buffers[0].State != reload.Reloaded {
			t.Fatalf("got %+v", got)
		}
		term.Type(" two")
		typed := strings.Replace(agent, "line 10 one\n", "line 10 one two\n", 1)
		waitForText(t, e, path, typed)
		waitForMode(t, e, "i")
		term.Keys("Escape")
		waitForMode(t, e, "n")
		for _, want := range []string{agent, saved, numbered(40)} {
			term.Keys("u")
			waitForText(t, e, path, want)
		}
	})
}

func TestSelectionStaysOnItsText(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		for _, keys := range [][]string{
			{"1", "0", "G", "3", "l", "v", "2", "j"},
			{"1", "2", "G", "3", "l", "v", "2", "k"},
			{"1", "0", "G", "V", "2", "j"},
			{"1", "0", "G", "C-v", "2", "j", "2", "l"},
		} {
			e, term, path := person(t, binary, numbered(40))
			term.Keys(keys...)
			const selection = `
				local function at(where)
					local pos = vim.fn.getpos(where)
					return vim.fn.getline(pos[2]) .. ':' .. pos[3]
				end
				return vim.fn.mode() .. ' ' .. at('v') .. ' ' .. at('.')`
			want := map[string]string{
				"v2j": "v line 10:4 line 12:4", "v2k": "v line 12:4 line 10:4", "V2j": "V line 10:1 line 12:1",
				"C-v2j2l": "\x16 line 10:1 line 12:3",
			}[strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(strings.Join(keys, ""), "10G"), "12G"), "3l")]
			waitFor(t, e, selection, want)
			write(t, path, "top\nmore\n"+strings.Replace(numbered(40), "line 11\n", "line 11\nbetween\n", 1))
			sync(t, e, path)
			waitFor(t, e, selection, want)
			term.Type("y")
			waitForMode(t, e, "n")
		}
	})
}

// TestCatchesUp leaves Neovim in states in which nothing can be changed. Once the
// person goes on, the buffer is the file, without another word from us.
func TestCatchesUp(t *testing.T) {
	for _, state := range []struct {
		name     string
		keys, on []string // into the state, and out of it
		see      string
	}{
		{"hit-enter", []string{":echo 'a' | echo 'b'", "Enter"}, []string{"Enter"}, "Press ENTER"},
		{"pending key", []string{`"`}, []string{"Escape"}, ""},
		{"shell command", []string{":!echo begun; read line", "Enter"}, []string{"Enter", "Enter"}, "begun"},
		{"confirm", []string{":call confirm('sure?')", "Enter"}, []string{"Enter"}, "sure?"},
		{"command-line window", []string{"q", ":"}, []string{":quit", "Enter"}, "[Command Line]"},
	} {
		for _, known := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/runtime=%v", state.name, known), func(t *testing.T) {
				nvimtest.Each(t, func(t *testing.T, binary string) {
					t.Parallel()
					e, term, path := person(t, binary, numbered(40))
					if known {
						sync(t, e, path) // brings the runtime
					}
					term.Keys(state.keys...)
					if state.see != "" {
						term.WaitFor(state.see)
					} else {
						nvimtest.Eventually(t, "blocked", func() error {
							if mode, err := e.RPC.Mode(); err != nil || !mode.Blocking {
								return fmt.Errorf("%+v %v", mode, err)
							}
							return nil
						})
					}
					want := "top\n" + numbered(40)
					write(t, path, want)
					result, err := reload.File(dial(t, e.Address), &reload.Request{Names: []string{path}, Say: say})
					if err != nil {
						t.Fatal(err)
					}
					if !result.Blocked && (len(result.Buffers) != 1 || result.Buffers[0].State != reload.Deferred) {
						t.Fatalf("got %+v", result)
					}
					term.Keys(state.on...)
					waitForText(t, e, path, want)
					waitFor(t, e, `return tostring(vim.bo.modified)`, "false")
				})
			})
		}
	}
}
