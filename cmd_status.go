package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"sidekick/status"
)

type statusCmd struct {
	JSON  bool `name:"json" help:"Print an array of objects."`
	Watch bool `help:"Show it again every second, until CTRL-C."`
}

// Help is shown below the flags.
func (statusCmd) Help() string {
	return "Lists every Neovim of yours that sidekick finds, what it is doing, and which files are unsaved in it.\n\nExample: sidekick status --watch"
}

// Run prints the status once, or until it is interrupted.
func (c statusCmd) Run(w *world) error {
	if !c.Watch {
		return c.print(w, w.Stdout)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	for {
		// In one write: nobody sees half a table, and CTRL-C leaves no colour on.
		var frame bytes.Buffer
		if w.isTerminal() {
			frame.WriteString("\x1b[H\x1b[2J")
		}
		if err := c.print(w, &frame); err != nil {
			return err
		}
		if _, err := w.Stdout.Write(frame.Bytes()); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
	}
}

func (c statusCmd) print(w *world, out io.Writer) error {
	rows := status.Collect(context.Background(), w.neovims())
	if c.JSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(rows)
	}
	return status.Table(out, rows, w.style())
}
