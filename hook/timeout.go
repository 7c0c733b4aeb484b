package hook

import (
	"path/filepath"
	"slices"
	"time"

	"sidekick/internal/claude"
	"sidekick/internal/safefile"
)

const (
	// assumedTimeout is what install registers for a user who does not wait.
	assumedTimeout = 10 * time.Second
	// margin is what the hook needs beside waiting. A hook that is ended by the
	// client has said nothing, and the edit goes on.
	margin = 4 * time.Second
)

// mayWait returns how long a denied edit may wait for the person: what they
// chose, but no longer than the registered timeout leaves.
func (e *event) mayWait() time.Duration {
	if e.config.Wait <= assumedTimeout-margin {
		return e.config.Wait
	}
	return min(e.config.Wait, max(e.registeredTimeout()-margin, 0))
}

// registeredTimeout is the shortest timeout with which the settings files of the
// session register this hook. The client runs one of several equal entries, and
// does not say with whose timeout.
func (e *event) registeredTimeout() time.Duration {
	config := e.Getenv("CLAUDE_CONFIG_DIR")
	if config == "" {
		config = filepath.Join(e.Home, ".claude")
	}
	files := []string{filepath.Join(config, "settings.json")}
	if project := e.Getenv("CLAUDE_PROJECT_DIR"); project != "" {
		files = append(files, filepath.Join(project, ".claude", "settings.json"), filepath.Join(project, ".claude", "settings.local.json"))
	}
	var timeouts []time.Duration
	for _, file := range files {
		settings, err := safefile.Read(file) // a repository may have a pipe there
		if err != nil {
			continue
		}
		for _, entry := range claude.Entries(settings.Data) {
			ours := slices.Equal(entry.Args, []string{"hook"}) && filepath.Base(entry.Command) == "sidekick"
			if entry.Event == claude.PreToolUse && ours {
				timeouts = append(timeouts, time.Duration(entry.Timeout*float64(time.Second)))
			}
		}
	}
	if len(timeouts) == 0 {
		return assumedTimeout
	}
	return slices.Min(timeouts)
}
