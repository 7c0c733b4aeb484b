package hook

import (
	"fmt"

	"sidekick/internal/contextnote"
	"sidekick/internal/nvim"
	"sidekick/internal/swapfile"
	"sidekick/internal/words"
)

// swapHits asks the file's swap files: the second source, for a Neovim that
// could not be asked, and for plain Vim.
func (e *event) swapHits(file target, editors []editor) (hits []hit) {
	for _, swap := range swapfile.Find(file.File, e.Swaps) {
		if swap.Owner == swapfile.Living {
			e.spoken = append(e.spoken, swap.PID)
		}
		switch {
		case swap.Unsaved() && !answered(editors, swap.PID):
			hits = append(hits, hit{
				file:   file,
				open:   nvim.OpenFile{Modified: true, Visible: true, Current: true},
				holder: unasked(swap.PID),
			})
		case swap.Crashed():
			e.tellPerson(words.RecoveryPending(contextnote.Name(file.given), contextnote.Name(swap.Path)))
		}
	}
	return hits
}

// unasked is how a sentence calls an editor that is known by its swap file only.
func unasked(pid int) string { return fmt.Sprintf("an editor (pid %d)", pid) }

// answered reports whether the editor itself has said what is unsaved in it: the
// swap file of a buffer keeps saying "modified" after `:set nomodified`.
func answered(editors []editor, pid int) bool {
	for _, ed := range editors {
		if ed.err == nil && pid != 0 && (ed.OpenFiles.PID == pid || ed.Found.PID == pid) {
			return true
		}
	}
	return false
}
