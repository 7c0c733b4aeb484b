package hook

import (
	"context"

	"sidekick/internal/fleet"
	"sidekick/internal/nvim"
	"sidekick/internal/reload"
)

// note tells the editors, just before an edit that may go ahead, which text a
// large file holds, so that the reload after it keeps nobody waiting. Nothing
// depends on it.
func (e *event) note(ctx context.Context, editors []editor) {
	writes := e.payload.Writes()
	if len(writes) != 1 {
		return
	}
	notes := reload.BeforeEdit(e.targets(writes)[0].names())
	if notes == nil {
		return
	}
	var free []string
	for _, ed := range editors {
		if ed.err == nil && ed.State == nvim.Ready {
			free = append(free, ed.Address)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, tellBound)
	defer cancel()
	_, _ = fleet.Ask(ctx, free, func(c *nvim.Client) (struct{}, error) {
		return struct{}{}, notes.Tell(c)
	})
}
