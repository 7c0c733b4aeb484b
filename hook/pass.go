package hook

import (
	"slices"

	"sidekick/internal/claude"
	"sidekick/internal/words"
)

// pass lets the call go on. Where a Neovim could not be asked and no swap file
// speaks for it, the person is told, and not the agent: it could do nothing.
func (e *event) pass(editors []editor) claude.Answer {
	if len(editors) > 0 {
		e.entry.Decision = "pass"
	}
	for _, ed := range editors {
		if ed.err == nil || e.entry.File == "" { // a command may well write nothing at all
			continue
		}
		if !slices.Contains(e.spoken, ed.Found.PID) {
			e.tellPerson(words.NoAnswer(ed.name()))
		}
	}
	return claude.Answer{}
}

// names are the absolute names by which an editor may know the file.
func (t target) names() []string {
	if t.Path == t.Real {
		return []string{t.Path}
	}
	return []string{t.Path, t.Real}
}
