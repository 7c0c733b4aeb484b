package git_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sidekick/internal/git"
)

func TestIgnored(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	alone := write("alone.log", "")
	write("repo/.gitignore", "*.log\n/build/\n")
	if out, err := exec.Command("git", "init", "-q", filepath.Join(dir, "repo")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("GIT_DIR", filepath.Join(dir, "elsewhere"))
	tests := map[string]bool{
		alone:                         false,
		write("repo/a.go", ""):        false,
		write("repo/x.log", ""):       true,
		write("repo/build/a.go", ""):  true,
		write("repo/-n.log", ""):      true,
		filepath.Join(dir, "gone/a"):  false,
		write("repo/sub/new.log", ""): true,
	}
	for path, want := range tests {
		if got, err := git.Ignored(t.Context(), path, os.Getenv); got != want || err != nil {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
	none := func(string) string { return "" }
	t.Setenv("PATH", "")
	if got, err := git.Ignored(t.Context(), alone, none); got || err != nil {
		t.Errorf("without git: %v, %v", got, err)
	}
}
