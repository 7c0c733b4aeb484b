package hook

import (
	"context"
	"os"

	"sidekick/internal/claude"
	"sidekick/internal/contextnote"
	"sidekick/internal/nvim"
	"sidekick/internal/words"
)

// staleRead tells the agent, after it has read a file from the disk, how the
// text differs that the person has in an editor and has not saved.
//
// Only Read. Grep names many files or none, by its mode; which files are unsaved
// the agent has been told with the prompt.
func staleRead(ctx context.Context, e *event) (claude.Answer, error) {
	path := e.payload.FilePath()
	if !e.config.Context.StaleReads || path == "" {
		return claude.Answer{}, nil
	}
	read, err := os.Stat(path)
	if err != nil || !read.Mode().IsRegular() {
		return claude.Answer{}, nil //nolint:nilerr // gone again: there is nothing to compare
	}
	e.entry.File = path
	same := func(f nvim.OpenFile) bool {
		info, err := os.Stat(f.Name)
		return f.Modified && err == nil && os.SameFile(info, read)
	}
	screens, err := lookCloser(ctx, e, func(c *nvim.Client, open nvim.OpenFiles) ([]nvim.Text, error) {
		var texts []nvim.Text
		for _, f := range open.Files {
			if same(f) {
				text, err := c.Text(f.Buffer, contextnote.MaxDiff)
				if err != nil {
					return texts, err
				}
				texts = append(texts, text)
			}
		}
		return texts, nil
	})
	file := e.relative(path)
	var parts []string
	for _, s := range screens {
		if s.ready() {
			for _, text := range s.more {
				parts = appendText(parts, e.difference(ctx, words.StaleRead, file, path, s.name(), text))
			}
			continue
		}
		for _, f := range s.Files {
			if same(f) {
				parts = append(parts, words.StaleRead(contextnote.Name(file), s.name(), words.StaleBlocked))
			}
		}
	}
	if len(parts) > 0 {
		e.did("what was read has unsaved changes")
	}
	return e.tellContext(parts), err
}

// difference tells how a buffer differs from the disk, "" where it does not.
// fact puts it into a sentence, for a diff that follows or for why there is none.
func (e *event) difference(ctx context.Context, fact func(file, editor, why string) string,
	file, path, editor string, text nvim.Text,
) string {
	file = contextnote.Name(file)
	unfit := fact(file, editor, words.StaleUnfit)
	disk, err := diskText(path, text)
	if err != nil {
		return unfit
	}
	now := text.String()
	switch {
	case disk == now:
		return "" // typed and undone by hand
	case e.withheld(ctx, path) != "":
		return fact(file, editor, words.StaleSecret)
	}
	return contextnote.Differs(fact(file, editor, ""), contextnote.Diff(file, disk, now))
}
