package review

import (
	"context"
	"time"

	"sidekick/internal/nvim"
)

// patience is how long the choice waits for every Neovim to say what it holds.
// One that is blocked (at a prompt, within a key sequence) may take its person's
// time; it is waited for only where no other one will do.
const patience = time.Second

// place is what one Neovim says of the file; sidekick.ReviewPlace in Lua.
type place struct {
	Has    bool  `msgpack:"has"`    // a buffer holds the file
	Inside bool  `msgpack:"inside"` // its working directory holds the file
	Screen bool  `msgpack:"screen"` // a person can see it
	Used   int64 `msgpack:"used"`   // last focus or key, ms of the system's monotonic clock

	parent bool // the agent runs in its terminal
	client *nvim.Client
}

// rank orders places: 0 = will not do.
func (p place) rank() int {
	switch {
	case !p.Screen:
		return 0
	case p.Has:
		return 3
	case p.Inside:
		return 2
	case p.parent:
		return 1
	}
	return 0
}

func (p place) betterThan(q place) bool {
	if p.rank() != q.rank() {
		return p.rank() > q.rank()
	}
	return p.Used > q.Used
}

// locate connects to the Neovim where the review belongs: the one that has the
// file, else one whose directory holds it, the one used last; else the one in
// whose terminal the agent runs. nil where none will do, or ctx is done. The
// connection is held.
func locate(ctx context.Context, r Request) *nvim.Client {
	answers := make(chan place, len(r.Editors))
	for _, address := range r.Editors {
		go func() { answers <- ask(ctx, r, address) }()
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	var best place
	waiting := len(r.Editors)
	for patient := true; waiting > 0 && (patient || best.rank() == 0); {
		select {
		case answer := <-answers:
			waiting--
			if answer.betterThan(best) {
				answer, best = best, answer
			}
			answer.close()
		case <-timer.C:
			patient = false
		case <-ctx.Done():
			best.close()
			best, waiting = place{}, 0
		}
	}
	if waiting > 0 {
		// Those that answer later are not needed any more.
		go func() {
			for range waiting {
				late := <-answers
				late.close()
			}
		}()
	}
	if best.rank() == 0 {
		best.close()
		return nil
	}
	return best.client
}

func (p place) close() {
	if p.client != nil {
		p.client.Close()
	}
}

func ask(ctx context.Context, r Request, address string) place {
	client, err := nvim.Hold(ctx, address)
	if err != nil {
		return place{}
	}
	answer, err := nvim.Call[place](client, "review.where", map[string]any{"file": r.File})
	if err != nil {
		client.Close()
		return place{}
	}
	answer.client = client
	answer.parent = address == r.Parent
	return answer
}
