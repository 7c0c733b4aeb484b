package filename_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/internal/filename"
)

// home makes a folder with files and links:
//
//	src/a.go  src/[id].tsx  src/$post  src/new<newline>line  src/caf\xe9  src/two words  src/100%  src/~
//	src/hard = src/a.go (hard link)   link -> src   src/soft -> a.go   src/dangling -> gone.go   deep/link -> ../src/sub
func home(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{"src/sub", "deep", "other"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a.go", "[id].tsx", "$post", "new\nline", "caf\xe9", "two words", "100%", "~", "%41"} {
		if err := os.WriteFile(filepath.Join(dir, "src", name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "other", "a.go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(dir, "src/a.go"), filepath.Join(dir, "src/hard")); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"link": "src", "src/soft": "a.go", "src/dangling": "gone.go", "deep/link": "../src/sub", "src/loop": "loop",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSame(t *testing.T) {
	dir := home(t)
	tests := []struct {
		path, buffer string // HOME stands for the folder
		want         bool
	}{
		{"HOME/src/a.go", "HOME/src/a.go", true},
		{"src/a.go", "HOME/src/a.go", true},
		{"./src/../src/a.go", "HOME/src/a.go", true},
		{"~/src/a.go", "HOME/src/a.go", true},
		{"HOME/src/a.go", "HOME/src/soft", true},
		{"HOME/src/soft", "HOME/src/a.go", true},
		{"HOME/src/a.go", "HOME/link/a.go", true},
		{"HOME/link/a.go", "HOME/src/a.go", true},
		{"HOME/link/soft", "HOME/src/hard", true},
		{"HOME/src/a.go", "HOME/src/hard", true},
		{"HOME/src/hard", "HOME/link/soft", true},
		{"HOME/src/a.go", "file://HOME/src/a.go", true},
		{"HOME/src/a.go", "file://localhostHOME/src/a.go", true},
		{"HOME/src/two words", "file://HOME/src/two%20words", true},
		{"HOME/src/caf\xe9", "file://HOME/src/caf%E9", true},
		{"HOME/src/100%", "file://HOME/src/100%", true},
		{"HOME/src/[id].tsx", "HOME/src/[id].tsx", true},
		{"HOME/src/$post", "HOME/link/$post", true},
		{"HOME/src/new\nline", "HOME/link/new\nline", true},
		{"HOME/src/caf\xe9", "HOME/link/caf\xe9", true},
		{"HOME/src/~", "HOME/link/~", true},
		{"HOME/src/two words", "HOME/src//two words", true},
		{"HOME/src/%41", "HOME/src/%41", true},
		// not there yet
		{"HOME/src/new.go", "HOME/src/new.go", true},
		{"HOME/src/new.go", "HOME/link/new.go", true},
		{"HOME/link/new/er/file.go", "HOME/src/new/er/file.go", true},
		{"HOME/src/dangling", "HOME/src/gone.go", true},
		{"HOME/src/gone.go", "HOME/link/dangling", true},
		// ".." after a link: as text, and as the kernel takes it
		{"HOME/deep/link/../a.go", "HOME/src/a.go", true},
		{"HOME/deep/link/../a.go", "HOME/deep/a.go", true},

		{"HOME/src/a.go", "HOME/other/a.go", false},
		{"HOME/src/a.go", "HOME/src/A.GO", false},
		{"HOME/src/new.go", "HOME/src/NEW.go", false},
		{"HOME/src/new.go", "HOME/other/new.go", false},
		{"HOME/src/a.go", "HOME/src", false},
		{"HOME/src/a.go", "", false},
		{"HOME/src/a.go", "src/a.go", false},
		{"HOME/src/a.go", "a.go", false},
		{"HOME/src/a.go", "oil://HOME/src/a.go", false},
		{"HOME/src/a.go", "oil://HOME/src/", false},
		{"HOME/src/a.go", "fugitive://HOME/.git//0/src/a.go", false},
		{"HOME/src/a.go", "term://HOME/src//1:/bin/sh", false},
		{"HOME/src/a.go", "file://elsewhereHOME/src/a.go", false},
		{"HOME/src/a.go", "HOME/src/a.go\x00", false},
		{"HOME/src/loop", "HOME/src/a.go", false},
		{"HOME/src/~", "HOME", false},
		{"HOME/src/%41", "HOME/src/A", false},
	}
	expand := func(s string) string { return strings.ReplaceAll(s, "HOME", dir) }
	for _, test := range tests {
		f, err := filename.Resolve(expand(test.path), dir, dir)
		if err != nil {
			t.Errorf("%q: %v", test.path, err)
			continue
		}
		if got := f.Same(expand(test.buffer)); got != test.want {
			t.Errorf("%q is buffer %q: %v, want %v (%+v)", test.path, test.buffer, got, test.want, f)
		}
	}
}

func TestResolve(t *testing.T) {
	dir := home(t)
	tests := []struct{ path, wantPath, wantReal string }{
		{"link/soft", "link/soft", "src/a.go"},
		{"link/new.go", "link/new.go", "src/new.go"},
		{"src/dangling", "src/dangling", "src/gone.go"},
		{"deep/link/x/y", "deep/link/x/y", "src/sub/x/y"},
		{"src/loop", "src/loop", "src/loop"},
		{"src/a.go/below", "src/a.go/below", "src/a.go/below"},
	}
	for _, test := range tests {
		f, err := filename.Resolve(test.path, dir, "")
		if err != nil {
			t.Errorf("%q: %v", test.path, err)
			continue
		}
		if f.Path != filepath.Join(dir, test.wantPath) || f.Real != filepath.Join(dir, test.wantReal) {
			t.Errorf("%q: %+v", test.path, f)
		}
		if f.Exists != (f.Inode != 0) || f.Exists != (f.Dev != 0) {
			t.Errorf("%q: %+v", test.path, f)
		}
	}
	for _, bad := range []string{"", "a\x00b", "relative"} {
		if f, err := filename.Resolve(bad, "", ""); err == nil {
			t.Errorf("%q: %+v", bad, f)
		}
	}
	if f, err := filename.Resolve("~/x", dir, ""); err == nil {
		t.Errorf("~ without a home: %+v", f)
	}
}
