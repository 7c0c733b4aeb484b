package hook

import (
	"context"
	"fmt"

	"sidekick/internal/nvim"
	"sidekick/internal/socket"
)

// editor is one Neovim and what it said.
type editor struct {
	socket.Found
	nvim.OpenFiles
	err error
}

// name is how a sentence calls the editor.
func (ed editor) name() string {
	pid := ed.OpenFiles.PID
	if pid == 0 {
		pid = ed.Found.PID
	}
	if pid == 0 {
		return "Neovim (" + ed.Address + ")"
	}
	return fmt.Sprintf("Neovim (pid %d)", pid)
}

// lookAround asks every Neovim of the user which files are unsaved, and under
// the rule "visible" also which are shown.
func lookAround(ctx context.Context, e *event) ([]editor, error) {
	ctx, cancel := context.WithTimeout(ctx, askBound)
	defer cancel()
	screens, err := lookCloser(ctx, e, func(*nvim.Client, nvim.OpenFiles) (struct{}, error) { return struct{}{}, nil })
	editors := make([]editor, len(screens))
	for i, s := range screens {
		editors[i] = s.editor
	}
	return editors, err
}
