package linediff

import (
	"bytes"

	"github.com/rogpeppe/go-internal/diff"
)

// Unified returns the unified diff from one text to another, "" where they are
// equal. The names are for its head.
func Unified(oldName, newName, before, after string) string {
	// The first line is "diff OLD NEW".
	_, text, _ := bytes.Cut(diff.Diff(oldName, []byte(before), newName, []byte(after)), []byte("\n"))
	return string(text)
}
