package swapfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sidekick/internal/filename"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/swapfile"
)

// worldOf is what a hook in the home sees.
func worldOf(t testing.TB, home nvimtest.Home) swapfile.World {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	return swapfile.World{
		Home:      home.Dir,
		StateHome: filepath.Join(home.Dir, ".local", "state"),
		DataHome:  filepath.Join(home.Dir, ".local", "share"),
		TempDir:   home.Dir,
		Host:      host,
		UID:       os.Getuid(),
		Proc:      "/proc",
	}
}

func find(t testing.TB, w swapfile.World, path string) []swapfile.Swap {
	t.Helper()
	f, err := filename.Resolve(path, "/", w.Home)
	if err != nil {
		t.Fatal(err)
	}
	return swapfile.Find(f, w)
}

// eventually waits until the only swap file of path is as holds says.
func eventually(t testing.TB, w swapfile.World, path, what string, holds func(swapfile.Swap) bool) swapfile.Swap {
	t.Helper()
	var found []swapfile.Swap
	nvimtest.Eventually(t, what, func() error {
		if found = find(t, w, path); len(found) != 1 || !holds(found[0]) {
			return fmt.Errorf("found %+v", found)
		}
		return nil
	})
	return found[0]
}

func TestNeovimTypesSavesAndDies(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, nvim string) {
		home := nvimtest.NewHome(t)
		w := worldOf(t, home)
		path := home.Write(t, "src/100% [id] $post.tsx", "text\n")
		term := home.Terminal(t, []string{nvim, "--clean", path})
		eventually(t, w, path, "a swap file", func(s swapfile.Swap) bool { return !s.Modified && s.Owner == swapfile.Living })
		term.Type("ihello")
		s := eventually(t, w, path, "unsaved while typing", swapfile.Swap.Unsaved)
		term.Keys("Escape")
		term.Type(":w\r")
		eventually(t, w, path, "saved", func(s swapfile.Swap) bool { return !s.Unsaved() })
		term.Type("ohello")
		eventually(t, w, path, "unsaved again", swapfile.Swap.Unsaved)
		kill(t, s.PID)
		eventually(t, w, path, "crashed", swapfile.Swap.Crashed)
	})
}
