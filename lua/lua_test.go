package lua

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that the embed directive left out would be missing only at the user's.
func TestEverySourceTravels(t *testing.T) {
	runtime := Load()
	if runtime.Boot == "" {
		t.Error("boot.lua is empty")
	}
	err := filepath.WalkDir("_sidekick", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".lua") || path == "_sidekick/boot.lua" {
			return err
		}
		want, err := os.ReadFile(path)
		if got := runtime.Modules[moduleName(path)]; got != string(want) {
			t.Errorf("module %q differs from %s", moduleName(path), path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(runtime.Version) != 16 || runtime.Version != Version() {
		t.Errorf("version %q, Version() %q: want the same 16 digits", runtime.Version, Version())
	}
}
