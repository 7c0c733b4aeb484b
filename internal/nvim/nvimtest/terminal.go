package nvimtest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", term.socket, "kill-server").Run() })
	return term
}

// Keys presses keys in tmux's notation: "i", "Escape", "C-w".
func (term *Terminal) Keys(keys ...string) {
	term.t.Helper()
	term.tmux(append([]string{"send-keys"}, keys...)...)
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
