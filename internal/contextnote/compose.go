package contextnote

import (
	"strings"

	"sidekick/internal/words"
)

// Caps, in lines and in the client's characters.
const (
	maxSelectionLines = 200
	maxSelectionUnits = 6000
	maxUnsavedUnits   = 2500
	maxDiffLines      = 200
	maxDiffUnits      = 6000
	maxErrors         = 10
	maxErrorUnits     = 400
	sentences         = 700 // room for the sentences around a selection
)

// Excerpt is a selection and its text.
type Excerpt struct {
	words.Selected
	Lines []string
}

// Selections tells about all selections in at most about [Max] characters less
// reserved, "" where there are none.
func Selections(excerpts []Excerpt, reserved int) string {
	var parts []string
	left := Max - reserved
	for _, x := range excerpts {
		if left -= sentences; left < sentences {
			parts = append(parts, words.SelectionLeftOut(x.Selected))
			continue
		}
		part := x.tell(min(left, maxSelectionUnits))
		left -= Units(part)
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return words.FencedContent + "\n" + strings.Join(parts, "\n")
}

func (x Excerpt) tell(units int) string {
	text := Clean(strings.Join(x.Lines, "\n"))
	head, whole := Head(text, maxSelectionLines, units)
	head = strings.TrimSuffix(head, "\n")
	x.Shown = strings.Count(head, "\n") + 1
	if !whole {
		x.Cut = x.Shown == 1 && !strings.HasPrefix(text, head+"\n")
	}
	told := words.Selection(x.Selected) + "\n" + Fence("", head)
	if notes := words.SelectionNotes(x.Selected); notes != "" {
		told += "\n" + notes
	}
	return told
}

// Unsaved tells which files are unsaved, by their names.
func Unsaved(names []string) string {
	if len(names) == 0 {
		return words.NothingUnsaved
	}
	var shown []string
	left := maxUnsavedUnits
	for _, name := range names {
		name = Name(name)
		if left -= Units(name) + 2; left < 0 {
			break
		}
		shown = append(shown, name)
	}
	return words.UnsavedFiles(shown, len(names)-len(shown))
}

// Differs tells by a unified diff how a file's text in an editor differs from
// the one on disk; fact is the sentence before it.
func Differs(fact, diff string) string {
	diff = Clean(diff)
	head, whole := Head(diff, maxDiffLines, maxDiffUnits)
	told := fact + "\n" + Fence("diff", head)
	if !whole {
		told += "\n" + words.DiffCut(max(strings.Count(diff, "\n")-strings.Count(head, "\n"), 1))
	}
	return told
}

// Join puts parts below each other, as many as fit into [Max], and says where
// some did not.
func Join(parts []string) string {
	var kept []string
	left := Max
	for i, part := range parts {
		if left -= Units(part) + 1; left < 0 {
			kept = append(kept, words.LeftOut(len(parts)-i))
			break
		}
		kept = append(kept, part)
	}
	return strings.Join(kept, "\n")
}

// Error is one error that a language server reports.
type Error struct {
	Line    int // from 1
	Column  int // byte, from 1
	Message string
	Source  string // who says so: "compiler UndeclaredName"
	Text    string // of the line
}

// NewErrors returns those of after that were not there before. Lines move, so
// an error is the same where it has the same message in a line of the same
// text, or else anywhere.
func NewErrors(before, after []Error) []Error {
	type identity struct{ message, source, text string }
	known := map[identity]int{}
	anywhere := map[identity]int{}
	for _, b := range before {
		known[identity{b.Message, b.Source, b.Text}]++
		anywhere[identity{b.Message, b.Source, ""}]++
	}
	var others []Error
	for _, a := range after {
		in := identity{a.Message, a.Source, a.Text}
		if known[in] == 0 {
			others = append(others, a)
			continue
		}
		known[in]--
		anywhere[identity{a.Message, a.Source, ""}]--
	}
	var fresh []Error
	for _, a := range others {
		in := identity{a.Message, a.Source, ""}
		if anywhere[in] > 0 {
			anywhere[in]--
			continue
		}
		fresh = append(fresh, a)
	}
	return fresh
}

// Errors tells about new errors in a file.
func Errors(file string, errors []Error) string {
	var lines []string
	for _, e := range errors[:min(len(errors), maxErrors)] {
		line := words.NewError(e.Line, e.Column, strings.ReplaceAll(e.Message, "\n", " "), e.Source)
		head, whole := Head(Clean(line), 1, maxErrorUnits)
		if !whole {
			head += "..."
		}
		lines = append(lines, head)
	}
	told := words.NewErrors(Name(file), len(errors)) + "\n" + Fence("", strings.Join(lines, "\n"))
	if more := len(errors) - len(lines); more > 0 {
		told += "\n" + words.ErrorsCut(more)
	}
	return told
}
