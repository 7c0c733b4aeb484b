package hook

import (
	"context"
	"slices"

	"sidekick/internal/config"
	"sidekick/internal/fleet"
	"sidekick/internal/nvim"
	"sidekick/internal/socket"
)

// screen is what one Neovim said beside which of its files are unsaved.
type screen[T any] struct {
	editor
	more T
}

// ready reports whether the editor was asked for more.
func (s screen[T]) ready() bool { return s.err == nil && s.State == nvim.Ready }

// lookCloser asks every Neovim of the user which files are unsaved, and those
// that are ready for more about them.
func lookCloser[T any](ctx context.Context, e *event, more func(*nvim.Client, nvim.OpenFiles) (T, error)) ([]screen[T], error) {
	type said struct {
		open nvim.OpenFiles
		more T
	}
	all, err := fleet.Everyone(ctx, e.Sockets, func(c *nvim.Client) (answer said, err error) {
		answer.open, err = c.OpenFiles(e.config.Guard == config.Visible)
		if err == nil && answer.open.State == nvim.Ready {
			answer.more, err = more(c, answer.open)
		}
		return answer, err
	})
	screens := make([]screen[T], len(all))
	for i, a := range all {
		screens[i] = screen[T]{editor{a.Found, a.Value.open, a.Err}, a.Value.more}
	}
	// One that ended since it was found has nothing unsaved: its swap file tells of
	// what it left behind.
	screens = slices.DeleteFunc(screens, func(s screen[T]) bool {
		return s.err != nil && (socket.Dead(s.err) || socket.Ended(s.Address))
	})
	e.entry.Unanswered = nil // an edit that waits for the person looks again and again
	for _, s := range screens {
		if s.err != nil {
			e.entry.Unanswered = append(e.entry.Unanswered, s.Address)
		}
	}
	e.entry.Asked = len(screens)
	return screens, err
}
