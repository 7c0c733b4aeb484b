package activity

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"sidekick/internal/journal"
	"sidekick/internal/screen"
	"sidekick/internal/words"
)

// Request says what to show.
type Request struct {
	Journal  string // path of the journal
	Filter   Filter
	Follow   bool // go on until ctx ends
	JSON     bool // the journal's own lines
	Style    screen.Style
	Location *time.Location // for the times
}

// interval is how often a followed journal is looked at. It is a person who
// waits, and a stat of a file costs next to nothing.
const interval = 200 * time.Millisecond

// Log prints the entries, oldest first. Following, it ends without an error when
// ctx does.
func Log(ctx context.Context, out io.Writer, r Request) error {
	reader := journal.Open(r.Journal).Reader()
	for {
		entries, err := reader.Next()
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !r.Filter.Wants(e) {
				continue
			}
			if err := r.print(out, e); err != nil {
				return err
			}
		}
		if !r.Follow {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(interval):
		}
	}
}

func (r Request) print(out io.Writer, e journal.Entry) error {
	if r.JSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(e)
	}
	_, err := fmt.Fprintf(out, "%s  %s\n", r.Style.Paint(screen.Dim, e.Time.In(r.Location).Format(time.DateTime)), r.sentence(e))
	for _, address := range e.Unanswered {
		fmt.Fprintf(out, "%21s%s\n", "", r.Style.Paint(screen.Yellow, words.LogUnanswered(screen.Printable(address))))
	}
	if e.Error != "" {
		fmt.Fprintf(out, "%21s%s\n", "", r.Style.Paint(screen.Red, words.LogError(screen.Printable(e.Error))))
	}
	return err
}

func (r Request) sentence(e journal.Entry) string {
	text := words.LogEntry(words.Logged{
		Decision: screen.Printable(e.Decision),
		Event:    screen.Printable(e.Event),
		Tool:     screen.Printable(e.Tool),
		File:     r.Style.Path(e.File),
		Reason:   screen.Printable(e.Reason),
		Lines:    e.Lines,
		Asked:    e.Asked,
		Took:     (time.Duration(e.Micros) * time.Microsecond).Round(100 * time.Microsecond).String(),
	})
	switch e.Decision {
	case journal.Deny, journal.Reject:
		return r.Style.Paint(screen.Yellow, text)
	case journal.Reload, journal.Allow:
		return r.Style.Paint(screen.Green, text)
	}
	return text
}

// FileArgument makes the path that a person typed one that the journal may have:
// absolute where it is there, below cwd; else as it stands, the end of a path.
func FileArgument(typed, cwd string, exists func(string) bool) string {
	if typed == "" || filepath.IsAbs(typed) {
		return typed
	}
	path := filepath.Join(cwd, typed)
	if !exists(path) {
		return typed
	}
	// The journal has real paths.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
