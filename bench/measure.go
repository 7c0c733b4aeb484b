//go:build linux

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// subject is a command line to measure, in a fleet's home and namespace.
type subject struct {
	fleet   *fleet
	argv    []string
	stdin   []byte
	prepare func() error // before each run, not measured; or nil
}

// run runs the subject once; it returns how long that took and what it printed.
func (s subject) run() (took time.Duration, stdout string, err error) {
	if s.prepare != nil {
		if err := s.prepare(); err != nil {
			return 0, "", err
		}
	}
	var out, stderr strings.Builder
	cmd := s.fleet.command(s.argv[0], s.argv[1:]...)
	cmd.Stdin = strings.NewReader(string(s.stdin))
	cmd.Stdout, cmd.Stderr = &out, &stderr
	err = s.fleet.do(func() error {
		start := time.Now()
		err := cmd.Run()
		took = time.Since(start)
		return err
	})
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", strings.Join(s.argv, " "), err, &stderr)
	}
	return took, out.String(), err
}

// figure is what one run of a subject costs.
type figure func(subject) (float64, error)

// milliseconds is how long a run takes.
func milliseconds(s subject) (float64, error) {
	took, _, err := s.run()
	return float64(took.Microseconds()) / 1000, err
}

// mebibytes is the most memory that is resident at a time.
func mebibytes(s subject) (float64, error) {
	s.argv = append([]string{s.fleet.lab.resident}, s.argv...)
	_, out, err := s.run()
	if err != nil {
		return 0, err
	}
	kibibytes, err := strconv.ParseFloat(out, 64)
	return kibibytes / 1024, err
}

// result compares a subject with what is beside it.
type result struct {
	ours, theirs float64 // medians: milliseconds, or MiB
	ratio        float64 // median of the ratios of each pair
}

// compare runs both in turns, so that whatever else the machine does meets both
// alike, and drops the first pair, which warms the caches.
func compare(ours, theirs subject, pairs int, cost figure) (result, error) {
	var a, b, ratios []float64
	for i := range pairs + 1 {
		subjects := []subject{ours, theirs}
		costs := make([]float64, 2)
		for turn := range 2 {
			which := (i + turn) % 2
			var err error
			if costs[which], err = cost(subjects[which]); err != nil {
				return result{}, err
			}
		}
		if i > 0 {
			a, b = append(a, costs[0]), append(b, costs[1])
			ratios = append(ratios, costs[0]/costs[1])
		}
	}
	return result{ours: median(a), theirs: median(b), ratio: median(ratios)}, nil
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
