package embed

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	current = "00000000000000aa"
	month   = 31 * 24 * time.Hour
)

// names lists what is in a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// aged makes a folder with a file, or a file, that was last touched so long ago.
func aged(t *testing.T, path string, folder bool, age time.Duration) {
	t.Helper()
	file := path
	if folder {
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		file = filepath.Join(path, "start.lua")
	}
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(-age)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

func TestRemoveOld(t *testing.T) {
	base := t.TempDir()
	folder := func(name string) string { return filepath.Join(base, name) }
	aged(t, folder(current), true, month)
	aged(t, folder("00000000000000a1"), true, month)   // goes
	aged(t, folder("00000000000000a2"), true, 2*month) // a Neovim reads it
	aged(t, folder("00000000000000a3"), true, 29*24*time.Hour)
	aged(t, folder("00000000000000a4"), true, -month)     // a clock that was wrong
	aged(t, folder("00000000000000a5"), false, month)     // no folder
	aged(t, folder("00000000000000AG"), true, month)      // not ours
	aged(t, folder("session"), true, month)               // not ours
	aged(t, folder(".old-00000000000000a6"), true, month) // somebody was stopped at it
	elsewhere := t.TempDir()
	aged(t, filepath.Join(elsewhere, "x"), true, month)
	if err := os.Symlink(elsewhere, folder("00000000000000a7")); err != nil { // no folder
		t.Fatal(err)
	}
	var asked []string
	RemoveOld(base, current, func(folder string) bool {
		asked = append(asked, filepath.Base(folder))
		return filepath.Base(folder) == "00000000000000a2"
	})
	want := []string{
		"00000000000000AG", "00000000000000a2", "00000000000000a3", "00000000000000a4", "00000000000000a5",
		"00000000000000a7", current, "session",
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, names(t, base)); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"00000000000000a1", "00000000000000a2"}, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if got := names(t, elsewhere); len(got) != 1 {
		t.Errorf("a link was followed: %v", got)
	}
	RemoveOld(filepath.Join(base, "nowhere"), current, nil)
}

// A start with a version counts, also where nothing is to be written.
func TestStartIsNoted(t *testing.T) {
	base := t.TempDir()
	if Has(base, current) {
		t.Error("it has what was never written")
	}
	root, err := Write(tree, base, current)
	if err != nil || !Has(base, current) {
		t.Fatal(err)
	}
	then := time.Now().Add(-month)
	if err := os.Chtimes(root, then, then); err != nil {
		t.Fatal(err)
	}
	if !isOld(root) {
		t.Error("a month is not old")
	}
	if _, err := Write(tree, base, current); err != nil || isOld(root) {
		t.Errorf("the start was not noted: %v", err)
	}
	check(t, root)
}

// Somebody starts with a version while it is taken away: it is put back.
func TestRemoveGivesBack(t *testing.T) {
	base := t.TempDir()
	folder := filepath.Join(base, "00000000000000a1")
	aged(t, folder, true, 0)
	remove(base, folder)
	if got := names(t, base); len(got) != 1 || got[0] != "00000000000000a1" {
		t.Errorf("left: %v", got)
	}
}
