package reload

import (
	"sync"

	"sidekick/internal/linediff"
)

// Request is one file that changed on disk. All Neovims share it: the file is
// read and diffed once, and only if one of them shows a large one. Do not copy it.
type Request struct {
	// Names are the file's names, absolute: the one that the agent gave, its real
	// path. The first one is read. // required
	Names []string
	// Before is the text before the change, as the hook's payload has it; nil
	// where it is not known.
	Before *string
	// Say holds what the person is told; the zero value tells nothing.
	Say Say

	take   once[snapshot]
	before once[content]
	hunks  once[[]linediff.Hunk]
}

// Say holds formats for the file's name (%s), and a number of lines (%d).
type Say struct {
	One     string `msgpack:"one"`     // %s: 1 line changed
	Many    string `msgpack:"many"`    // %s: %d lines changed
	Deleted string `msgpack:"deleted"` // %s: the file was deleted
}

// once computes a value when it is first needed.
type once[T any] struct {
	sync.Once
	value T
	err   error
}

func (o *once[T]) get(compute func() (T, error)) (T, error) {
	o.Do(func() { o.value, o.err = compute() })
	return o.value, o.err
}

func (r *Request) disk() (snapshot, error) {
	return r.take.get(func() (snapshot, error) { return take(r.Names[0]) })
}

// from returns the hunks that lead from the text with this hash to the one on
// disk; ok is false where that text is not the one before the change.
func (r *Request) from(hash string, after content) (hunks []linediff.Hunk, ok bool) {
	if hash == after.hash {
		return nil, true
	}
	if r.Before == nil {
		return nil, false
	}
	before, _ := r.before.get(func() (content, error) { return decode(*r.Before), nil })
	if hash != before.hash {
		return nil, false
	}
	hunks, _ = r.hunks.get(func() ([]linediff.Hunk, error) {
		return linediff.Between(before.lines, after.lines), nil
	})
	return hunks, true
}
