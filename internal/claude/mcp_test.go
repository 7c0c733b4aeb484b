package claude

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrites(t *testing.T) {
	for _, c := range []struct {
		tool, input string
		want        []string
	}{
		{"Edit", `{"file_path":"/p/a.txt"}`, []string{"/p/a.txt"}},
		{"Write", `{"file_path":"/p/a.txt","content":"x"}`, []string{"/p/a.txt"}},
		{"NotebookEdit", `{"notebook_path":"/p/a.ipynb"}`, []string{"/p/a.ipynb"}},
		{"Read", `{"file_path":"/p/a.txt"}`, nil},
		{"Bash", `{"command":"rm a.txt"}`, nil},
		{"Write", `nonsense`, nil},
		{"mcp__filesystem__write_file", `{"path":"a.txt","content":"b.txt"}`, []string{"a.txt"}},
		{"mcp__filesystem__edit_file", `{"path":"/p/a.txt","edits":[{"oldText":"x","newText":"y"}],"dryRun":false}`, []string{"/p/a.txt"}},
		{"mcp__filesystem__edit_file", `{"path":"/p/a.txt","edits":[],"dryRun":true}`, nil},
		{"mcp__filesystem__move_file", `{"source":"/p/a.txt","destination":"/p/b.txt"}`, []string{"/p/a.txt", "/p/b.txt"}},
		{"mcp__filesystem__create_directory", `{"path":"/p/d"}`, []string{"/p/d"}},
		{"mcp__filesystem__read_file", `{"path":"/p/a.txt"}`, nil},
		{"mcp__filesystem__read_text_file", `{"path":"/p/a.txt"}`, nil},
		{"mcp__filesystem__read_multiple_files", `{"paths":["/p/a.txt"]}`, nil},
		{"mcp__filesystem__list_directory", `{"path":"/p"}`, nil},
		{"mcp__filesystem__directory_tree", `{"path":"/p"}`, nil},
		{"mcp__filesystem__search_files", `{"path":"/p","pattern":"x"}`, nil},
		{"mcp__filesystem__get_file_info", `{"path":"/p/a.txt"}`, nil},
		{"mcp__fs__writeFile", `{"filePath":"/p/a.txt"}`, []string{"/p/a.txt"}},
		{"mcp__fs__delete-file", `{"paths":["/p/a.txt","/p/b.txt"]}`, []string{"/p/a.txt", "/p/b.txt"}},
		{"mcp__desktop-commander__edit_block", `{"file_path":"/p/a.txt","old_string":"x","new_string":"y"}`, []string{"/p/a.txt"}},
		{"mcp__desktop-commander__start_search", `{"path":"/p"}`, nil},
		{"mcp__serena__replace_symbol_body", `{"name_path":"F","relative_path":"src/a.py","body":"x"}`, []string{"src/a.py"}},
		{"mcp__serena__create_text_file", `{"relative_path":"src/a.py","content":"x"}`, []string{"src/a.py"}},
		{"mcp__serena__find_symbol", `{"relative_path":"src/a.py"}`, nil},
		{"mcp__jetbrains__replace_text_in_file", `{"pathInProject":"src/A.java","oldText":"a","newText":"b"}`, []string{"src/A.java"}},
		{"mcp__jetbrains__get_file_text_by_path", `{"pathInProject":"src/A.java"}`, nil},
		{"mcp__editor__str_replace_editor", `{"command":"str_replace","path":"/p/a.txt"}`, []string{"/p/a.txt"}},
		{"mcp__editor__text_editor", `{"command":"view","path":"/p/a.txt"}`, nil},
		{"mcp__wcgw__FileWriteOrEdit", `{"file_path":"~/a.txt"}`, []string{"~/a.txt"}},
		{"mcp__e__edit_text_file_contents", `{"files":[{"path":"/p/a.txt","patches":[]},{"path":"/p/b.txt"}]}`, []string{"/p/a.txt", "/p/b.txt"}},
		{"mcp__e__apply_edits", `{"edits":[{"path":"/p/a.txt","newText":"path"}]}`, []string{"/p/a.txt"}},
		{"mcp__e__write_file", `{"uri":"file:///p/my%20file.txt"}`, []string{"/p/my file.txt"}},
		{"mcp__e__insert", `{"filename":"a.txt"}`, []string{"a.txt"}},
		{"mcp__github__create_or_update_file", `{"path":"a.txt","owner":"x","repo":"y","branch":"main"}`, nil},
		{"mcp__slack__post_message", `{"path":"a.txt"}`, nil},
		{"mcp__memory__create_entities", `{"path":"a.txt"}`, nil},
		{"mcp__x", `{"path":"a.txt"}`, nil},
	} {
		got := Payload{Tool: c.tool, Input: []byte(c.input)}.Writes()
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %s: %s", c.tool, c.input, diff)
		}
	}
}
