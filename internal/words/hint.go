// Package words holds every sentence that a person or an agent reads: a fact,
// then what to do about it.
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
