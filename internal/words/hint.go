// Package words holds every sentence that a person or an agent reads.
//
// The rules of voice:
//
//   - A fact first, then what to do. "notes.txt has unsaved changes in Neovim (pid
//     12). It goes through once they save with :w."
//   - Name the file, the editor, the value. Nobody can act on "an error occurred".
//   - Say what was not done, too, where somebody might think it was: "nothing was
//     written".
//   - The agent reads facts about the user's work, never orders about how to think;
//     it is told what unblocks it, or it tries another way.
//   - Short, plain words, in the present tense. No "please", "sorry", "failed to",
//     "oops", no exclamation mark, no capitals for weight; NOT in the doctor's
//     verdict is the one exception.
//   - A hint is one line, begins with a small letter and has no final period: it
//     can be a command to copy.
//   - A line in Neovim has the file's name first and fits the command line.
//
// One small file per topic. testdata/words.golden shows all of them as they are
// read; UPDATE=1 go test ./internal/words writes it.
package words

import "errors"

// WithHint adds to an error what the person can do about it. The hint is a
// sentence without a final period; it is shown on a line of its own.
func WithHint(err error, hint string) error {
	return &hinted{err, hint}
}

// Hints returns the hints of an error and of those that it wraps, outermost
// first.
func Hints(err error) []string {
	var hints []string
	for {
		var h *hinted
		if !errors.As(err, &h) {
			return hints
		}
		hints = append(hints, h.hint)
		err = h.error
	}
}

type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }
