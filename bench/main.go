//go:build linux

// Bench measures what a person waits for, beside programs that do less, and
// prints one table of medians and ratios. A hook that asks nobody is fast and
// worth nothing: every row with a hook first proves that it denies.
//
//	scripts/bench                      everything
//	scripts/bench -n 20 -rows dead     fewer runs; only rows with "dead" in their name
//	scripts/bench -check               exit 1 where a bar is missed
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"text/tabwriter"
)

func main() {
	pairs := flag.Int("n", 100, "pairs of runs per row")
	pattern := flag.String("rows", "", "only rows whose name matches this regular expression")
	nvim := flag.String("nvim", "", "Neovim to measure with (default: $SIDEKICK_NVIM, then nvim on PATH)")
	peer := flag.String("peer", "", "binary of another sidekick, such as the one written in Rust, to put beside ours")
	check := flag.Bool("check", false, "exit with status 1 where a bar is missed")
	flag.Parse()
	missed, err := bench(os.Stdout, *pairs, *pattern, *nvim, *peer)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	if missed > 0 && *check {
		os.Exit(1)
	}
}

func bench(out io.Writer, pairs int, pattern, nvim, peer string) (missed int, err error) {
	wanted, err := regexp.Compile(pattern)
	if err != nil {
		return 0, err
	}
	if nvim == "" {
		nvim = os.Getenv("SIDEKICK_NVIM")
	}
	if nvim == "" {
		nvim = "nvim"
	}
	if nvim, err = exec.LookPath(nvim); err != nil {
		return 0, err
	}
	l, err := newLab(nvim, peer)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	version, err := exec.Command(nvim, "--version").Output()
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(version), "\n")
	fmt.Fprintf(out, "%s; %d pairs of runs per row, in turns; medians\n\n", first, pairs)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	defer table.Flush()
	fmt.Fprintln(table, "what\t\tbeside\t\tratio\tbar\t")
	for _, plan := range l.plans() {
		if !wanted.MatchString(plan.what) {
			continue
		}
		r, err := plan.row()
		if err != nil {
			return missed, fmt.Errorf("%s: %w", plan.what, err)
		}
		for _, p := range r.prove {
			if err := p.fleet.mustDeny(p.program); err != nil {
				return missed, fmt.Errorf("%s: %w", plan.what, err)
			}
		}
		got, err := compare(r.ours, r.theirs, max(1, pairs/r.share), r.cost)
		if err != nil {
			return missed, fmt.Errorf("%s: %w", plan.what, err)
		}
		bar, verdict := "-", ""
		if plan.bar > 0 {
			bar = fmt.Sprintf("%.2f", plan.bar)
			if got.ratio > plan.bar {
				verdict = "MISSED"
				missed++
			}
		}
		fmt.Fprintf(table, "%s\t%.2f %s\t%s\t%.2f %s\t%.2f\t%s\t%s\n",
			plan.what, got.ours, r.unit, plan.beside, got.theirs, r.unit, got.ratio, bar, verdict)
		l.clear()
	}
	return missed, nil
}
