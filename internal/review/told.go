package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"sidekick/internal/claude"
	"sidekick/internal/contextnote"
	"sidekick/internal/linediff"
	"sidekick/internal/words"
)

// note is what Claude must be told once the call that a person edited has run.
// The client itself says nothing of a changed input.
type note struct {
	Path string `json:"path"`
	Diff string `json:"diff"` // from the agent's proposal to the person's text
}

// notePath is named after the call's changed input, so that no other call of
// the session can pick the note up.
func notePath(dir, session string, input json.RawMessage) (string, error) {
	var value any
	if err := json.Unmarshal(input, &value); err != nil {
		return "", err
	}
	canonical, err := json.Marshal(value) // keys in order
	if err != nil {
		return "", err
	}
	name := token([]byte(session)) + "-" + token(canonical) + ".note"
	return filepath.Join(dir, postFolder, name), nil
}

// leaveNote keeps what the person changed until the call has run.
func leaveNote(dir, session string, p Proposal, final string, input json.RawMessage) error {
	path, err := notePath(dir, session, input)
	if err != nil {
		return err
	}
	if len(p.After)+len(final) > contextnote.MaxDiff {
		return nil // a diff would keep the person waiting
	}
	name := filepath.Base(p.Path)
	diff := linediff.Unified(name+" (proposed)", name+" (as the user changed it)", p.After, final)
	text, err := json.Marshal(note{Path: p.Path, Diff: diff})
	if err != nil {
		return err
	}
	return renameio.WriteFile(path, text, 0o600)
}

// Edited returns what to tell Claude after the call p (a PostToolUse): what the
// person changed in its proposal before accepting it, "" where nothing.
func Edited(dir string, p claude.Payload) (string, error) {
	if !claude.WritesFile(p.Tool) {
		return "", nil
	}
	if _, err := os.Stat(filepath.Join(dir, postFolder)); err != nil {
		return "", nil // no review was ever opened
	}
	path, err := notePath(dir, p.SessionID, p.Input)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	_ = os.Remove(path)
	var n note
	if err := json.Unmarshal(text, &n); err != nil {
		return "", fmt.Errorf("note of a review: %w", err)
	}
	head := words.ReviewEdited(n.Path) + "\n"
	// Room for the fence, and for what other parts of the hook have to tell.
	diff, whole := contextnote.Head(n.Diff, math.MaxInt, contextnote.Max-contextnote.Units(head)-1000)
	if !whole {
		diff += "...\n"
	}
	return head + contextnote.Fence("diff", diff), nil
}

// forget removes the notes of a session that has ended.
func forget(dir, session string) {
	notes, _ := filepath.Glob(filepath.Join(dir, postFolder, token([]byte(session))+"-*.note"))
	for _, path := range notes {
		_ = os.Remove(path)
	}
}
