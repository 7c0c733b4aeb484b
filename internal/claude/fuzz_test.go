package claude

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzPayload holds that whatever arrives on stdin is a payload with an event, or
// an error, and that nothing that asks a payload panics. What follows the object
// is never waited for, so it changes nothing.
func FuzzPayload(f *testing.F) {
	for _, text := range []string{
		``, `{}`, `null`, `[]`, `"PreToolUse"`, `{"hook_event_name":1}`, `{"hook_event_name":"Stop"`,
		`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/p","tool_name":"Edit","tool_input":{"file_path":"/p/a","old_string":"a","new_string":"b"}}`,
		`{"hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"a"},"tool_response":{"originalFile":"x\ny"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm a"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"NotebookEdit","tool_input":{"notebook_path":"/p/n.ipynb"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"mcp__fs__write_file","tool_input":{"path":"/p/a","files":[{"path":"b"},1,null]}}`,
		`{"hook_event_name":"UserPromptSubmit","prompt":"x","source":"system"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":[{"file_path":{}}],"tool_response":7}`,
		strings.Repeat(`{"hook_event_name":`, 200),
	} {
		f.Add(text, "}")
	}
	f.Fuzz(func(t *testing.T, text, rest string) {
		p, err := ReadPayload(strings.NewReader(text))
		if (err == nil) != (p.Event != "") {
			t.Fatalf("event %q, error %v", p.Event, err)
		}
		for _, path := range p.Writes() {
			if path == "" {
				t.Errorf("%q writes a file without a name", text)
			}
		}
		p.FilePath()
		p.Command()
		p.TextBefore()
		p.Typed()
		if err != nil {
			return
		}
		longer, err := ReadPayload(strings.NewReader(text + " " + rest))
		if err != nil {
			t.Fatalf("with %q after it: %v", rest, err)
		}
		one, _ := json.Marshal(p)
		other, _ := json.Marshal(longer)
		if string(one) != string(other) {
			t.Errorf("with %q after it, it is another payload:\n%s\n%s", rest, one, other)
		}
	})
}
