// Package activity shows a person what sidekick did and why, from its journal:
// event by event, and as sums.
package activity

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sidekick/internal/journal"
)

// Filter says which entries are wanted. Zero fields want all.
type Filter struct {
	File     string    // a path or its end: "src/main.go", "main.go"; or a folder
	Session  string    // the start of a session's id
	Decision string    // one of journal.Decisions, or Errors
	Since    time.Time // not older
}

// Errors is the decision of an entry with an error or an unanswered Neovim.
const Errors = "error"

// Wants reports whether an entry passes.
func (f Filter) Wants(e journal.Entry) bool {
	return !e.Time.Before(f.Since) && strings.HasPrefix(e.Session, f.Session) && f.wantsDecision(e) && f.wantsFile(e.File)
}

func (f Filter) wantsDecision(e journal.Entry) bool {
	if f.Decision == Errors {
		return e.Error != "" || len(e.Unanswered) > 0
	}
	return f.Decision == "" || e.Decision == f.Decision
}

func (f Filter) wantsFile(file string) bool {
	if f.File == "" {
		return true
	}
	wanted := filepath.Clean(f.File)
	if wanted == "." {
		return file != ""
	}
	return file == wanted || strings.HasSuffix(file, "/"+wanted) || strings.HasPrefix(file, wanted+"/")
}

// layouts are how a person may write a time, in local time.
var layouts = []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02", time.RFC3339}

// Since reads a point in time: "90s", "10m", "2h", "3d", "1w" ago, "today",
// "yesterday", a date, a date and a time (local), or "15:04" today. The error
// says what can be written.
func Since(text string, now time.Time) (time.Time, error) {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch text {
	case "":
		return time.Time{}, nil
	case "today":
		return midnight, nil
	case "yesterday":
		return midnight.AddDate(0, 0, -1), nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	if days, ok := countOf(text, "d"); ok {
		return now.AddDate(0, 0, -days), nil
	}
	if weeks, ok := countOf(text, "w"); ok {
		return now.AddDate(0, 0, -7*weeks), nil
	}
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	if t, err := time.Parse("15:04", text); err == nil {
		return time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), 0, 0, now.Location()), nil
	}
	return time.Time{}, fmt.Errorf("%q is no time; write 2h, 3d, 1w, today, yesterday, 15:04, 2026-01-31 or \"2026-01-31 15:04\"", text)
}

func countOf(text, unit string) (int, bool) {
	digits, ok := strings.CutSuffix(text, unit)
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n >= 0 && n < 100_000
}

// Choices lists what a decision may be.
func Choices() []string { return append(slices.Clone(journal.Decisions), Errors) }
