package main

import (
	"context"
	"encoding/json"
	"fmt"
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
	for {
		rows := status.Collect(context.Background(), w.neovims())
		if c.Watch && w.isTerminal() {
			fmt.Fprint(w.Stdout, "\x1b[H\x1b[2J")
		}
		if err := c.print(w, rows); err != nil || !c.Watch {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (c statusCmd) print(w *world, rows []status.Row) error {
	if c.JSON {
		encoder := json.NewEncoder(w.Stdout)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(rows)
	}
	return status.Table(w.Stdout, rows, w.style())
}
