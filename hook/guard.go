package hook

import (
	"context"
	"time"

	"sidekick/internal/claude"
	"sidekick/internal/config"
	"sidekick/internal/nvim"
)

// preToolUse denies a call that would hit text that the person has not saved.
// It never says "allow": that would take the person's own permission prompt away.
func preToolUse(ctx context.Context, e *event) (claude.Answer, error) {
	find := threatOf(e)
	if find == nil {
		return claude.Answer{}, nil
	}
	editors, err := lookAround(ctx, e)
	hits := find(editors)
	if wait := e.mayWait(); len(hits) > 0 && wait > 0 {
		hits, editors = e.waitForSave(ctx, wait, find, hits, editors)
	}
	if len(hits) == 0 {
		e.note(ctx, editors)
		return e.pass(editors), err
	}
	ctx, cancel := context.WithTimeout(ctx, tellBound)
	defer cancel()
	return e.deny(ctx, hits, editors), err
}

// The two parts of the two seconds that a hook may take: to ask, and to tell
// those that answered. The second usually takes a millisecond.
const (
	askBound  = 1500 * time.Millisecond
	tellBound = 500 * time.Millisecond
)

// hit is an unsaved (or, by rule, shown) file that the call would change.
type hit struct {
	file    target
	open    nvim.OpenFile
	holder  string // "Neovim (pid 12)"
	address string // of the holder; "" for one known by its swap file only
	how     string // for a command: what it would do to the file
}

// counts reports whether an open file is protected under the user's rule.
func counts(f nvim.OpenFile, rule string) bool {
	switch rule {
	case config.Visible:
		return f.Modified || f.Visible
	case config.Current:
		return f.Modified && f.Current
	default:
		return f.Modified
	}
}

// waitForSave gives the person the time that they chose to save the file.
func (e *event) waitForSave(ctx context.Context, wait time.Duration, find threat, hits []hit, editors []editor) ([]hit, []editor) {
	end := time.Now().Add(wait)
	e.tell(ctx, hits, editors, end, waitingLine(wait))
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for len(hits) > 0 && time.Now().Before(end) {
		select {
		case <-ctx.Done():
			return hits, editors
		case <-tick.C:
		}
		before := hits
		editors, _ = lookAround(ctx, e)
		hits = find(editors)
		// An editor that answers no more still holds the text.
		for _, h := range before {
			if silent(editors, h.address) {
				hits = append(hits, h)
			}
		}
	}
	return hits, editors
}

// silent reports whether the editor at address was asked in vain.
func silent(editors []editor, address string) bool {
	for _, ed := range editors {
		if ed.Address == address {
			return ed.err != nil
		}
	}
	return false
}
