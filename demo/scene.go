package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// scene is a Neovim with a file, in a folder of its own.
type scene struct {
	Request
	env    []string
	dir    string
	file   string
	socket string
	editor *exec.Cmd
	ended  chan error
}

// setScene starts `sidekick nvim --headless FILE` and waits for its socket.
func setScene(ctx context.Context, r Request, dir string) (*scene, error) {
	s := &scene{Request: r, env: inside(dir, r.Environ), dir: dir, file: filepath.Join(dir, "notes.txt")}
	run := filepath.Join(dir, "run")
	if err := os.Mkdir(run, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(s.file, []byte(lines()), 0o600); err != nil {
		return nil, err
	}
	var stderr bytes.Buffer
	s.editor = s.command(ctx, s.Sidekick, "nvim", "--headless", "-n", s.file)
	s.editor.Stderr = &stderr
	if err := s.editor.Start(); err != nil {
		return nil, fmt.Errorf("start Neovim: %w", err)
	}
	s.ended = make(chan error, 1)
	go func() { s.ended <- s.editor.Wait() }()
	for {
		sockets, err := filepath.Glob(filepath.Join(run, "sidekick", "*.sock"))
		if err == nil && len(sockets) == 1 {
			s.socket = sockets[0]
			return s, nil
		}
		select {
		case err := <-s.ended:
			return nil, fmt.Errorf("start Neovim: %w: %s", err, strings.TrimSpace(stderr.String()))
		case <-ctx.Done():
			return nil, errors.Join(errors.New("start Neovim: it made no socket"), s.close())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (s *scene) close() error {
	_ = s.editor.Process.Kill() // fails where it has ended by itself
	<-s.ended
	return nil
}

func (s *scene) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.Dir = s.env, s.dir
	return cmd
}

// keys types in the Neovim, in its own notation of keys.
func (s *scene) keys(ctx context.Context, keys string) error {
	out, err := s.command(ctx, s.Sidekick, "nvim", "--server", s.socket, "--remote-send", keys).CombinedOutput()
	if err != nil {
		return fmt.Errorf("type %q: %w: %s", keys, err, out)
	}
	return nil
}

// expect evaluates an expression in the Neovim until it is want: typed keys are
// processed in the Neovim's own time.
func (s *scene) expect(ctx context.Context, expression, want string) (string, error) {
	for {
		out, err := s.command(ctx, s.Sidekick, "nvim", "--server", s.socket, "--remote-expr", expression).CombinedOutput()
		got := strings.TrimSpace(string(out))
		if err == nil && got == want {
			return got, nil
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("in Neovim %s is %q, not %q", expression, got, want)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// hook runs `sidekick hook` with the payload that Claude Code would send.
func (s *scene) hook(ctx context.Context, event string) (string, error) {
	payload, err := json.Marshal(map[string]any{
		"hook_event_name": event,
		"session_id":      "demo",
		"cwd":             s.dir,
		"tool_name":       "Edit",
		"tool_input":      map[string]any{"file_path": s.file, "old_string": "line 1\n", "new_string": "one new line\n"},
	})
	if err != nil {
		return "", err
	}
	cmd := s.command(ctx, s.Sidekick, "hook")
	cmd.Stdin = bytes.NewReader(payload)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("run the hook: %w", err)
	}
	return string(out), nil
}
