package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/tailscale/hujson"
	"sidekick/internal/claude"
	"sidekick/internal/words"
)

// FileError is a settings file that is left alone, and the line that says why.
type FileError struct {
	File    string
	Line    int // from 1
	Problem string
}

func (e *FileError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// checkSyntax refuses what is not strict JSON: the client would ignore the whole
// file, and we could not tell what is whose in it. A blank file is none of that.
func checkSyntax(file string, text []byte) error {
	refuse := func(offset int, problem, hint string) error {
		return words.WithHint(&FileError{file, lineAt(text, offset), problem}, hint)
	}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return refuse(0, words.NotUTF8, words.SaveAsUTF8)
	}
	if offset, ok := firstInvalid(text); ok {
		return refuse(offset, words.NotUTF8, words.SaveAsUTF8)
	}
	body, mark := cutMark(text)
	if isBlank(body) {
		return nil
	}
	var value json.RawMessage
	err := json.Unmarshal(body, &value)
	if err == nil {
		return nil
	}
	if offset := conflictMarker(text); offset >= 0 {
		return refuse(offset, words.ConflictMarker, words.ResolveConflict)
	}
	offset := len(body)
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		offset = min(int(syntax.Offset), len(body))
	}
	offset = max(offset-1, 0) + len(mark)
	if v, err := hujson.Parse(slices.Clone(body)); err == nil && !v.IsStandard() {
		return refuse(offset, words.NotStrictJSON, words.RemoveComments)
	}
	return refuse(offset, words.NotJSON(err), words.RepairJSON)
}

// checkRules refuses what the client refuses, with the line.
func checkRules(file string, text []byte) error {
	body, _ := cutMark(text)
	if isBlank(body) {
		return nil
	}
	err := claude.CheckSettings(body)
	if err == nil {
		return nil
	}
	offset := 0
	if bad := (*claude.SettingsError)(nil); errors.As(err, &bad) {
		if root, err := hujson.Parse(body); err == nil {
			if v := root.Find(bad.Pointer); v != nil {
				offset = v.StartOffset
			}
		}
	}
	return words.WithHint(&FileError{file, lineAt(body, offset), err.Error()}, words.RepairSettings)
}

func firstInvalid(text []byte) (offset int, found bool) {
	for offset < len(text) {
		r, size := utf8.DecodeRune(text[offset:])
		if r == utf8.RuneError && size == 1 {
			return offset, true
		}
		offset += size
	}
	return 0, false
}

// conflictMarker returns where git left the first mark of a merge, or -1.
func conflictMarker(text []byte) int {
	offset := 0
	for line := range bytes.Lines(text) {
		for _, mark := range []string{"<<<<<<< ", "||||||| ", ">>>>>>> "} {
			if bytes.HasPrefix(line, []byte(mark)) {
				return offset
			}
		}
		offset += len(line)
	}
	return -1
}

func lineAt(text []byte, offset int) int {
	return 1 + bytes.Count(text[:min(offset, len(text))], []byte("\n"))
}
