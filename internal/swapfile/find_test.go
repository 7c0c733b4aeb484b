package swapfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// wantListed checks that all unsaved work of the user has that in path, once, and
// not where the editor has been asked.
func wantListed(t testing.TB, w swapfile.World, path string, pid int) {
	t.Helper()
	f, err := filename.Resolve(path, "/", w.Home)
	if err != nil {
		t.Fatal(err)
	}
	of := func(work swapfile.Work) bool { return f.Same(work.File) && work.PID == pid }
	all := swapfile.Unsaved(w, func(int) bool { return false })
	i := slices.IndexFunc(all, of)
	if i < 0 || slices.ContainsFunc(all[i+1:], of) {
		t.Errorf("%s of %d is not there, or twice: %+v", path, pid, all)
	}
	if all := swapfile.Unsaved(w, func(asked int) bool { return asked == pid }); slices.ContainsFunc(all, of) {
		t.Errorf("an editor that was asked is listed: %+v", all)
	}
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
		wantListed(t, w, path, s.PID)
		term.Keys("Escape")
		term.Type(":w\r")
		eventually(t, w, path, "saved", func(s swapfile.Swap) bool { return !s.Unsaved() })
		term.Type("ohello")
		eventually(t, w, path, "unsaved again", swapfile.Swap.Unsaved)
		kill(t, s.PID)
		eventually(t, w, path, "crashed", swapfile.Swap.Crashed)
	})
}

// The header says "~root/x.txt" of a file in any home of root's.
func TestSameNameInAnotherHome(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, nvim string) {
		theirs, home := nvimtest.NewHome(t), nvimtest.NewHome(t)
		path := theirs.Write(t, "x.txt", "text\n")
		theirs.Terminal(t, []string{nvim, "--clean", path})
		living := func(s swapfile.Swap) bool { return s.Owner == swapfile.Living }
		eventually(t, worldOf(t, theirs), path, "a swap file", living)
		w := worldOf(t, home)
		for _, other := range []string{home.Write(t, "src/x.txt", "text\n"), home.Write(t, "x.txt", "text\n")} {
			if found := find(t, w, other); len(found) != 0 {
				t.Errorf("found %+v for %s", found, other)
			}
		}
		// From another home, without its inode, the swap file's name tells.
		if err := os.Rename(theirs.Write(t, "new", "text\n"), path); err != nil {
			t.Fatal(err)
		}
		eventually(t, w, path, "the swap file of a replaced file", living)
	})
}
