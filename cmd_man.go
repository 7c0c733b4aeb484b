package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

type manCmd struct{}

// Help is shown below the flags.
func (manCmd) Help() string {
	return "Prints the manual page.\n\nExample: sidekick man > ~/.local/share/man/man1/sidekick.1"
}

// Run prints the manual page of what this binary can do.
func (manCmd) Run(w *world, k *kong.Kong) error {
	manPage(w.Stdout, k.Model)
	return nil
}

// manPage writes the grammar as roff, in the man macros.
func manPage(out io.Writer, app *kong.Application) {
	fmt.Fprintf(out, ".TH SIDEKICK 1\n.SH NAME\nsidekick \\- %s\n", roff(app.Help))
	fmt.Fprint(out, ".SH SYNOPSIS\n.B sidekick\n.I COMMAND\n[\n.I FLAG ...\n]\n.SH COMMANDS\n")
	for _, c := range app.Children {
		if c.Hidden {
			continue
		}
		fmt.Fprintf(out, ".SS %s\n%s\n", roff("sidekick "+c.Summary()), roff(c.Help))
		if c.Detail != "" {
			for _, paragraph := range strings.Split(c.Detail, "\n\n") {
				fmt.Fprintf(out, ".PP\n%s\n", strings.ReplaceAll(roff(paragraph), "\n", "\n.br\n"))
			}
		}
		manFlags(out, c.Flags)
	}
	fmt.Fprint(out, ".SH FLAGS\n")
	manFlags(out, app.Flags)
	fmt.Fprint(out, ".SH EXIT STATUS\n0: it worked. 1: it did not. 2: the command line is wrong.\n")
	fmt.Fprint(out, ".SH FILES\n.TP\n~/.config/sidekick/config.toml\nOptions; see the README.\n.TP\n~/.local/state/sidekick/log.jsonl\nWhat sidekick did and why.\n")
}

func manFlags(out io.Writer, flags []*kong.Flag) {
	for _, flag := range flags {
		if flag.Hidden {
			continue
		}
		fmt.Fprintf(out, ".TP\n.B %s\n%s\n", roff(flag.String()), roff(flag.Help))
	}
}

// roff makes text mean nothing but itself.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
