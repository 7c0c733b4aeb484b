package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"sidekick/activity"
	"sidekick/internal/journal"
	"sidekick/internal/words"
)

type logCmd struct {
	File     string `placeholder:"PATH" predict:"file" help:"Only what is about this file, or a folder's files; the end of a path will do."`
	Session  string `placeholder:"ID" help:"Only this session of Claude Code; the start of its id will do."`
	Decision string `placeholder:"WHAT" enum:",${decisions}" default:"" help:"Only deny, pass, reload, context, allow, reject, ignore or error."`
	Since    string `placeholder:"WHEN" help:"Only what is not older: 2h, 3d, 1w, today, yesterday, 15:04, 2026-01-31."`
	Follow   bool   `short:"f" help:"Go on with what happens next, until CTRL-C."`
	JSON     bool   `name:"json" help:"Print one JSON object per line, as in the file."`
}

// Help is shown below the flags.
func (logCmd) Help() string {
	return "Shows what sidekick did and why, oldest first: edits held back, buffers reloaded, Neovims that gave no answer, errors. It is kept in $XDG_STATE_HOME/sidekick/log.jsonl, the newest 20 MB of it.\n\nExample: sidekick log --decision deny --since today"
}

// Run prints what the filters leave.
func (c logCmd) Run(w *world) error {
	since, err := activity.Since(c.Since, w.Now())
	if err != nil {
		return usageError{fmt.Errorf("--since: %w", err)}
	}
	cwd, _ := w.Getwd()
	exists := func(path string) bool { _, err := os.Stat(path); return err == nil }
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	printed := &counter{out: w.Stdout}
	path := journal.Path(w.StateHome)
	err = activity.Log(ctx, printed, activity.Request{
		Journal: path,
		Filter: activity.Filter{
			File: activity.FileArgument(c.File, cwd, exists), Session: c.Session, Decision: c.Decision, Since: since,
		},
		Follow:   c.Follow,
		JSON:     c.JSON,
		Style:    w.style(),
		Location: w.Now().Location(),
	})
	if errors.Is(err, syscall.EPIPE) {
		return nil // head has seen enough
	}
	if err == nil && printed.bytes == 0 && !c.JSON && !c.Follow {
		say := words.NothingMatches
		if !exists(path) {
			say = words.NoJournal(path)
		}
		fmt.Fprintln(w.Stderr, say)
	}
	return err
}

// counter knows whether anything was printed.
type counter struct {
	out   io.Writer
	bytes int
}

func (c *counter) Write(p []byte) (int, error) {
	c.bytes += len(p)
	return c.out.Write(p)
}

type statsCmd struct {
	JSON bool `name:"json" help:"Print one JSON object; latencies in microseconds."`
}

// Help is shown below the flags.
func (statsCmd) Help() string {
	return "Adds up what `sidekick log` lists, for this week (from Monday), this month and this year, in local time.\n\nExample: sidekick stats"
}

// Run prints the sums.
func (c statsCmd) Run(w *world) error {
	path := journal.Path(w.StateHome)
	entries, err := journal.Open(path).Reader().Next()
	if err != nil {
		return err
	}
	sums := activity.Sum(entries, w.Now())
	if c.JSON {
		return json.NewEncoder(w.Stdout).Encode(sums)
	}
	if len(entries) == 0 {
		fmt.Fprintln(w.Stderr, words.NoJournal(path))
		return nil
	}
	return activity.Show(w.Stdout, sums, w.style())
}
