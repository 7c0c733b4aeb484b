package doctor

import (
	"fmt"
	"io"

	"sidekick/internal/screen"
	"sidekick/internal/words"
)

// Show prints the rows, each with what to do below it, and the verdict.
func Show(out io.Writer, rows []Row, style screen.Style) error {
	signs := map[string]string{OK: "✓", Note: "!", Fail: "✗"}
	if style.ASCII {
		signs = map[string]string{OK: "+", Note: "!", Fail: "x"}
	}
	colours := map[string]string{OK: screen.Green, Note: screen.Yellow, Fail: screen.Red}
	for _, r := range rows {
		fmt.Fprintf(out, "%s %-9s %s\n", style.Paint(colours[r.State], signs[r.State]), r.Check, screen.Printable(r.Fact))
		if r.Hint != "" {
			fmt.Fprintf(out, "%12shint: %s\n", "", screen.Printable(r.Hint))
		}
	}
	verdict := style.Paint(screen.Green, words.Protected)
	if !Protected(rows) {
		verdict = style.Paint(screen.Red, words.NotProtected)
	}
	_, err := fmt.Fprintln(out, verdict)
	return err
}
