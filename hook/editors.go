package hook

import (
	"context"
	"errors"
	"fmt"

	"sidekick/internal/config"
	"sidekick/internal/fleet"
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

// lookAround asks every Neovim of the user which files are unsaved.
func lookAround(ctx context.Context, e *event) ([]editor, error) {
	found := socket.Find(e.Sockets)
	visible := e.config.Guard == config.Visible
	editors := make([]editor, len(found))
	var awake []string
	for i, f := range found {
		editors[i].Found = f
		if f.Stopped {
			editors[i].err = errStopped
			continue
		}
		awake = append(awake, f.Address)
	}
	answers, err := fleet.Ask(ctx, awake, func(c *nvim.Client) (nvim.OpenFiles, error) { return c.OpenFiles(visible) })
	byAddress := map[string]fleet.Answer[nvim.OpenFiles]{}
	for _, a := range answers {
		byAddress[a.Address] = a
	}
	for i := range editors {
		if a, asked := byAddress[editors[i].Address]; asked {
			editors[i].OpenFiles, editors[i].err = a.Value, a.Err
		}
	}
	e.entry.Asked = len(editors)
	return editors, err
}

var errStopped = errors.New("stopped by a signal")
