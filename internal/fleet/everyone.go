package fleet

import (
	"context"
	"errors"

	"sidekick/internal/nvim"
	"sidekick/internal/socket"
)

// Editor is a Neovim of the user and what it said.
type Editor[T any] struct {
	socket.Found
	Value T
	Err   error // [ErrStopped], or why it gave no answer
}

// ErrStopped means that a signal has stopped the Neovim: nobody can ask it.
var ErrStopped = errors.New("stopped by a signal")

// Everyone finds the Neovims of the user and runs question in each that can
// answer, as [Ask] does. It returns all that were found, in the order of
// [socket.Find], and the combined errors of those that were asked in vain.
func Everyone[T any](ctx context.Context, w socket.World, question func(*nvim.Client) (T, error)) ([]Editor[T], error) {
	found := socket.Find(w)
	editors := make([]Editor[T], len(found))
	var awake []string
	var index []int
	for i, f := range found {
		editors[i] = Editor[T]{Found: f, Err: ErrStopped}
		if !f.Stopped {
			awake = append(awake, f.Address)
			index = append(index, i)
		}
	}
	answers, err := Ask(ctx, awake, question)
	for i, a := range answers {
		editors[index[i]].Value, editors[index[i]].Err = a.Value, a.Err
	}
	return editors, err
}
