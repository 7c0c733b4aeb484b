package claude

import (
	"encoding/json"
	"io"
)

// Answer is what a hook may print. The zero Answer prints nothing, which the
// client takes as "no opinion". There is deliberately no way to say "allow"
// before a tool call: it would take the person's own permission prompt away.
// Only the answer to that prompt can allow, when the person themselves did.
type Answer struct {
	SystemMessage string  `json:"systemMessage,omitempty"` // shown to the person, not to the model
	Output        *Output `json:"hookSpecificOutput,omitempty"`
}

// Output is the part of an answer that belongs to one event. The client drops
// the whole answer when Event is missing or another event's.
type Output struct {
	Event             string              `json:"hookEventName"`
	Decision          string              `json:"permissionDecision,omitempty"`
	Reason            string              `json:"permissionDecisionReason,omitempty"`
	AdditionalContext string              `json:"additionalContext,omitempty"`
	Permission        *PermissionDecision `json:"decision,omitempty"`
}

// PermissionDecision answers a PermissionRequest in the person's name.
type PermissionDecision struct {
	Behavior     string          `json:"behavior"` // "allow" or "deny"
	UpdatedInput json.RawMessage `json:"updatedInput,omitempty"`
	Message      string          `json:"message,omitempty"`
}

// Deny refuses a tool call; the model is told reason, word for word.
func Deny(reason string) Answer {
	return Answer{Output: &Output{Event: PreToolUse, Decision: "deny", Reason: reason}}
}

// Context tells the model text beside the event's usual result.
func Context(event, text string) Answer {
	return Answer{Output: &Output{Event: event, AdditionalContext: text}}
}

// AllowPermission answers a PermissionRequest with the person's yes. input
// replaces the tool's whole input; nil leaves it as it is.
func AllowPermission(input json.RawMessage) Answer {
	return Answer{Output: &Output{Event: PermissionRequest, Permission: &PermissionDecision{Behavior: "allow", UpdatedInput: input}}}
}

// DenyPermission answers a PermissionRequest with the person's no. The model is
// told message, word for word, and its turn goes on.
func DenyPermission(message string) Answer {
	return Answer{Output: &Output{Event: PermissionRequest, Permission: &PermissionDecision{Behavior: "deny", Message: message}}}
}

// AddContext returns a with text added to what the model is told beside the
// event's usual result. Empty text adds nothing.
func (a Answer) AddContext(event, text string) Answer {
	if text == "" {
		return a
	}
	output := Output{Event: event}
	if a.Output != nil {
		output = *a.Output
	}
	if output.AdditionalContext != "" {
		text = output.AdditionalContext + "\n\n" + text
	}
	output.AdditionalContext = text
	a.Output = &output
	return a
}

// Silent reports whether the answer prints nothing.
func (a Answer) Silent() bool { return a == Answer{} }

// Write prints the answer as exactly one JSON object, or nothing.
func (a Answer) Write(w io.Writer) error {
	if a.Silent() {
		return nil
	}
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
