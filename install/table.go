package install

import (
	"slices"
	"time"

	"sidekick/internal/claude"
)

// Registration is one line of the table below: a hook that install puts into
// the settings.
type Registration struct {
	Event   string
	Matcher string // "" = everything, or an event without a matcher
	Timeout int    // seconds; the client ends the hook then and goes on without an answer
}

const (
	// Exact names on every version of the client: nothing in it makes a regular
	// expression of it.
	writers = "Edit|Write|MultiEdit|NotebookEdit"
	shells  = "Bash|PowerShell"
	// Servers and tools have any name, so this one has to be an expression.
	mcp = "mcp__.*"

	// The hook bounds itself far below this.
	short = 10
	// A person decides about a proposed edit in Neovim, and may have lunch first.
	day = 86400
)

// Registrations is what sidekick wants to be asked, in the order in which it is
// written. The hook is silent on what it does not handle, so an older binary
// may meet a newer table.
var Registrations = []Registration{
	{claude.PreToolUse, writers + "|" + shells, short},
	{claude.PreToolUse, mcp, short},
	{claude.PostToolUse, writers + "|" + shells + "|" + claude.Read, short},
	{claude.PostToolUse, mcp, short},
	{claude.PostToolUseFailure, shells + "|" + writers, short},
	{claude.PermissionRequest, writers, day},
	{claude.UserPromptSubmit, "", short},
	{claude.Stop, "", short},
	{claude.SessionEnd, "", short},
}

// ForWait is the table for a user whose denied edits wait for them to save: the
// client must not end the hook meanwhile, or the edit would go on.
func ForWait(wait time.Duration) []Registration {
	table := slices.Clone(Registrations)
	for i := range table {
		if table[i].Event == claude.PreToolUse {
			table[i].Timeout += int(wait.Round(time.Second) / time.Second)
		}
	}
	return table
}

// entry is the registration as it stands in the settings, for the binary at path.
func (r Registration) entry(path string) claude.Entry {
	return claude.Entry{Event: r.Event, Matcher: r.Matcher, Handler: claude.Handler{
		Type: "command", Command: path, Args: []string{"hook"}, Timeout: float64(r.Timeout),
	}}
}
