package main

import "errors"

type nvimCmd struct {
	Args []string `arg:"" optional:"" name:"arg" help:"Everything that Neovim understands, untouched."`
}

// Run becomes Neovim.
func (c nvimCmd) Run(w *world) error { return runNvim(w, c.Args) }

func runNvim(w *world, args []string) error {
	return errors.New("not yet")
}
