package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"sidekick/internal/nvim/nvimtest"
)

// The demo plays the main job without a terminal, and leaves nothing behind.
func TestDemo(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		cmd := exec.Command(sidekick(t), "demo")
		cmd.Dir = home.Dir
		cmd.Env = home.Environ("SIDEKICK_NVIM=" + binary)
		before := list(t, home.Dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		last := -1
		for _, part := range []string{
			"modified: 1", `"permissionDecision":"deny"`, "1 line differs from the disk (line 20)", "modified: 0",
			"nothing: the edit goes ahead", "cursor in line 23, on: line 20, typed by a person", "first line: line 1",
		} {
			at := strings.Index(string(out), part)
			if at <= last {
				t.Errorf("%q is not there, or out of order:\n%s", part, out)
			}
			last = at
		}
		if after := list(t, home.Dir); after != before {
			t.Errorf("left behind: %s, before: %s", after, before)
		}
	})
}

func list(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}
