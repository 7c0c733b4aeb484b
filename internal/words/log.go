package words

import "fmt"

// Logged is what one line of `sidekick log` is made of.
type Logged struct {
	Decision string
	Event    string // of the agent
	Tool     string // "" for events without one
	File     string // "" where no single file is meant
	Reason   string
	Lines    int    // changed by a reload
	Asked    int    // Neovims
	Took     string // "3ms"
}

// LogEntry says what happened and why.
func LogEntry(l Logged) string {
	what := l.Tool
	if what == "" {
		what = l.Event
	}
	if l.File != "" {
		what += " " + l.File
	}
	switch l.Decision {
	case "deny":
		return fmt.Sprintf("denied    %s: unsaved changes in %s (%s)", what, orEditor(l.Reason), l.Took)
	case "pass":
		return fmt.Sprintf("passed    %s: %s asked, nothing unsaved (%s)", what, neovims(l.Asked), l.Took)
	case "reload":
		return fmt.Sprintf("reloaded  %s: %s changed (%s)", what, count(l.Lines, "line"), l.Took)
	case "context":
		return fmt.Sprintf("told      %s%s (%s)", what, because(l.Reason), l.Took)
	case "allow":
		return fmt.Sprintf("accepted  %s (%s)", what, l.Took)
	case "reject":
		return fmt.Sprintf("rejected  %s%s (%s)", what, because(l.Reason), l.Took)
	case "ignore":
		return fmt.Sprintf("left out  %s%s (%s)", what, because(l.Reason), l.Took)
	case "":
		return fmt.Sprintf("no answer %s%s (%s)", what, because(l.Reason), l.Took)
	}
	return fmt.Sprintf("%-9s %s%s (%s)", l.Decision, what, because(l.Reason), l.Took)
}

// LogUnanswered is for a Neovim that gave no answer.
func LogUnanswered(address string) string {
	return "no answer from the Neovim at " + address
}

// LogError is for what went wrong on our side.
func LogError(problem string) string { return "error: " + problem }

// NoJournal is shown where nothing was recorded yet; file is "" where there is no
// place for it.
func NoJournal(file string) string {
	if file == "" { // neither HOME nor XDG_STATE_HOME
		return "Nothing is recorded: without HOME or XDG_STATE_HOME there is no place for it."
	}
	return fmt.Sprintf("Nothing is recorded yet in %s: sidekick writes there when Claude Code calls it.", file)
}

// NothingMatches is shown where filters leave nothing.
const NothingMatches = "Nothing that is recorded matches."

func neovims(n int) string { return count(n, "Neovim") }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

func orEditor(text string) string {
	if text == "" {
		return "an editor"
	}
	return text
}

// What `sidekick stats` shows: the rows of its table, then its charts.
const (
	StatsDenials   = "edits held back"
	StatsPassed    = "edits let through"
	StatsReloads   = "reloads"
	StatsLines     = "lines reloaded"
	StatsFiles     = "files protected"
	StatsSilent    = "Neovims without answer"
	StatsErrors    = "errors"
	StatsMedian    = "median latency"
	StatsSlow      = "99th percentile"
	StatsWeek      = "this week"
	StatsMonth     = "this month"
	StatsYear      = "this year"
	StatsChart     = "edits held back and reloads, "
	StatsFirstSeen = "The journal goes back to %s."
)
