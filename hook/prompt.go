package hook

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sidekick/internal/claude"
	"sidekick/internal/contextnote"
	"sidekick/internal/git"
	"sidekick/internal/nvim"
	"sidekick/internal/session"
	"sidekick/internal/words"
)

// userPromptSubmit tells the agent, beside the person's prompt, what they have
// selected and which files they have not saved.
func userPromptSubmit(ctx context.Context, e *event) (claude.Answer, error) {
	pointing := e.config.Context.Selection && e.payload.Typed()
	if !pointing && !e.config.Context.Unsaved {
		return claude.Answer{}, nil
	}
	screens, err := lookCloser(ctx, e, func(c *nvim.Client, _ nvim.OpenFiles) ([]nvim.Selection, error) {
		if !pointing {
			return nil, nil
		}
		return c.TakeSelection()
	})
	if len(screens) == 0 && !e.hasNotes() {
		return claude.Answer{}, nil
	}
	var parts []string
	if e.config.Context.Unsaved {
		parts = appendText(parts, e.unsaved(screens))
	}
	selections := e.selections(ctx, screens)
	reserved := 0
	for _, part := range parts {
		reserved += contextnote.Units(part) + 1
	}
	parts = appendText(parts, contextnote.Selections(selections, reserved))
	return e.tellContext(parts), err
}

func appendText(parts []string, text string) []string {
	if text == "" {
		return parts
	}
	return append(parts, text)
}

// tellContext answers with as many of the parts as the client passes on, and
// records that they were sent.
func (e *event) tellContext(parts []string) claude.Answer {
	text := contextnote.Join(parts)
	if text == "" {
		return claude.Answer{}
	}
	if e.entry.Decision == "" || e.entry.Decision == "ignore" {
		e.entry.Decision = "context" // else it says what was done before
	}
	return claude.Context(e.payload.Event, text)
}

// did adds to what will be recorded about the event.
func (e *event) did(what string) {
	if e.entry.Reason != "" {
		what = e.entry.Reason + "; " + what
	}
	e.entry.Reason = what
}

// selections returns what may be told of what is selected, live ones first.
func (e *event) selections(ctx context.Context, screens []screen[[]nvim.Selection]) []contextnote.Excerpt {
	var told []contextnote.Excerpt
	for _, s := range screens {
		for _, sel := range s.more {
			file := contextnote.Name(e.relative(sel.Name))
			if why := e.withheld(ctx, sel.Name); why != "" {
				if e.entry.Decision == "" {
					e.entry.Decision = "ignore"
				}
				e.did(fmt.Sprintf("selection in %s kept back, %s", file, why))
				continue
			}
			told = append(told, contextnote.Excerpt{Lines: sel.Lines, Selected: words.Selected{
				File: file, Live: sel.Live, Block: sel.Mode == "b", Cut: sel.Cut, Modified: sel.Modified, Changed: sel.Changed,
				First: sel.First, Last: sel.Last, FirstCol: sel.FirstCol, LastCol: sel.LastCol,
			}})
			e.did(fmt.Sprintf("selection %s:%d-%d", file, sel.First, sel.Last))
		}
	}
	slices.SortStableFunc(told, func(a, b contextnote.Excerpt) int {
		switch {
		case a.Live == b.Live:
			return 0
		case a.Live:
			return -1
		}
		return 1
	})
	return told
}

// withheld says why a file's text is told to nobody, "" where it may be.
func (e *event) withheld(ctx context.Context, name string) string {
	names := []string{name}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		names = append(names, real)
	}
	if slices.ContainsFunc(names, contextnote.Secret) {
		return "a secret by its name"
	}
	if e.config.Context.GitIgnored {
		return ""
	}
	for _, name := range names {
		ignored, err := git.Ignored(ctx, name, e.Getenv)
		switch {
		case err != nil:
			return err.Error()
		case ignored:
			return "git ignores it"
		}
	}
	return ""
}

// unsavedNote is the key under which a session's note says which files it was
// last told of.
const unsavedNote = "unsaved"

// hasNotes reports whether the session was told of unsaved files.
func (e *event) hasNotes() bool {
	return session.Open(e.StateHome, e.payload.SessionID).Get(unsavedNote) != ""
}

// unsaved tells which files of the project are unsaved, where they are others
// than those that the session was last told of.
func (e *event) unsaved(screens []screen[[]nvim.Selection]) string {
	project := e.project()
	var files []string
	complete := true
	for _, s := range screens {
		complete = complete && s.err == nil
		for _, f := range s.Files {
			if real := realName(f.Name); f.Modified && real != "" && project.has(f.Name, real) {
				files = append(files, real)
			}
		}
	}
	notes := session.Open(e.StateHome, e.payload.SessionID)
	var told []string
	if note := notes.Get(unsavedNote); note != "" {
		told = strings.Split(note, "\x00")
	}
	if !complete {
		// Who does not answer has saved nothing, as far as we know.
		files = append(files, told...)
	}
	slices.Sort(files)
	files = slices.Compact(files)
	if slices.Equal(files, told) {
		return ""
	}
	if err := notes.Put(unsavedNote, strings.Join(files, "\x00")); err != nil {
		e.did(err.Error())
	}
	e.did(fmt.Sprintf("unsaved files: %d", len(files)))
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = e.relative(file)
	}
	return contextnote.Unsaved(names)
}

// sessionEnd forgets what the session was told.
func sessionEnd(_ context.Context, e *event) (claude.Answer, error) {
	session.Open(e.StateHome, e.payload.SessionID).End()
	return claude.Answer{}, nil
}
