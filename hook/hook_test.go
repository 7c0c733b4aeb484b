package hook_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sidekick/hook"
	"sidekick/internal/claude"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/socket"
	"sidekick/internal/swapfile"
)

// scene is a home with Neovims in it, and an agent that works in the home.
type scene struct {
	nvimtest.Home
	t   *testing.T
	env map[string]string // of the hook
}

func newScene(t *testing.T) *scene {
	t.Helper()
	return &scene{Home: nvimtest.NewHome(t), t: t, env: map[string]string{}}
}

// payload is a hook event; fields that a test does not name are filled in.
type payload map[string]any

func edit(path string) payload {
	return payload{
		"hook_event_name": claude.PreToolUse, "tool_name": claude.Edit,
		"tool_input": map[string]any{"file_path": path, "old_string": "a", "new_string": "b"},
	}
}

func bash(command string) payload {
	return payload{
		"hook_event_name": claude.PreToolUse, "tool_name": claude.Bash,
		"tool_input": map[string]any{"command": command, "description": "d"},
	}
}

// after turns a PreToolUse payload into the PostToolUse of the same call.
func (p payload) after() payload {
	post := payload{"tool_response": map[string]any{}}
	for name, value := range p {
		post[name] = value
	}
	post["hook_event_name"] = claude.PostToolUse
	return post
}

// world is the hook's, confined to the home: other tests' Neovims run on the
// same machine as the same user.
func (s *scene) world(stdin io.Reader, stdout io.Writer) hook.World {
	host, err := os.Hostname()
	if err != nil {
		s.t.Fatal(err)
	}
	return hook.World{
		Stdin:      stdin,
		Stdout:     stdout,
		Getenv:     func(name string) string { return s.env[name] },
		Home:       s.Dir,
		ConfigFile: filepath.Join(s.Dir, ".config", "sidekick", "config.toml"),
		StateHome:  filepath.Join(s.Dir, ".local", "state"),
		Sockets: socket.World{
			Env:  socket.Env{RuntimeDir: s.Runtime, TempDir: s.Dir, UID: os.Getuid()},
			Proc: filepath.Join(s.Dir, "no-proc"), Now: time.Now(),
		},
		Swaps: swapfile.World{
			Home: s.Dir, StateHome: filepath.Join(s.Dir, ".local", "state"), DataHome: filepath.Join(s.Dir, ".local", "share"),
			TempDir: s.Dir, Host: host, UID: os.Getuid(), Proc: "/proc",
		},
	}
}

// run gives the hook one event and returns its answer, which must be one JSON
// object or nothing.
func (s *scene) run(p payload) claude.Answer {
	s.t.Helper()
	for name, value := range map[string]any{"session_id": "s1", "cwd": s.Dir, "tool_use_id": "t1"} {
		if _, given := p[name]; !given {
			p[name] = value
		}
	}
	text, err := json.Marshal(p)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.runText(string(text))
}

func (s *scene) runText(text string) claude.Answer {
	s.t.Helper()
	var out bytes.Buffer
	hook.Run(s.t.Context(), s.world(strings.NewReader(text), &out))
	var answer claude.Answer
	if out.Len() == 0 {
		return answer
	}
	decoder := json.NewDecoder(&out)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&answer); err != nil {
		s.t.Fatalf("the answer is not one JSON object: %v", err)
	}
	if rest, _ := io.ReadAll(io.MultiReader(decoder.Buffered(), &out)); strings.TrimSpace(string(rest)) != "" {
		s.t.Fatalf("more than one answer: %q", rest)
	}
	return answer
}

// start runs a headless Neovim that the hook finds.
func (s *scene) start(binary string, args ...string) *nvimtest.Editor {
	s.t.Helper()
	return s.StartFound(s.t, binary, args...)
}

// log returns the journal.
func (s *scene) log() string {
	text, _ := os.ReadFile(filepath.Join(s.Dir, ".local", "state", "sidekick", "log.jsonl"))
	return string(text)
}

func wantSilent(t *testing.T, answer claude.Answer) {
	t.Helper()
	if !answer.Silent() {
		text, _ := json.Marshal(answer)
		t.Errorf("the hook answers %s, want nothing", text)
	}
}

// wantDeny checks the refusal and that its reason says each of the parts.
func wantDeny(t *testing.T, answer claude.Answer, parts ...string) {
	t.Helper()
	if answer.Output == nil || answer.Output.Decision != "deny" {
		text, _ := json.Marshal(answer)
		t.Fatalf("the hook answers %s, want a deny", text)
	}
	if answer.Output.Event != claude.PreToolUse {
		t.Errorf("hookEventName is %q", answer.Output.Event)
	}
	for _, part := range parts {
		if !strings.Contains(answer.Output.Reason, part) {
			t.Errorf("the reason does not say %q:\n%s", part, answer.Output.Reason)
		}
	}
}

// wantSilentToModel allows a sentence for the person only.
func wantSilentToModel(t *testing.T, answer claude.Answer) {
	t.Helper()
	answer.SystemMessage = ""
	wantSilent(t, answer)
}
