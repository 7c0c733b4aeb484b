package claude

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SettingsError is a place in settings.json that makes the client ignore the
// whole file: its permissions and every hook, in silence where nobody sits at
// the terminal.
type SettingsError struct {
	Pointer string // JSON pointer (RFC 6901), "" for the file's top
	Problem string // "is not a string"
}

func (e *SettingsError) Error() string {
	if e.Pointer == "" {
		return "the top level " + e.Problem
	}
	return e.Pointer[1:] + " " + e.Problem
}

// Handler is one hook of the settings.
type Handler struct {
	Type    string
	Command string
	Args    []string // nil: Command is a shell line; else it is spawned with these
	Timeout float64  // seconds, 0 where the settings leave it out
}

// Entry is a handler and where it hangs.
type Entry struct {
	Event   string
	Matcher string // "" = everything
	Handler
}

// hookEvents are the events whose entries the client checks. It skips an event
// that it does not know, whatever is in there.
var hookEvents = []string{
	PreToolUse, PostToolUse, PostToolUseFailure, "PostToolBatch", PermissionRequest, "PermissionDenied",
	UserPromptSubmit, "UserPromptExpansion", SessionStart, "Setup", SessionEnd, Stop, "StopFailure",
	"SubagentStart", "SubagentStop", "Notification", "PreCompact", "PostCompact", "PreModelSwitch",
	"PostModelSwitch", "TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult",
	"ConfigChange", "InstructionsLoaded", "WorktreeCreate", "WorktreeRemove", "CwdChanged", "FileChanged",
	"DirectoryAdded", "MessageDisplay", "PreSkillShellCommand",
}

// object keeps a JSON object's members raw and its names exact: a struct would
// match "Hooks" too. Of a name given twice the last one counts, as in the client.
type object map[string]json.RawMessage

// CheckSettings reports the first thing in text, strict JSON, for which a
// client of the versions that were measured ignores the whole file. It checks
// the hooks all through, and of the other settings those that are commonly
// written by hand.
func CheckSettings(text []byte) error {
	root, err := asObject("", text)
	if err != nil {
		return err
	}
	if err := checkCommon(root); err != nil {
		return err
	}
	raw, ok := root["hooks"]
	if !ok {
		return nil
	}
	hooks, err := asObject("/hooks", raw)
	if err != nil {
		return err
	}
	for _, event := range hookEvents {
		raw, ok := hooks[event]
		if !ok {
			continue
		}
		at := "/hooks/" + event
		groups, err := asList(at, raw)
		if err != nil {
			return err
		}
		for i, raw := range groups {
			if err := checkGroup(at+"/"+strconv.Itoa(i), raw); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkGroup(at string, raw json.RawMessage) error {
	group, err := asObject(at, raw)
	if err != nil {
		return err
	}
	if err := group.optional(at, "matcher", isString); err != nil {
		return err
	}
	if _, ok := group["hooks"]; !ok {
		return &SettingsError{at, `has no "hooks" list`}
	}
	handlers, err := asList(at+"/hooks", group["hooks"])
	if err != nil {
		return err
	}
	for i, raw := range handlers {
		if err := checkHandler(at+"/hooks/"+strconv.Itoa(i), raw); err != nil {
			return err
		}
	}
	return nil
}

// required returns the members that a handler of a type must have.
func required(kind string) (names []string, ok bool) {
	switch kind {
	case "command":
		return []string{"command"}, true
	case "http":
		return []string{"url"}, true
	case "mcp_tool":
		return []string{"server", "tool"}, true
	case "prompt", "agent":
		return []string{"prompt"}, true
	}
	return nil, false
}

func checkHandler(at string, raw json.RawMessage) error {
	h, err := asObject(at, raw)
	if err != nil {
		return err
	}
	var kind string
	_ = json.Unmarshal(h["type"], &kind)
	names, ok := required(kind)
	if !ok {
		return &SettingsError{at + "/type", "is none of command, http, mcp_tool, prompt, agent"}
	}
	for _, name := range names {
		if _, ok := h[name]; !ok {
			return &SettingsError{at, fmt.Sprintf("has no %q", name)}
		}
		if err := h.optional(at, name, isString); err != nil {
			return err
		}
	}
	checks := map[string]rule{"timeout": isPositive, "if": isString, "statusMessage": isString, "once": isBool}
	switch kind {
	case "command":
		checks["args"], checks["shell"] = isStrings, oneOf("bash", "powershell")
		checks["async"], checks["asyncRewake"] = isBool, isBool
		checks["onFailure"] = oneOf("continue", "block")
	case "http":
		checks["headers"], checks["allowedEnvVars"] = isStringMap, isStrings
		checks["onFailure"] = oneOf("continue", "block")
	case "mcp_tool":
		checks["input"], checks["onFailure"] = isObject, oneOf("continue", "block")
	case "prompt", "agent":
		checks["model"] = isString
	}
	return h.check(at, checks)
}

// Entries returns the handlers that the settings in text hold in the client's
// eyes, by event. What has another shape is skipped.
func Entries(text []byte) []Entry {
	var root, hooks object
	_ = json.Unmarshal(text, &root)
	_ = json.Unmarshal(root["hooks"], &hooks)
	var found []Entry
	for _, event := range sortedNames(hooks) {
		var groups []json.RawMessage
		_ = json.Unmarshal(hooks[event], &groups)
		for _, raw := range groups {
			var group object
			var handlers []json.RawMessage
			e := Entry{Event: event}
			_ = json.Unmarshal(raw, &group)
			_ = json.Unmarshal(group["matcher"], &e.Matcher)
			_ = json.Unmarshal(group["hooks"], &handlers)
			for _, raw := range handlers {
				e.Handler = ParseHandler(raw)
				found = append(found, e)
			}
		}
	}
	return found
}

// HooksDisabled reports whether the settings in text turn all hooks off.
func HooksDisabled(text []byte) bool {
	var root object
	var off bool
	_ = json.Unmarshal(text, &root)
	_ = json.Unmarshal(root["disableAllHooks"], &off)
	return off
}

// ParseHandler reads one handler; what has another shape is left at zero.
func ParseHandler(text []byte) Handler {
	var raw object
	var h Handler
	_ = json.Unmarshal(text, &raw)
	_ = json.Unmarshal(raw["type"], &h.Type)
	_ = json.Unmarshal(raw["command"], &h.Command)
	_ = json.Unmarshal(raw["args"], &h.Args)
	_ = json.Unmarshal(raw["timeout"], &h.Timeout)
	return h
}

func sortedNames(o object) []string {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := slices.Index(hookEvents, a) - slices.Index(hookEvents, b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return names
}
