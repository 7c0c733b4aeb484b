package contextnote

import "sidekick/internal/linediff"

// MaxDiff is the size in bytes up to which two texts are compared: well within
// the time that a hook has.
const MaxDiff = 4 << 20

// Diff returns a unified diff from the disk's text to the editor's, "" where
// they are equal. name is the file's.
func Diff(name, disk, editor string) string {
	return linediff.Unified(name+" (disk)", name+" (Neovim)", disk, editor)
}
