// Package claude is the door to Claude Code: it says in Go types what the
// client sends to a hook and what it accepts as an answer. It tolerates fields
// and events that it does not know, because the client adds some every month.
//
// Shapes were measured with Claude Code 2.1.197 and 2.1.332.
package claude

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Events that sidekick answers. Others exist and are ignored.
const (
	PreToolUse         = "PreToolUse"
	PostToolUse        = "PostToolUse"
	PostToolUseFailure = "PostToolUseFailure"
	PermissionRequest  = "PermissionRequest"
	UserPromptSubmit   = "UserPromptSubmit"
	SessionStart       = "SessionStart"
	SessionEnd         = "SessionEnd"
	Stop               = "Stop"
)

// MaxPayload is the largest hook payload that is read, in bytes.
const MaxPayload = 64 << 20

// Payload is one hook event as the client writes it to the hook's stdin.
type Payload struct {
	Event          string `json:"hook_event_name"`
	SessionID      string `json:"session_id"`
	Cwd            string `json:"cwd"`
	PermissionMode string `json:"permission_mode"`
	AgentID        string `json:"agent_id"` // set inside a subagent only

	Tool      string          `json:"tool_name"`
	ToolUseID string          `json:"tool_use_id"` // absent in PermissionRequest
	Input     json.RawMessage `json:"tool_input"`
	Response  json.RawMessage `json:"tool_response"`

	Prompt string `json:"prompt"` // UserPromptSubmit
	Source string `json:"source"` // likewise, newer clients: user, sdk, system, loop_wakeup, ...

	BackgroundTasks []json.RawMessage `json:"background_tasks"` // Stop: what still runs
}

// Typed reports whether a person wrote the prompt: the client sends some by
// itself, when a loop goes on or a schedule is due.
func (p Payload) Typed() bool {
	switch p.Source {
	case "", "user", "sdk":
		return true
	}
	return false
}

// ErrTooLarge means that the payload is longer than [MaxPayload].
var ErrTooLarge = errors.New("payload is longer than 64 MB")

// ReadPayload reads one JSON object from r. It does not need the end of the
// stream: some front ends keep stdin open.
func ReadPayload(r io.Reader) (Payload, error) {
	limited := &io.LimitedReader{R: r, N: MaxPayload + 1}
	var p Payload
	if err := json.NewDecoder(limited).Decode(&p); err != nil {
		if limited.N <= 0 {
			return Payload{}, ErrTooLarge
		}
		return Payload{}, fmt.Errorf("read hook payload: %w", err)
	}
	if p.Event == "" {
		return Payload{}, errors.New("read hook payload: no hook_event_name")
	}
	return p, nil
}
