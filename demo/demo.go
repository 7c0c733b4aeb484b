// Package demo plays sidekick's main job in front of a reader: a real headless
// Neovim with unsaved text, and the real hook between it and an agent's edit.
// It needs no terminal and no agent, and leaves nothing behind.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sidekick/internal/words"
)

// bound is how long the whole demo may take.
const bound = 30 * time.Second

// Request says what to play with.
type Request struct {
	Stdout    io.Writer
	Sidekick  string   // path of this binary
	Environ   []string // of the person; homes and sockets in it are replaced
	ParentDir string   // where the scene's folder is made and removed
}

// Run plays the demo. The error names the step that did not go as it should.
func Run(ctx context.Context, r Request) (err error) {
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	dir, err := os.MkdirTemp(r.ParentDir, "sidekick-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := setScene(ctx, r, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	return s.play(ctx)
}

// play runs the acts in order.
func (s *scene) play(ctx context.Context) error {
	acts := []struct {
		title string
		run   func(context.Context) (string, error)
	}{
		{words.DemoTyped, s.typeText},
		{words.DemoBlocked, s.editIsBlocked},
		{words.DemoSaved, s.save},
		{words.DemoAllowed, s.editIsAllowed},
		{words.DemoReloaded, s.bufferIsReloaded},
		{words.DemoUndo, s.undoGoesBack},
	}
	for i, act := range acts {
		fmt.Fprintf(s.Stdout, "%d. %s\n", i+1, act.title)
		seen, err := act.run(ctx)
		if err != nil {
			return fmt.Errorf("demo, step %d: %w", i+1, err)
		}
		fmt.Fprintln(s.Stdout, indent(seen))
	}
	fmt.Fprintln(s.Stdout, words.DemoEnd)
	return nil
}

// typeText is the person: the cursor on "line 20", new text, not saved.
func (s *scene) typeText(ctx context.Context) (string, error) {
	if err := s.keys(ctx, "20GA, typed by a person<Esc>"); err != nil {
		return "", err
	}
	return s.expect(ctx, "getline('.') .. ' | modified: ' .. &modified", "line 20, typed by a person | modified: 1")
}

func (s *scene) editIsBlocked(ctx context.Context) (string, error) {
	answer, err := s.hook(ctx, "PreToolUse")
	if err != nil {
		return "", err
	}
	if !strings.Contains(answer, `"permissionDecision":"deny"`) {
		return "", fmt.Errorf("the hook did not deny the edit: %q", answer)
	}
	return strings.TrimSpace(answer), nil
}

func (s *scene) save(ctx context.Context) (string, error) {
	if err := s.keys(ctx, ":silent write<CR>"); err != nil {
		return "", err
	}
	return s.expect(ctx, "'modified: ' .. &modified", "modified: 0")
}

func (s *scene) editIsAllowed(ctx context.Context) (string, error) {
	answer, err := s.hook(ctx, "PreToolUse")
	if err != nil {
		return "", err
	}
	if answer != "" {
		return "", fmt.Errorf("the hook objects to an edit of a saved file: %q", answer)
	}
	return words.DemoNoObjection, nil
}

// bufferIsReloaded is the agent: three lines above the cursor.
func (s *scene) bufferIsReloaded(ctx context.Context) (string, error) {
	old, err := os.ReadFile(s.file)
	if err != nil {
		return "", err
	}
	text := "one new line\nanother\na third\n" + string(old)
	if err := os.WriteFile(s.file, []byte(text), 0o600); err != nil {
		return "", err
	}
	answer, err := s.hook(ctx, "PostToolUse")
	if err != nil {
		return "", err
	}
	if answer != "" {
		return "", fmt.Errorf("the hook had something to say after the edit: %q", answer)
	}
	return s.expect(ctx, "'cursor in line ' .. line('.') .. ', on: ' .. getline('.') .. ' | first line: ' .. getline(1) .. ' | modified: ' .. &modified",
		"cursor in line 23, on: line 20, typed by a person | first line: one new line | modified: 0")
}

func (s *scene) undoGoesBack(ctx context.Context) (string, error) {
	if err := s.keys(ctx, "u"); err != nil {
		return "", err
	}
	return s.expect(ctx, "'first line: ' .. getline(1)", "first line: line 1")
}

func indent(text string) string {
	return "   " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n   ") + "\n"
}

// lines is the file of the scene.
func lines() string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// inside makes the environment of the scene: nothing of the person's own homes
// and editors, so that nothing of theirs is touched.
func inside(dir string, environ []string) []string {
	replaced := map[string]string{
		"HOME": dir, "TMPDIR": dir,
		"XDG_RUNTIME_DIR": filepath.Join(dir, "run"),
		"XDG_CONFIG_HOME": filepath.Join(dir, "config"),
		"XDG_CACHE_HOME":  filepath.Join(dir, "cache"),
		"XDG_DATA_HOME":   filepath.Join(dir, "data"),
		"XDG_STATE_HOME":  filepath.Join(dir, "state"),
	}
	var env []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		_, ours := replaced[name]
		if ours || name == "NVIM" || name == "NVIM_LISTEN_ADDRESS" || name == "NVIM_APPNAME" ||
			(strings.HasPrefix(name, "SIDEKICK_") && name != "SIDEKICK_NVIM") {
			continue
		}
		env = append(env, entry)
	}
	for name, value := range replaced {
		env = append(env, name+"="+value)
	}
	return env
}
