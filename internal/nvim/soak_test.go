package nvim_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sidekick/internal/nvim"
	"sidekick/internal/nvim/nvimtest"
)

// setting reads a number from the environment: SIDEKICK_SOAK is how often each
// Neovim is asked, for a long run (scripts/soak), and SIDEKICK_SEED repeats one.
func setting(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s=%q is no number", name, text)
	}
	return n
}

// Asking must not disturb: while a person types, timers run and commands block,
// the editor never ends, shows no message, and loses no key.
func TestSoak(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		questions := setting(t, "SIDEKICK_SOAK", 300)
		seed := setting(t, "SIDEKICK_SEED", uint64(time.Now().UnixNano()))
		t.Logf("SIDEKICK_SEED=%d", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		home := nvimtest.NewHome(t)
		path := home.Write(t, "notes.txt", "")
		address := home.NewAddress()
		term := home.Terminal(t, []string{
			"sh", "-c", `"$0" "$@" 2>stderr; echo "exit status $?" >ended`,
			binary, "--clean", "-n", "--listen", address, "--cmd", "set shortmess+=I noshowcmd",
			"--cmd", "call timer_start(7, {-> getline(1)}, {'repeat': -1})",
			"--cmd", "lua local t = vim.loop.new_timer() t:start(11, 11, vim.schedule_wrap(function() return vim.fn.line('$') end))",
			path,
		})
		home.Attach(t, address)
		term.WaitFor("~") // CTRL-\ ends a program that has not yet taken over its terminal

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
		var asked, answered uint64
		start := time.Now()
		for asked < questions {
			asked++
			if oneQuestion(t, home, address) == nil {
				answered++
			}
			if asked%max(questions/20, 300) == 0 {
				took := time.Since(start)
				t.Logf("asked %d of %d, %d answered, in %s (%.0f per second)",
					asked, questions, answered, took.Round(time.Second), float64(asked)/took.Seconds())
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

// oneQuestion asks by the way that the state of the editor calls for, then by the
// blocked query in any state, and leaves a line that is not to be shown.
func oneQuestion(t *testing.T, home nvimtest.Home, address string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	client, err := nvim.Dial(ctx, address)
	if err != nil {
		t.Fatalf("the editor has ended: %v; %s", err, ended(t, home))
	}
	defer client.Close()
	_, err1 := client.OpenFiles(true)
	_, err2 := client.ModifiedNames()
	err3 := client.TellWhenFree([]string{"/not/open"}, "about a file that is not open", time.Time{})
	return errors.Join(err1, err2, err3)
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

// ended says how the editor ended.
func ended(t *testing.T, home nvimtest.Home) string {
	t.Helper()
	var status []byte
	nvimtest.Eventually(t, "the editor's exit status", func() (err error) {
		status, err = os.ReadFile(filepath.Join(home.Dir, "ended"))
		return err
	})
	stderr, _ := os.ReadFile(filepath.Join(home.Dir, "stderr"))
	return fmt.Sprintf("%s %s", status, stderr)
}
