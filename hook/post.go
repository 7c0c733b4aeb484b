package hook

import (
	"context"

	"sidekick/internal/claude"
)

// postToolUse follows up a tool call that was made.
func postToolUse(ctx context.Context, e *event) (claude.Answer, error) {
	if e.payload.Tool == claude.Read {
		return staleRead(ctx, e)
	}
	return claude.Answer{}, nil
}
