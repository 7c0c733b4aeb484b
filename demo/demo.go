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
	"strings"
	"time"

	"sidekick/internal/scene"
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
	set, err := scene.Set(ctx, scene.Request{
		Sidekick: r.Sidekick, Answerer: []string{r.Sidekick, "hook"}, Environ: r.Environ, ParentDir: r.ParentDir,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	return (&demo{set, r.Stdout}).play(ctx)
}

type demo struct {
	*scene.Scene
	out io.Writer
}

// play runs the acts in order.
func (s *demo) play(ctx context.Context) error {
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
		fmt.Fprintf(s.out, "%d. %s\n", i+1, act.title)
		seen, err := act.run(ctx)
		if err != nil {
			return fmt.Errorf("demo, step %d: %w", i+1, err)
		}
		fmt.Fprintln(s.out, indent(seen))
	}
	fmt.Fprintln(s.out, words.DemoEnd)
	return nil
}

// typeText is the person: the cursor on "line 20", new text, not saved.
func (s *demo) typeText(ctx context.Context) (string, error) {
	if err := s.Keys(ctx, "20GA, typed by a person<Esc>"); err != nil {
		return "", err
	}
	return s.Expect(ctx, "getline('.') .. ' | modified: ' .. &modified", "line 20, typed by a person | modified: 1")
}

func (s *demo) editIsBlocked(ctx context.Context) (string, error) {
	answer, err := s.Hook(ctx, "PreToolUse")
	if err != nil {
		return "", err
	}
	if !strings.Contains(answer, `"permissionDecision":"deny"`) {
		return "", fmt.Errorf("the hook did not deny the edit: %q", answer)
	}
	return strings.TrimSpace(answer), nil
}

func (s *demo) save(ctx context.Context) (string, error) {
	if err := s.Keys(ctx, ":silent write<CR>"); err != nil {
		return "", err
	}
	return s.Expect(ctx, "'modified: ' .. &modified", "modified: 0")
}

func (s *demo) editIsAllowed(ctx context.Context) (string, error) {
	answer, err := s.Hook(ctx, "PreToolUse")
	if err != nil {
		return "", err
	}
	if answer != "" {
		return "", fmt.Errorf("the hook objects to an edit of a saved file: %q", answer)
	}
	return words.DemoNoObjection, nil
}

// bufferIsReloaded is the agent: three lines above the cursor.
func (s *demo) bufferIsReloaded(ctx context.Context) (string, error) {
	old, err := os.ReadFile(s.File)
	if err != nil {
		return "", err
	}
	text := "one new line\nanother\na third\n" + string(old)
	if err := os.WriteFile(s.File, []byte(text), 0o600); err != nil {
		return "", err
	}
	answer, err := s.Hook(ctx, "PostToolUse")
	if err != nil {
		return "", err
	}
	if answer != "" {
		return "", fmt.Errorf("the hook had something to say after the edit: %q", answer)
	}
	return s.Expect(ctx, "'cursor in line ' .. line('.') .. ', on: ' .. getline('.') .. ' | first line: ' .. getline(1) .. ' | modified: ' .. &modified",
		"cursor in line 23, on: line 20, typed by a person | first line: one new line | modified: 0")
}

func (s *demo) undoGoesBack(ctx context.Context) (string, error) {
	if err := s.Keys(ctx, "u"); err != nil {
		return "", err
	}
	return s.Expect(ctx, "'first line: ' .. getline(1)", "first line: line 1")
}

func indent(text string) string {
	return "   " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n   ") + "\n"
}
