package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/install"
	"sidekick/internal/claudetest"
	"sidekick/internal/nvim/nvimtest"
)

// The plugin registers what install registers. UPDATE=1 writes the file.
func TestPluginHooksAreTheTable(t *testing.T) {
	want, err := install.PluginHooks()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("hooks", "hooks.json")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if diff := cmp.Diff(string(want), string(got)); err != nil || diff != "" {
		t.Errorf("%v: run UPDATE=1 go test -run Plugin . %s", err, diff)
	}
}

// The real client accepts the plugin, installs it from this folder, and the
// doctor sees it; with hooks in the settings beside it, it says so.
func TestPluginWithTheRealClient(t *testing.T) {
	client := claudetest.Binary(t)
	home := nvimtest.NewHome(t)
	root := filepath.Join(home.Dir, "repository")
	for _, name := range []string{".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", "hooks/hooks.json"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		home.Write(t, filepath.Join("repository", name), string(text))
	}
	claude := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(client, args...)
		cmd.Dir = home.Dir
		cmd.Env = home.Environ("DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("claude %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	claude("plugin", "validate", "--strict", root)
	claude("plugin", "validate", "--strict", filepath.Join(root, ".claude-plugin", "plugin.json"))
	claude("plugin", "marketplace", "add", root)
	claude("plugin", "install", "sidekick@sidekick")
	env := []string{"SIDEKICK_NVIM=" + nvimtest.Binary(t, "0.12")}
	_, out, _ := runIn(t, home, env, "doctor")
	if !strings.Contains(out, "sidekick hook (plugin sidekick@sidekick)") {
		t.Errorf("the doctor does not see the plugin:\n%s", out)
	}
	if code, _, errs := runIn(t, home, env, "install"); code != 0 {
		t.Fatal(errs)
	}
	_, out, _ = runIn(t, home, env, "doctor")
	if !strings.Contains(out, "more than one sidekick") {
		t.Errorf("both, and the doctor says nothing:\n%s", out)
	}
}
