package claude

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Writes returns the paths that a tool call would write, move or remove, as
// the call gives them: relative, "~" and file:// names included. It knows the
// client's own file tools and the MCP tools that change files; for any other
// call, readers of files among them, it returns none.
func (p Payload) Writes() []string {
	if WritesFile(p.Tool) {
		if path := p.FilePath(); path != "" {
			return []string{path}
		}
		return nil
	}
	if !WritesByMCP(p.Tool) {
		return nil
	}
	var in map[string]any
	if json.Unmarshal(p.Input, &in) != nil || dryRun(in) || reads(in) || elsewhere(in) {
		return nil
	}
	var paths []string
	collect(in, true, &paths)
	return paths
}

// WritesByMCP reports whether tool is an MCP tool, mcp__SERVER__TOOL, whose
// name says that it changes files. Servers are many and name their tools
// alike, so the name's words decide: a verb that changes, and an object that
// is a file or its text, or one of the names in mcpWriters.
func WritesByMCP(tool string) bool {
	rest, ok := strings.CutPrefix(tool, "mcp__")
	if !ok {
		return false
	}
	_, name, ok := strings.Cut(rest, "__")
	if !ok {
		return false
	}
	words := nameWords(name)
	if slices.Contains(mcpWriters, strings.Join(words, "_")) {
		return true
	}
	verb, object := false, false
	for i, w := range words {
		if i == 0 && slices.Contains(mcpReaders, w) {
			return false
		}
		verb = verb || slices.Contains(mcpVerbs, w)
		object = object || slices.Contains(mcpObjects, w)
	}
	return verb && object
}

var (
	// Tools whose words alone do not say it: Anthropic's text editor, Desktop
	// Commander, Serena, the filesystem servers, JetBrains, wcgw.
	mcpWriters = []string{
		"write", "edit", "multi_edit", "str_replace", "insert", "undo_edit", "apply_patch", "apply_diff", "patch", "text_editor", "str_replace_editor",
		"str_replace_based_edit_tool", "edit_block", "replace_content", "replace_regex", "replace_lines", "delete_lines", "insert_at_line", "insert_lines",
		"replace_symbol_body", "insert_after_symbol", "insert_before_symbol", "rename_symbol", "safe_delete_symbol", "rename_refactoring", "replace_literal",
		"search_and_replace", "search_replace", "find_and_replace", "file_write_or_edit", "fs_write", "move", "rename", "delete", "remove", "apply_edit", "apply_edits",
		"modify", "write_full_text", "apply_text_edits", "apply_text_spans", "save",
	}
	mcpVerbs = []string{
		"write", "edit", "create", "move", "rename", "delete", "remove", "replace", "insert", "append", "prepend",
		"overwrite", "update", "modify", "patch", "save", "copy", "cp", "mv", "rm", "reformat", "format", "truncate", "unzip", "trash",
	}
	mcpObjects = []string{
		"file", "files", "directory", "dir", "folder", "path", "text", "content", "contents", "lines", "document", "notebook", "cell", "note",
	}
	mcpReaders = []string{
		"read", "list", "get", "search", "find", "view", "stat", "grep", "show", "open", "describe", "watch", "check", "diff",
	}
)

var camel = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Z]?[a-z0-9]+|[A-Z]+`)
})

// nameWords splits write_file, writeFile, WriteFile and write-file alike.
func nameWords(name string) []string {
	words := camel().FindAllString(name, -1)
	for i, w := range words {
		words[i] = strings.ToLower(w)
	}
	return words
}

// mcpPaths are the keys under which servers take paths, lower case, without
// "_" and "-".
var mcpPaths = []string{
	"path", "paths", "filepath", "filepaths", "file", "files", "filename", "filenames", "relativepath", "absolutepath", "targetfile", "targetpath", "target",
	"source", "destination", "src", "dst", "dest", "sourcepath", "destinationpath", "from", "to", "frompath", "topath", "oldpath", "newpath", "sourcefile", "destinationfile",
	"pathinproject", "notebookpath", "uri", "fileuri", "url", "directory", "dir", "folder", "directorypath", "dirpath", "output", "outputpath", "outputfile", "originalpath",
}

// mcpLists are the keys of lists of edits or files, each with its own path.
var mcpLists = []string{"edits", "operations", "files", "changes", "items", "moves", "patches", "writes", "replacements"}

// collect appends the paths in one level of a tool's input, and in the lists of
// edits below it.
func collect(in map[string]any, lists bool, paths *[]string) {
	keys := make([]string, 0, len(in))
	for k := range in {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		plain := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(k))
		isPath := slices.Contains(mcpPaths, plain)
		switch v := in[k].(type) {
		case string:
			if isPath {
				addPath(v, paths)
			}
		case []any:
			for _, item := range v {
				switch item := item.(type) {
				case string:
					if isPath {
						addPath(item, paths)
					}
				case map[string]any:
					if lists && slices.Contains(mcpLists, plain) {
						collect(item, false, paths)
					}
				}
			}
		case map[string]any:
			if lists && slices.Contains(mcpLists, plain) {
				for name := range v { // {"files": {"a.txt": "text"}}
					addPath(name, paths)
				}
			}
		}
	}
}

func addPath(s string, paths *[]string) {
	if strings.Contains(s, "\n") { // a text under a key that others use for a path
		return
	}
	if u, ok := strings.CutPrefix(s, "file://"); ok {
		if un, err := url.PathUnescape(u); err == nil {
			u = un
		}
		s = u
	} else if strings.Contains(s, "://") {
		return
	}
	if s != "" && !slices.Contains(*paths, s) {
		*paths = append(*paths, s)
	}
}

// dryRun reports whether the call only asks what would change.
func dryRun(in map[string]any) bool {
	for _, k := range []string{"dryRun", "dry_run", "preview"} {
		if v, ok := in[k].(bool); ok && v {
			return true
		}
	}
	return false
}

// reads reports whether an editor tool with a "command" is asked to show only.
func reads(in map[string]any) bool {
	c, _ := in["command"].(string)
	return c == "view" || c == "read"
}

// elsewhere reports whether the file is in a repository of a hosting service,
// not on this machine.
func elsewhere(in map[string]any) bool {
	for _, k := range []string{"owner", "repo", "project_id"} {
		if _, ok := in[k]; ok {
			return true
		}
	}
	return false
}
