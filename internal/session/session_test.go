package session_test

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sidekick/internal/session"
)

func TestFirstIsTrueOnceAmongHooksAtOnce(t *testing.T) {
	notes := session.Open(t.TempDir(), "../../id")
	var firsts atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			first, err := notes.First("told /a/b")
			if err != nil {
				t.Error(err)
			}
			if first {
				firsts.Add(1)
			}
		})
	}
	all.Wait()
	if firsts.Load() != 1 {
		t.Errorf("%d hooks were first", firsts.Load())
	}
}

func TestPutGetEnd(t *testing.T) {
	state := t.TempDir()
	notes, other := session.Open(state, "one"), session.Open(state, "two")
	if got := notes.Get("key"); got != "" {
		t.Errorf("unknown key: %q", got)
	}
	for _, text := range []string{"first", "second"} {
		if err := notes.Put("key", text); err != nil {
			t.Fatal(err)
		}
		if got := notes.Get("key"); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	if got := other.Get("key"); got != "" {
		t.Errorf("another session sees %q", got)
	}
	notes.End()
	if got := notes.Get("key"); got != "" {
		t.Errorf("after the end: %q", got)
	}
}

func TestEndSweepsOldSessions(t *testing.T) {
	state := t.TempDir()
	old, recent := session.Open(state, "old"), session.Open(state, "recent")
	for _, notes := range []session.Notes{old, recent} {
		if err := notes.Put("key", "text"); err != nil {
			t.Fatal(err)
		}
	}
	dirs, err := filepath.Glob(filepath.Join(state, "sidekick", "sessions", "*"))
	if err != nil || len(dirs) != 2 {
		t.Fatal(dirs, err)
	}
	long := time.Now().Add(-30 * 24 * time.Hour)
	for _, dir := range dirs {
		if err := os.Chtimes(dir, long, long); err != nil {
			t.Fatal(err)
		}
	}
	if err := recent.Put("key", "again"); err != nil { // touches its folder
		t.Fatal(err)
	}
	session.Open(state, "ended").End()
	if old.Get("key") != "" || recent.Get("key") != "again" {
		t.Errorf("old %q, recent %q", old.Get("key"), recent.Get("key"))
	}
}
