package review

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/claude"
)

const book = `{"cells": [
	{"id": "a", "cell_type": "code", "source": ["x = 1\n", "print(x)"]},
	{"cell_type": "markdown", "source": "# Title"}],
	"metadata": {"language_info": {"name": "R"}}}`

func TestPropose(t *testing.T) {
	type object = map[string]any
	edit := func(old, new string) object { return object{"old_string": old, "new_string": new} }
	tests := []struct {
		name, tool    string
		file          string // content; "-" = there is none
		input         object
		before, after string
		change        Change
		inexact       bool
		err           string
	}{
		{name: "edit", tool: "Edit", file: "one\ntwo\n", input: edit("two", "TWO"), before: "one\ntwo\n", after: "one\nTWO\n"},
		{name: "all", tool: "Edit", file: "a a\n", input: object{"old_string": "a", "new_string": "b", "replace_all": true}, before: "a a\n", after: "b b\n"},
		{name: "twice there", tool: "Edit", file: "a a\n", input: edit("a", "b"), err: errAmbiguous.Error()},
		{name: "not there", tool: "Edit", file: "a\n", input: edit("b", "c"), err: errNotFound.Error()},
		{name: "line goes with its end", tool: "Edit", file: "one\ntwo\nthree\n", input: edit("two", ""), before: "one\ntwo\nthree\n", after: "one\nthree\n"},
		{name: "last line without end", tool: "Edit", file: "one\ntwo", input: edit("two", ""), before: "one\ntwo", after: "one\n"},
		{name: "curly quotes", tool: "Edit", file: "say “hi” and it’s\n", input: edit(`say "hi"`, `say "ho" ("x")`), before: "say “hi” and it’s\n", after: "say “ho” (“x”) and it’s\n", inexact: true},
		{name: "curly after wide runes", tool: "Edit", file: "𝄞 “hi”\n", input: edit(`"hi"`, `'`), before: "𝄞 “hi”\n", after: "𝄞 '\n", inexact: true},
		{name: "dos", tool: "Edit", file: "one\r\ntwo\r\n", input: edit("one\ntwo", "1\n2"), before: "one\ntwo\n", after: "1\n2\n"},
		{name: "byte order mark", tool: "Edit", file: "\ufeffone\n", input: edit("one", "1"), before: "one\n", after: "1\n"},
		{name: "new file by edit", tool: "Edit", file: "-", input: edit("", "text\n"), after: "text\n", change: Create},
		{name: "empty file", tool: "Edit", file: "", input: edit("", "text\n"), after: "text\n"},
		{name: "write", tool: "Write", file: "a\n", input: object{"content": "b"}, before: "a\n", after: "b"},
		{name: "write new", tool: "Write", file: "-", input: object{"content": ""}, change: Create},
		{name: "all text deleted", tool: "Write", file: "a\n", input: object{"content": ""}, before: "a\n"},
		{name: "multi", tool: "MultiEdit", file: "a\nb\n", input: object{"edits": []object{edit("a", "c"), edit("c\nb", "d")}}, before: "a\nb\n", after: "d\n"},
		{name: "cell", tool: "NotebookEdit", file: book, input: object{"cell_id": "a", "new_source": "y"}, before: "x = 1\nprint(x)", after: "y"},
		{name: "cell by number", tool: "NotebookEdit", file: book, input: object{"cell_id": "cell-1", "new_source": "y"}, before: "# Title", after: "y"},
		{name: "cell inserted", tool: "NotebookEdit", file: book, input: object{"cell_id": "a", "new_source": "y", "edit_mode": "insert", "cell_type": "code"}, after: "y", change: InsertCell},
		{name: "cell deleted", tool: "NotebookEdit", file: book, input: object{"cell_id": "a", "new_source": "", "edit_mode": "delete"}, before: "x = 1\nprint(x)", change: DeleteCell},
		{name: "no such cell", tool: "NotebookEdit", file: book, input: object{"cell_id": "z", "new_source": ""}, err: `no cell "z"`},
		{name: "not text", tool: "Write", file: "a\xff", input: object{"content": ""}, err: ErrNotText.Error()},
		{name: "NUL", tool: "Write", file: "a\x00", input: object{"content": ""}, err: ErrNotText.Error()},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			if test.file != "-" {
				if err := os.WriteFile(path, []byte(test.file), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			key := "file_path"
			if test.tool == claude.NotebookEdit {
				key = "notebook_path"
			}
			test.input[key] = path
			p, err := propose(t, test.tool, test.input)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("error %v, want %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if test.change == "" {
				test.change = Modify
			}
			got := []any{p.Before, p.After, p.Change, p.exact}
			want := []any{test.before, test.after, test.change, !test.inexact}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("before, after, change, exact (-want +got):\n%s", diff)
			}
		})
	}
}

func propose(t *testing.T, tool string, input map[string]any) (Proposal, error) {
	t.Helper()
	raw, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	return Propose(claude.Payload{Tool: tool, Input: raw})
}

// The input for a person's text must lead the client, which knows only the
// tool's rules, to exactly that text.
func TestInputLeadsToTheText(t *testing.T) {
	lines := []string{"", "a", "b", "}", "say “x”", "  a", "a\ta"}
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var parts []string
		for range random.IntN(7) {
			parts = append(parts, lines[random.IntN(len(lines))])
		}
		return strings.Join(parts, "\n")
	}
	path := filepath.Join(t.TempDir(), "file")
	for range 20000 {
		before, final := text(), text()
		if before == final {
			continue
		}
		if err := os.WriteFile(path, []byte(before), 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := propose(t, claude.Write, map[string]any{"file_path": path, "content": "proposed"})
		if err != nil {
			t.Fatal(err)
		}
		p.Tool = claude.Edit
		input, err := p.Input(final)
		if err != nil {
			t.Fatal(err)
		}
		var r replacement
		if err := json.Unmarshal(input, &r); err != nil {
			t.Fatal(err)
		}
		if got, exact, err := r.apply(before); got != final || !exact || err != nil {
			t.Fatalf("%q -> %q by %+v: %q, %v", before, final, r, got, err)
		}
	}
}

func TestTextRoundTrip(t *testing.T) {
	for _, text := range []string{"", "a", "a\n", "\na", "a\n\n", "a\n\nb"} {
		if got := split(text).join(); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
