package status

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"sidekick/internal/nvim"
	"sidekick/internal/screen"
	"sidekick/internal/words"
)

// mostListed is how many unsaved files of one Neovim are listed by name.
const mostListed = 20

// Table prints the rows, aligned; unsaved files are listed below their Neovim.
func Table(out io.Writer, rows []Row, style screen.Style) error {
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
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%d\n", orDash(r.PID), orUnknown(style.Path(r.Cwd)), orUnknown(screen.Printable(r.Version)),
			launched, r.State, len(r.Files), len(r.Unsaved))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		for i, file := range r.Unsaved {
			if i == mostListed {
				fmt.Fprintln(out, style.Paint(screen.Yellow, words.StatusMore(orDash(r.PID), len(r.Unsaved)-i)))
				break
			}
			line := fmt.Sprintf(words.StatusUnsaved, orDash(r.PID), style.Path(file))
			fmt.Fprintln(out, style.Paint(screen.Yellow, line))
		}
		if r.State == nvim.NoAnswer || r.State == nvim.Stopped {
			fmt.Fprintln(out, style.Paint(screen.Red, fmt.Sprintf(words.StatusSilent, orDash(r.PID), r.State)))
		}
	}
	return nil
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
	return text
}
