package activity

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"sidekick/internal/screen"
	"sidekick/internal/words"
)

// Show prints the sums as a table and three bar charts.
func Show(out io.Writer, s Stats, style screen.Style) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	periods := []Period{s.Week, s.Month, s.Year}
	fmt.Fprintf(w, "%24s\t%s\t%s\t%s\t\n", "", words.StatsWeek, words.StatsMonth, words.StatsYear)
	number := func(label string, of func(Sums) int) {
		row(w, label, periods, func(s Sums) string { return fmt.Sprint(of(s)) })
	}
	number(words.StatsDenials, func(s Sums) int { return s.Denials })
	number(words.StatsPassed, func(s Sums) int { return s.Passed })
	number(words.StatsReloads, func(s Sums) int { return s.Reloads })
	number(words.StatsLines, func(s Sums) int { return s.Lines })
	number(words.StatsFiles, func(s Sums) int { return s.Files })
	number(words.StatsSilent, func(s Sums) int { return s.Unanswered })
	number(words.StatsErrors, func(s Sums) int { return s.Errors })
	row(w, words.StatsMedian, periods, func(s Sums) string { return milliseconds(s.Median) })
	row(w, words.StatsSlow, periods, func(s Sums) string { return milliseconds(s.Slow) })
	if err := w.Flush(); err != nil {
		return err
	}
	for i, title := range []string{words.StatsWeek, words.StatsMonth, words.StatsYear} {
		fmt.Fprintf(out, "\n%s%s\n", words.StatsChart, title)
		bars(out, periods[i].Bars, style)
	}
	_, err := fmt.Fprintf(out, "\n"+words.StatsFirstSeen+"\n", s.Since.Format(time.DateOnly))
	return err
}

func row(w io.Writer, label string, periods []Period, value func(Sums) string) {
	fmt.Fprintf(w, "%-24s\t", label)
	for _, p := range periods {
		fmt.Fprintf(w, "%s\t", value(p.Sums))
	}
	fmt.Fprintln(w)
}

func milliseconds(micros int64) string {
	if micros == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f ms", float64(micros)/1000)
}

// barWidth is the length of the longest bar, in cells.
const barWidth = 40

// eighths are bars of one to eight eighths of a cell.
var eighths = []string{"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"}

func bars(out io.Writer, bars []Bar, style screen.Style) {
	most := 0
	for _, b := range bars {
		most = max(most, b.Count)
	}
	for _, b := range bars {
		line := fmt.Sprintf("  %-6s %s", b.Label, style.Paint(screen.Green, bar(b.Count, most, style.ASCII)))
		if b.Count > 0 {
			line += fmt.Sprintf(" %d", b.Count)
		}
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
}

// bar is as long as count is to most; what is not nothing can be seen.
func bar(count, most int, ascii bool) string {
	if count == 0 {
		return ""
	}
	parts := max(1, count*barWidth*8/most)
	if ascii {
		return strings.Repeat("#", max(1, parts/8))
	}
	text := strings.Repeat(eighths[7], parts/8)
	if rest := parts % 8; rest > 0 {
		text += eighths[rest-1]
	}
	return text
}
