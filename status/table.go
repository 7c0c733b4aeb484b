package status

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"sidekick/internal/nvim"
	"sidekick/internal/words"
)

// Style says how a table looks.
type Style struct {
	Colour bool
	Home   string // shown as ~
}

// Table prints the rows, aligned; unsaved files are listed below their Neovim.
func Table(out io.Writer, rows []Row, style Style) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(out, words.NoNeovim)
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(words.StatusHeader, "\t"))
	for _, r := range rows {
		launched := "-"
		if r.Launched {
			launched = "sidekick"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%d\n", orDash(r.PID), short(orUnknown(r.Cwd), style.Home), orUnknown(r.Version),
			launched, r.State, len(r.Files), len(r.Unsaved))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		for _, file := range r.Unsaved {
			line := fmt.Sprintf(words.StatusUnsaved, orDash(r.PID), short(printable(file), style.Home))
			fmt.Fprintln(out, style.paint(yellow, line))
		}
		if r.State == nvim.NoAnswer || r.State == nvim.Stopped {
			fmt.Fprintln(out, style.paint(red, fmt.Sprintf(words.StatusSilent, orDash(r.PID), r.State)))
		}
	}
	return nil
}

const (
	red    = "31"
	yellow = "33"
)

func (s Style) paint(colour, text string) string {
	if !s.Colour {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

func orDash(pid int) string {
	if pid == 0 {
		return "-"
	}
	return fmt.Sprint(pid)
}

func orUnknown(text string) string {
	if text == "" {
		return "?"
	}
	return printable(text)
}

// printable keeps a file's name from moving the cursor or colouring the screen.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(name, "?"))
}

func short(path, home string) string {
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		return "~/" + rest
	}
	if path == home && home != "" {
		return "~"
	}
	return path
}
