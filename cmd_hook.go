package main

import (
	"context"

	"sidekick/hook"
)

type hookCmd struct{}

// Help is shown below the flags.
func (hookCmd) Help() string {
	return "Reads one JSON object from stdin and prints one or nothing. Exit status 0, whatever happens: what goes wrong is in `sidekick log`.\n\nExample: echo '{\"hook_event_name\":\"Stop\"}' | sidekick hook"
}

// Run answers one hook event.
func (hookCmd) Run(w *world) error { return runHook(w) }

func runHook(w *world) error {
	hook.Run(context.Background(), hook.World{
		Stdin:      w.Stdin,
		Stdout:     w.Stdout,
		Getenv:     w.Getenv,
		Home:       w.Getenv("HOME"),
		ConfigFile: w.configFile(),
		StateHome:  w.StateHome,
		Pid:        w.Pid,
		Sockets:    w.neovims(),
		Swaps:      w.swaps(),
	})
	return nil
}
