package filename_test

import (
	"path/filepath"
	"testing"

	"sidekick/internal/filename"
	"sidekick/internal/mounttest"
)

func TestBindMount(t *testing.T) {
	if !mounttest.Alone(t) {
		return
	}
	dir := home(t)
	mounttest.Bind(t, filepath.Join(dir, "src"), filepath.Join(dir, "other"))
	for _, name := range []string{"a.go", "new.go", "sub/new.go"} {
		f, err := filename.Resolve(filepath.Join(dir, "src", name), "/", "/")
		if err != nil {
			t.Fatal(err)
		}
		if !f.Same(filepath.Join(dir, "other", name)) {
			t.Errorf("%s is not found through a bind mount", name)
		}
	}
}

func TestFileSystemThatIgnoresCase(t *testing.T) {
	if !mounttest.Alone(t) {
		return
	}
	dir := filepath.Join(t.TempDir(), "anycase")
	mounttest.AnyCase(t, dir, "notes.txt", "other.txt")
	tests := []struct {
		path, buffer string
		want         bool
	}{
		{"notes.txt", "NOTES.TXT", true},
		{"NOTES.TXT", "notes.txt", true},
		{"notes.txt", "OTHER.TXT", false},
		// not there yet: whether the folder ignores case decides
		{"new.txt", "New.TXT", true},
		{"new/er.txt", "NEW/er.TXT", true},
		{"new.txt", "newer.txt", false},
		{"new.txt", "NOTES.TXT", false},
	}
	for _, test := range tests {
		f, err := filename.Resolve(filepath.Join(dir, test.path), "/", "/")
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Same(filepath.Join(dir, test.buffer)); got != test.want {
			t.Errorf("%s is %s: %v, want %v", test.path, test.buffer, got, test.want)
		}
	}
}
