// Package fleet asks many Neovims the same thing at once, within one bound.
package fleet

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/go-multierror"
	"sidekick/internal/nvim"
)

// Bound is how long all Neovims together may take to answer one question.
const Bound = 2 * time.Second

// Answer is what one Neovim said.
type Answer[T any] struct {
	Address string
	Value   T
	Err     error
}

// Ask connects to every address and runs question there, all at once. It
// returns one answer per address, in the order of addresses, and the combined
// errors of those that could not be asked (nil where there are none). No
// question outlives ctx, nor [Bound].
func Ask[T any](ctx context.Context, addresses []string, question func(*nvim.Client) (T, error)) ([]Answer[T], error) {
	ctx, cancel := context.WithTimeout(ctx, Bound)
	defer cancel()
	answers := make([]Answer[T], len(addresses))
	var all sync.WaitGroup
	for i, address := range addresses {
		all.Go(func() {
			answers[i] = askOne(ctx, address, question)
		})
	}
	all.Wait()
	var errs *multierror.Error
	for _, a := range answers {
		if a.Err != nil {
			errs = multierror.Append(errs, fmt.Errorf("%s: %w", a.Address, a.Err))
		}
	}
	return answers, errs.ErrorOrNil()
}

func askOne[T any](ctx context.Context, address string, question func(*nvim.Client) (T, error)) Answer[T] {
	a := Answer[T]{Address: address}
	client, err := nvim.Dial(ctx, address)
	if err != nil {
		a.Err = err
		return a
	}
	defer client.Close()
	a.Value, a.Err = question(client)
	return a
}
