package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzLoad holds that whatever the file and the environment say, the options are
// ones that the hook knows, and that what was not understood is told.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		"", "guard = \"visible\"\nwait = \"5s\"", "[context]\nselection = false", "guard = 1", "wait = -1", "wait = \"10m1ns\"",
		"context = 3", "[guard]\na = 1", "[[context]]", "guard = \"unsaved\"\nguard = \"current\"", "a.b.c.d = {e = [1, {f = 2}]}",
		"wait = 1979-05-27T07:32:00Z", "\"guard\" = \"current\"", "\xff = 1", "[", "context.selection = nan",
	} {
		f.Add(text, "")
	}
	f.Add("", "\x00")
	f.Fuzz(func(t *testing.T, text, variable string) {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, problems := Load(path, func(string) string { return variable })
		if c.Guard != Unsaved && c.Guard != Visible && c.Guard != Current || c.Wait < 0 || c.Wait > MaxWait {
			t.Errorf("options %+v", c)
		}
		for _, problem := range problems {
			if !strings.Contains(problem.Error(), path) && !strings.Contains(problem.Error(), "SIDEKICK_") {
				t.Errorf("%v names neither the file nor a variable", problem)
			}
		}
	})
}
