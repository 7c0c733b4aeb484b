package install

import (
	"testing"
	"time"

	"sidekick/internal/claude"
)

// A hook that waits for the person must not be ended by the client meanwhile.
func TestForWaitExtendsWhatWaits(t *testing.T) {
	for i, r := range ForWait(90 * time.Second) {
		want := Registrations[i].Timeout
		if r.Event == claude.PreToolUse {
			want += 90
		}
		if r.Timeout != want {
			t.Errorf("%s %q: timeout %d, want %d", r.Event, r.Matcher, r.Timeout, want)
		}
	}
}
