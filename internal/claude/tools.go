package claude

import "encoding/json"

// Tools that write one named file. MultiEdit is gone since Claude Code 2.1 but
// older clients still send it.
const (
	Edit         = "Edit"
	Write        = "Write"
	MultiEdit    = "MultiEdit"
	NotebookEdit = "NotebookEdit"
	Read         = "Read"
	Bash         = "Bash"
	PowerShell   = "PowerShell"
)

// WritesFile reports whether tool is one of the client's own tools that write
// exactly one file.
func WritesFile(tool string) bool {
	switch tool {
	case Edit, Write, MultiEdit, NotebookEdit:
		return true
	}
	return false
}

// FilePath returns the path that a file tool names in its input, as the client
// wrote it, or "" where it names none.
func (p Payload) FilePath() string {
	var in struct {
		FilePath     string `json:"file_path"`
		NotebookPath string `json:"notebook_path"`
	}
	if json.Unmarshal(p.Input, &in) != nil {
		return ""
	}
	if in.FilePath == "" {
		return in.NotebookPath
	}
	return in.FilePath
}

// Command returns the command line of a Bash or PowerShell call.
func (p Payload) Command() string {
	var in struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(p.Input, &in) != nil {
		return ""
	}
	return in.Command
}

// TextBefore returns the file's text just before a file tool changed it, as
// PostToolUse carries it: line feeds only, whatever the file uses. ok is false
// where the payload does not carry it (a new file, another tool).
func (p Payload) TextBefore() (text string, ok bool) {
	var r struct {
		OriginalFile   *string `json:"originalFile"`
		NotebookBefore *string `json:"original_file"`
	}
	if json.Unmarshal(p.Response, &r) != nil {
		return "", false
	}
	switch {
	case r.OriginalFile != nil:
		return *r.OriginalFile, true
	case r.NotebookBefore != nil:
		return *r.NotebookBefore, true
	}
	return "", false
}
