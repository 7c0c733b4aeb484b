package nvimtest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Terminal is a real terminal (a tmux pane) with a program in it, where the
// test types what a person would.
type Terminal struct {
	t      testing.TB
	socket string
}

// Terminal starts command (argv) in a terminal of 100 columns and 30 lines, in
// the home, with extra environment entries.
func (h Home) Terminal(t testing.TB, command []string, extra ...string) *Terminal {
	t.Helper()
	term := &Terminal{t: t, socket: filepath.Join(h.Dir, fmt.Sprintf("t%d", socketCount.Add(1)))}
	args := append([]string{"-S", term.socket, "-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "--", "env", "-i"},
		h.Environ(extra...)...)
	args = append(args, command...)
	cmd := h.command("tmux", args, nil)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v: %s", err, out)
	}
	t.Cleanup(term.end)
	return term
}

// end closes the terminal and kills all that ran in it: a Neovim in an endless
// loop does not notice that its terminal has gone.
func (term *Terminal) end() {
	tmux := func(args ...string) []byte {
		out, _ := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...).Output()
		return out
	}
	first, _ := strconv.Atoi(strings.TrimSpace(string(tmux("display-message", "-p", "#{pane_pid}"))))
	below := descendants(first)
	tmux("kill-server")
	for _, pid := range below {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// descendants lists a process and all below it.
func descendants(first int) []int {
	if first == 0 {
		return nil
	}
	out, _ := exec.Command("ps", "-A", "-o", "ppid=,pid=").Output()
	children := map[int][]int{}
	for line := range strings.Lines(string(out)) {
		var parent, pid int
		if n, _ := fmt.Sscan(line, &parent, &pid); n == 2 {
			children[parent] = append(children[parent], pid)
		}
	}
	all := []int{first}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// Keys presses keys in tmux's notation: "i", "Escape", "C-w".
func (term *Terminal) Keys(keys ...string) {
	term.t.Helper()
	term.tmux(append([]string{"send-keys"}, keys...)...)
}

// KeysUntil presses keys until holds returns nil, as Eventually does, and waits
// between as a person would: to a terminal, two Escapes at once are another key.
func (term *Terminal) KeysUntil(what string, holds func() error, keys ...string) {
	term.t.Helper()
	var pressed time.Time
	Eventually(term.t, what, func() error {
		err := holds()
		if err != nil && time.Since(pressed) > 200*time.Millisecond {
			term.Keys(keys...)
			pressed = time.Now()
		}
		return err
	})
}

// Type types text literally.
func (term *Terminal) Type(text string) {
	term.t.Helper()
	term.tmux("send-keys", "-l", "--", text)
}

// Screen returns what the person sees.
func (term *Terminal) Screen() string {
	term.t.Helper()
	return term.tmux("capture-pane", "-p")
}

// WaitFor polls until the screen holds text.
func (term *Terminal) WaitFor(text string) {
	term.t.Helper()
	Eventually(term.t, "wait for the screen", func() error {
		if screen := term.Screen(); !strings.Contains(screen, text) {
			return fmt.Errorf("no %q on the screen:\n%s", text, screen)
		}
		return nil
	})
}

func (term *Terminal) tmux(args ...string) string {
	term.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...).CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
