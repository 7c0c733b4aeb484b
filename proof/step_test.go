package proof

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// step is one thing that the person or the agent does. Its numbers are taken
// modulo what there is, so a step means something in every state, and any step
// can be left out of a list.
type step struct {
	op string
	// of the person: a Neovim, a file, a variant;
	// of the agent: a tool call, a file, a variant
	a, b, c int
}

func (s step) String() string { return fmt.Sprintf("%s %d %d %d", s.op, s.a, s.b, s.c) }

func list(steps []step) string {
	texts := make([]string, len(steps))
	for i, s := range steps {
		texts[i] = s.String()
	}
	return strings.Join(texts, "; ")
}

// parse reads what list wrote.
func parse(text string) (steps []step, err error) {
	for _, part := range strings.Split(text, ";") {
		var s step
		if _, err := fmt.Sscanf(strings.TrimSpace(part), "%s %d %d %d", &s.op, &s.a, &s.b, &s.c); err != nil {
			return nil, fmt.Errorf("step %q: %w", part, err)
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// weights say how often each thing happens.
var weights = map[string]int{
	"open": 6, "type": 14, "undo": 5, "redo": 3, "save": 8, "reload": 2, "window": 5,
	"sit": 7, "ask": 2, "leave": 3, "stop": 2, "go": 4, "kill": 2, "start": 8,
	"pre": 16, "write": 18, "post": 18, "lose": 4, "together": 5, "read": 3, "blind": 2, "quiet": 3,
}

// random returns n steps.
func random(seed uint64, n int) []step {
	r := rand.New(rand.NewPCG(seed, 0))
	var bag []string
	for op, weight := range weights {
		bag = append(bag, slices.Repeat([]string{op}, weight)...)
	}
	slices.Sort(bag)
	steps := make([]step, 0, n)
	for len(steps) < n {
		steps = append(steps, step{bag[r.IntN(len(bag))], r.IntN(6), r.IntN(6), r.IntN(10000)})
	}
	return steps
}

// shrink returns a shorter list that still fails, found by leaving out ever
// smaller parts while there is time.
func shrink(steps []step, fails func([]step) bool, more func() bool) []step {
	for size := len(steps) / 2; size > 0 && more(); {
		smaller := false
		for at := 0; at < len(steps) && more(); {
			without := slices.Delete(slices.Clone(steps), at, min(at+size, len(steps)))
			if len(without) > 0 && fails(without) {
				steps, smaller = without, true
				continue
			}
			at += size
		}
		if !smaller || size > len(steps) {
			size /= 2
		}
	}
	return steps
}
