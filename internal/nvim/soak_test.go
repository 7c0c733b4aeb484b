package nvim_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"sidekick/internal/nvim"
	"sidekick/internal/nvim/nvimtest"
)

// questions is how often each Neovim is asked in the soak; SIDEKICK_SOAK sets
// it for a long run (scripts/soak).
func questions(t *testing.T) int {
	t.Helper()
	text := os.Getenv("SIDEKICK_SOAK")
	if text == "" {
		return 300
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("SIDEKICK_SOAK=%q is no number", text)
	}
	return n
}

// Asking must not disturb: while a person types, timers run and commands block,
// the editor never ends, shows no message, and loses no key.
func TestSoak(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		home := nvimtest.NewHome(t)
		path := home.Write(t, "notes.txt", "")
		address := home.NewAddress()
		term := home.Terminal(t, []string{
			binary, "--clean", "-n", "--listen", address, "--cmd", "set shortmess+=I noshowcmd",
			"--cmd", "call timer_start(7, {-> getline(1)}, {'repeat': -1})",
			"--cmd", "lua local t = vim.loop.new_timer() t:start(11, 11, vim.schedule_wrap(function() return vim.fn.line('$') end))",
			path,
		})
		home.Attach(t, address)

		done := make(chan struct{})
		typed := make(chan string, 1)
		go func() {
			var text strings.Builder
			defer func() { typed <- text.String() }()
			for {
				select {
				case <-done:
					return
				default:
				}
				text.WriteString(typeSomething(term, random))
			}
		}()
		var asked, answered int
		for asked < questions(t) {
			asked++
			if oneQuestion(t, address) == nil {
				answered++
			}
		}
		close(done)
		want := <-typed

		e := home.Attach(t, address)
		nvimtest.Eventually(t, "every typed character is in the buffer", func() error {
			if got := strings.Join(e.Lines(path), "\n"); got != want {
				return fmt.Errorf("got %q, want %q", got, want)
			}
			return nil
		})
		var messages string
		e.Lua(&messages, `return vim.fn.execute('messages')`)
		if strings.TrimSpace(messages) != "" {
			t.Errorf("messages: %q", messages)
		}
		if answered < asked*9/10 {
			t.Errorf("%d of %d questions were answered", answered, asked)
		}
	})
}

// oneQuestion asks by the way that the state of the editor calls for, and now
// and then by the blocked query in any state.
func oneQuestion(t *testing.T, address string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	client, err := nvim.Dial(ctx, address)
	if err != nil {
		t.Fatalf("the editor has ended: %v", err)
	}
	defer client.Close()
	_, err1 := client.OpenFiles(true)
	_, err2 := client.ModifiedNames()
	return errors.Join(err1, err2)
}

// typeSomething types as a person does and returns what it adds to the buffer.
func typeSomething(term *nvimtest.Terminal, random *rand.Rand) string {
	words := []string{"alpha", "beta", "gamma", "delta"}
	word := words[random.IntN(len(words))]
	// Not Escape: a key that follows it at once makes another key with it.
	home := func() { term.Keys(`C-\`, "C-n") }
	switch random.IntN(5) {
	case 0: // half a command, each of which waits for one more key
		for _, pending := range []string{`"`, "C-w", "g", "f"} {
			term.Keys(pending)
			home()
		}
		return ""
	case 1: // a command that blocks for a moment
		term.Type(":silent call system('sleep 0.05')\r")
		return ""
	case 2: // visual mode and back
		term.Keys("V")
		home()
		return ""
	default:
		term.Type("GA" + word + " ")
		home()
		return word + " "
	}
}
