package hook_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"sidekick/hook"
	"sidekick/internal/nvim/nvimtest"
)

// What the hook does not know gets no output: Claude Code and other agents send
// more than we handle.
func TestUnknownInputGetsNoOutput(t *testing.T) {
	s := newScene(t)
	for _, text := range []string{
		"", " \n", "{", "null", "[]", `"text"`, "\xff\xfe", `{"hook_event_name":7}`,
		`{"hook_event_name":"PreToolUse"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Edit"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":"text"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":7}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Frobnicate","tool_input":{"file_path":"/a"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}`,
		`{"hook_event_name":"BrandNewEvent","tool_name":"Edit","tool_input":{"file_path":"/a"}}`,
		`{"toolName":"edit","toolArgs":"{}","cwd":"/"}`,
		`{"cursor_version":"1","hook_event_name":"preToolUse","tool_name":"Write","tool_input":{}}`,
	} {
		wantSilent(t, s.runText(text))
	}
	if !strings.Contains(s.log(), "read hook payload") {
		t.Errorf("broken input is not in the journal:\n%s", s.log())
	}
}

// A front end may keep stdin open: the first JSON value is the payload.
func TestPayloadWithoutEndOfFile(t *testing.T) {
	s := newScene(t)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	if _, err := writer.WriteString(`{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/a"}}` + "\n"); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	hook.Run(t.Context(), s.world(reader, &out))
	if out.Len() != 0 {
		t.Errorf("output %q", out.String())
	}
}

func TestNothingIsWrittenWithoutNeovim(t *testing.T) {
	s := newScene(t)
	wantSilent(t, s.run(edit("notes.txt")))
	wantSilent(t, s.run(edit("notes.txt").after()))
	if s.log() != "" {
		t.Errorf("the journal has lines about nothing:\n%s", s.log())
	}
}

// Every answer is silent where all is saved: the person's own permission prompt
// must stay, so the hook never says "allow".
func TestNoObjectionIsNoOutput(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := s.Write(t, "notes.txt", "a\n")
		s.start(binary).Edit(path)
		wantSilent(t, s.run(edit(path)))
		wantSilent(t, s.run(bash("sed -i s/a/b/ notes.txt")))
		wantSilent(t, s.run(edit(path).after()))
	})
}
