package words

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
