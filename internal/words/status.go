package words

import "fmt"

// What `sidekick status` shows.
const (
	NoNeovim = "No Neovim of yours is running."
	// StatusUnsaved takes the pid and the file.
	StatusUnsaved = "unsaved in %s: %s"
	// StatusSilent takes the pid and the state.
	StatusSilent = "%s cannot be asked (%s): an edit is held back only where its swap file says that it has unsaved changes"
)

// StatusHeader names the columns.
var StatusHeader = []string{"PID", "DIRECTORY", "VERSION", "STARTED BY", "STATE", "FILES", "UNSAVED"}

// StatusMore counts the unsaved files of a Neovim that are not listed.
func StatusMore(pid string, more int) string {
	return fmt.Sprintf("unsaved in %s: %d more (sidekick status --json lists all)", pid, more)
}
