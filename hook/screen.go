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
	var screens []screen[T]
	var awake []string
	index := map[string]int{}
	for _, found := range socket.Find(e.Sockets) {
		s := screen[T]{editor: editor{Found: found}}
		if found.Stopped {
			s.err = errStopped
		} else {
			index[found.Address] = len(screens)
			awake = append(awake, found.Address)
		}
		screens = append(screens, s)
	}
	answers, err := fleet.Ask(ctx, awake, func(c *nvim.Client) (answer said, err error) {
		answer.open, err = c.OpenFiles(e.config.Guard == config.Visible)
		if err == nil && answer.open.State == nvim.Ready {
			answer.more, err = more(c, answer.open)
		}
		return answer, err
	})
	for _, a := range answers {
		s := &screens[index[a.Address]]
		s.OpenFiles, s.more, s.err = a.Value.open, a.Value.more, a.Err
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
