package hook

import (
	"context"
	"time"

	"sidekick/internal/claude"
	"sidekick/internal/contextnote"
	"sidekick/internal/fleet"
	"sidekick/internal/linediff"
	"sidekick/internal/nvim"
	"sidekick/internal/words"
)

// deny refuses the call, and says so in every Neovim that has the file.
func (e *event) deny(ctx context.Context, hits []hit, editors []editor) claude.Answer {
	first := clearest(hits)
	unsaved := words.Unsaved{
		File:   contextnote.Name(first.file.given), // a name may hold lines of its own
		Editor: first.holder,
		Rule:   e.config.Guard,
		Dirty:  first.open.Modified,
	}
	unsaved.Lines, unsaved.Spans = difference(ctx, first)
	reason := words.DenyEdit(unsaved)
	if first.how != "" {
		reason = words.DenyCommand(unsaved, first.how)
	}
	e.tell(ctx, hits, editors, time.Time{}, func(h hit) string {
		return words.HeldBack(contextnote.Name(h.file.given), h.open.Modified)
	})
	e.entry.Decision, e.entry.File, e.entry.Reason = "deny", first.file.Path, first.holder
	return claude.Deny(reason)
}

// clearest returns the hit of which most is known.
func clearest(hits []hit) hit {
	best := hits[0]
	for _, h := range hits {
		if h.open.Modified && !best.open.Modified || h.open.Modified == best.open.Modified && h.open.Buffer != 0 && best.open.Buffer == 0 {
			best = h
		}
	}
	return best
}

// tell shows a line about each hit file in every Neovim that has it: now, or, in
// one that is blocked and holds the unsaved text, once it is free, if that is
// before due (zero = any time). Nobody is denied anything because a line could
// not be shown, so errors are dropped.
func (e *event) tell(ctx context.Context, hits []hit, editors []editor, due time.Time, line func(hit) string) {
	var awake []string
	for _, ed := range editors {
		if ed.err == nil {
			awake = append(awake, ed.Address)
		}
	}
	_, _ = fleet.Ask(ctx, awake, func(c *nvim.Client) (none struct{}, _ error) {
		show := func(h hit) error { return c.Tell(h.file.names(), h.file.Dev, h.file.Inode, line(h)) }
		if !c.Free() {
			show = func(h hit) error { return c.TellWhenFree(append(h.file.names(), h.open.Name), line(h), due) }
		}
		for _, h := range hits {
			if err := show(h); err != nil {
				return none, err
			}
		}
		return none, nil
	})
}

// difference counts the lines of a buffer that differ from the disk. It is
// worth a sentence, not an error: 0 where it could not be found out in time.
func difference(ctx context.Context, h hit) (count int, spans []words.Span) {
	if h.address == "" || h.open.Buffer == 0 || !h.open.Modified {
		return 0, nil
	}
	answers, _ := fleet.Ask(ctx, []string{h.address}, func(c *nvim.Client) (nvim.Text, error) {
		return c.Text(h.open.Buffer, contextnote.MaxDiff)
	})
	buffer := answers[0]
	if buffer.Err != nil {
		return 0, nil
	}
	disk, err := diskText(h.file.Real, buffer.Value)
	if err != nil {
		return 0, nil
	}
	for _, hunk := range linediff.Between(lines(disk), buffer.Value.Lines) {
		count += max(hunk.Old, hunk.New)
		spans = append(spans, words.Span{First: hunk.From + 1, Last: hunk.From + max(hunk.New, 1)})
	}
	return count, spans
}

// waitingLine is the line shown while the edit waits.
func waitingLine(wait time.Duration) func(hit) string {
	return func(h hit) string { return words.Waiting(contextnote.Name(h.file.given), wait.String()) }
}
