package words

import (
	"fmt"
	"path/filepath"
)

// What a person sees in Neovim after the agent changed a file: formats for the
// file's name, and for the number of lines where there are several.
const (
	ReloadedOne  = "%s: 1 line changed by Claude"
	ReloadedMany = "%s: %d lines changed by Claude"
	FileDeleted  = "%s was deleted by Claude; its text is kept here"
)

// TextKept is the line for a person whose unsaved text was not touched while
// the file changed on disk.
func TextKept(file string) string {
	return fmt.Sprintf("%s changed on disk, your text is kept (:SidekickBridgeDiff shows both)", filepath.Base(file))
}

// TextKeptForAgent tells the agent that what it wrote is not what the user has.
// A diff follows where why is "".
func TextKeptForAgent(file, editor, why string) string {
	const fact = "The user has unsaved text of %s in %s, typed while the change was under way. It was kept, and differs from what is on disk now. " +
		"It must not be overwritten: do not change this file again before the user has merged the two (they can save, or discard with :e!), then read it anew."
	if why == "" {
		return fmt.Sprintf(fact+" From the disk to the user's version:", file, editor)
	}
	return fmt.Sprintf(fact+" %s", file, editor, why)
}
