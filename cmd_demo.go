package main

import (
	"context"

	"sidekick/demo"
)

type demoCmd struct{}

// Help is shown below the flags.
func (demoCmd) Help() string {
	return "Starts a headless Neovim with a file in a folder of its own, and shows what the hook answers while the file is unsaved and after it is saved. Leaves nothing behind.\n\nExample: sidekick demo"
}

// Run plays the demo with this binary.
func (demoCmd) Run(w *world) error {
	self, err := w.Executable()
	if err != nil {
		return err
	}
	return demo.Run(context.Background(), demo.Request{
		Stdout: w.Stdout, Sidekick: self, Environ: w.Environ(), ParentDir: w.TempDir,
	})
}
