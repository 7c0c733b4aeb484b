// Package scene plays a person and an agent at one file: a real headless Neovim
// in a folder of its own, typed keys, and the hook that Claude Code would call.
package scene

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

	"sidekick/internal/nvim"
)

// Request says what to play with. All of it is required but what says otherwise.
type Request struct {
	Sidekick  string   // path of this binary
	Answerer  []string // the hook and its arguments
	Args      []string // for Neovim; may be empty
	Environ   []string // of the person; homes and sockets in it are replaced
	ParentDir string   // where the scene's folder is made and removed
}

// Scene is a Neovim with a file.
type Scene struct {
	Request
	File   string // of forty lines, "line 1" to "line 40"
	env    []string
	dir    string
	socket string
	editor *exec.Cmd
	ended  chan error
}

// longestParent leaves room for the path of the scene's socket, which the system
// bounds at 104 bytes or a few more: PARENT/sidekick-NUMBER/run/sidekick/HASH-PID.sock.
const longestParent = 104 - len("/sidekick-1234567890/run/sidekick/0123456789abcdef-1234567.sock") - 1

// Set makes the scene: it starts `sidekick nvim --headless FILE` and waits for
// its socket. Whoever gets no error must Close it.
func Set(ctx context.Context, r Request) (_ *Scene, err error) {
	if len(r.ParentDir) > longestParent {
		r.ParentDir = "/tmp"
	}
	dir, err := os.MkdirTemp(r.ParentDir, "sidekick-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	s := &Scene{Request: r, env: inside(dir, r.Environ), dir: dir, File: filepath.Join(dir, "notes.txt")}
	run := filepath.Join(dir, "run")
	for _, folder := range []string{run, filepath.Join(dir, "home")} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(s.File, []byte(lines()), 0o600); err != nil {
		return nil, err
	}
	var stderr bytes.Buffer
	s.editor = s.command(ctx, s.Sidekick, append(append([]string{"nvim", "--headless", "-n"}, r.Args...), s.File)...)
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
			// Its file is there a moment before it listens.
			if s.with(ctx, func(*nvim.Client) error { return nil }) == nil {
				return s, nil
			}
		}
		select {
		case err := <-s.ended:
			if err == nil {
				err = errors.New("it ended at once")
			}
			return nil, fmt.Errorf("start Neovim: %w: %s", err, strings.TrimSpace(stderr.String()))
		case <-ctx.Done():
			s.end()
			return nil, errors.New("start Neovim: it made no socket in time")
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// Close ends the Neovim and removes the folder.
func (s *Scene) Close() error {
	s.end()
	return os.RemoveAll(s.dir)
}

func (s *Scene) end() {
	_ = s.editor.Process.Kill() // fails where it has ended by itself
	<-s.ended
}

func (s *Scene) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.Dir = s.env, s.dir
	return cmd
}

// patience bounds one answer of the Neovim.
const patience = 30 * time.Second

// with connects to the Neovim. A program for each question would take longer than
// all that is asked.
func (s *Scene) with(ctx context.Context, do func(*nvim.Client) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client, err := nvim.Dial(ctx, s.socket)
	if err != nil {
		return err
	}
	defer client.Close()
	return do(client)
}

// Keys types in the Neovim, in its own notation of keys.
func (s *Scene) Keys(ctx context.Context, keys string) error {
	return s.with(ctx, func(c *nvim.Client) error { return c.Input(keys) })
}

// Expect evaluates an expression in the Neovim until it is want: typed keys are
// processed in the Neovim's own time.
func (s *Scene) Expect(ctx context.Context, expression, want string) (got string, err error) {
	err = s.with(ctx, func(c *nvim.Client) error {
		for {
			got, err = c.Eval(expression)
			if err != nil || got == want {
				return err
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("in Neovim %s is %q, not %q", expression, got, want)
			case <-time.After(2 * time.Millisecond):
			}
		}
	})
	return got, err
}

// Hook runs `sidekick hook` with the payload that Claude Code would send.
func (s *Scene) Hook(ctx context.Context, event string) (string, error) {
	payload, err := json.Marshal(map[string]any{
		"hook_event_name": event,
		"session_id":      "demo",
		"cwd":             s.dir,
		"tool_name":       "Edit",
		"tool_input":      map[string]any{"file_path": s.File, "old_string": "line 1\n", "new_string": "one new line\n"},
	})
	if err != nil {
		return "", err
	}
	cmd := s.command(ctx, s.Answerer[0], s.Answerer[1:]...)
	cmd.Stdin = bytes.NewReader(payload)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("run the hook: %w", err)
	}
	return string(out), nil
}
