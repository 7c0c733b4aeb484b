package install_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sidekick/install"
	"sidekick/internal/claude"
	"sidekick/internal/safefile"
	"sidekick/internal/words"
)

const binary = "/usr/local/bin/sidekick"

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func mustInstall(t *testing.T, r install.Request) install.Report {
	t.Helper()
	report, err := install.Install(r)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestIntoNothingAndBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), ".claude", "settings.json")
	request := install.Request{File: file, Binary: binary}
	if report := mustInstall(t, request); report.Outcome != install.Created {
		t.Errorf("outcome is %s", report.Outcome)
	}
	if n := len(claude.Entries([]byte(read(t, file)))); n != len(install.Registrations) {
		t.Errorf("%d entries", n)
	}
	before := read(t, file)
	if report := mustInstall(t, request); report.Outcome != install.Unchanged || report.Diff != "" {
		t.Errorf("second time: %+v", report)
	}
	if read(t, file) != before {
		t.Error("second time: file changed")
	}
	report, err := install.Uninstall(request)
	if err != nil || report.Outcome != install.Removed {
		t.Fatalf("uninstall: %+v, %v", report, err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("file is still there: %v", err)
	}
	if report, err := install.Uninstall(request); err != nil || report.Outcome != install.Unchanged {
		t.Errorf("second uninstall: %+v, %v", report, err)
	}
}

func TestWhatAnotherAddedStays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	request := install.Request{File: file, Binary: binary}
	mustInstall(t, request)
	// A hook of theirs in a group of ours, and a setting beside the hooks.
	text := read(t, file)
	text = strings.Replace(text, `            "timeout": 10
          }
`, `            "timeout": 10
          } ,
          { "type": "command", "command": "theirs" }
`, 1)
	text = strings.TrimSuffix(text, "\n}\n") + ",\n  \"model\": \"opus\"\n}\n"
	write(t, file, text)
	report, err := install.Uninstall(request)
	if err != nil || report.Outcome != install.Changed {
		t.Fatalf("%+v, %v", report, err)
	}
	want := `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Edit|Write|MultiEdit|NotebookEdit|Bash|PowerShell",
        "hooks": [
          { "type": "command", "command": "theirs" }
        ]
      }
    ]
  },
  "model": "opus"
}
`
	if got := read(t, file); got != want {
		t.Errorf("left:\n%s", got)
	}
}

// The client itself rewrites the file: two spaces, its own order, no final
// newline, our whitespace gone.
func TestAfterTheClientHasRewrittenTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	write(t, file, "{ \"model\":\"opus\" }")
	request := install.Request{File: file, Binary: binary}
	mustInstall(t, request)
	write(t, file, reserialise(t, read(t, file)))
	if report := mustInstall(t, request); report.Outcome != install.Unchanged {
		t.Errorf("install after it: %s\n%s", report.Outcome, report.Diff)
	}
	if _, err := install.Uninstall(request); err != nil {
		t.Fatal(err)
	}
	if got, want := read(t, file), "{\n  \"model\": \"opus\"\n}"; got != want {
		t.Errorf("left %q, want %q", got, want)
	}
}

func TestOlderPathsAndTables(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	write(t, file, "{}\n")
	old := []install.Registration{{Event: claude.PreToolUse, Matcher: "Edit", Timeout: 5}, {Event: "SessionStart", Timeout: 5}}
	mustInstall(t, install.Request{File: file, Binary: "/nix/store/old/bin/sidekick", Table: old})
	if report := mustInstall(t, install.Request{File: file, Binary: binary}); report.Outcome != install.Changed {
		t.Errorf("outcome is %s", report.Outcome)
	}
	entries := claude.Entries([]byte(read(t, file)))
	if len(entries) != len(install.Registrations) {
		t.Errorf("%d entries, want %d", len(entries), len(install.Registrations))
	}
	for _, e := range entries {
		if e.Command != binary || e.Event == "SessionStart" {
			t.Errorf("old entry is still there: %+v", e)
		}
	}
	if _, err := install.Uninstall(install.Request{File: file, Binary: "/elsewhere/sidekick"}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, file); got != "{}\n" {
		t.Errorf("left %q", got)
	}
}

// An entry of ours that somebody has made useless is put right.
func TestDamagedEntryIsRepaired(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	request := install.Request{File: file, Binary: binary}
	mustInstall(t, request)
	want := read(t, file)
	for _, damage := range [][2]string{
		{`"timeout": 86400`, `"timeout": 10`},
		{`"timeout": 10`, `"timeout": 10, "async": true`},
		{`"matcher": "mcp__.*"`, `"matcher": "Nothing"`},
		{`"Stop"`, `"Stopp"`},
	} {
		write(t, file, strings.Replace(want, damage[0], damage[1], 1))
		if report := mustInstall(t, request); report.Outcome != install.Changed {
			t.Errorf("%s: outcome is %s", damage[1], report.Outcome)
		}
		if got := read(t, file); got != want {
			t.Errorf("%s: not repaired:\n%s", damage[1], got)
		}
	}
}

func TestRefusedAndNotTouched(t *testing.T) {
	tests := map[string]struct {
		text, want, hint string
	}{
		"comment":            {"{\n  // mine\n  \"model\": \"x\"\n}", ":2: comments and trailing commas are not JSON", words.RemoveComments},
		"trailing comma":     {"{\n  \"model\": \"x\",\n}", ":3: comments and trailing commas are not JSON", words.RemoveComments},
		"conflict":           {"{\n<<<<<<< HEAD\n  \"a\": 1\n=======\n  \"a\": 2\n>>>>>>> x\n}", ":2: this is a conflict marker", words.ResolveConflict},
		"cut off":            {"{\n  \"model\": \"x\"\n", ":2: not JSON: unexpected end of JSON input", words.RepairJSON},
		"text behind":        {"{}\n{}\n", ":2: not JSON: invalid character '{' after top-level value", words.RepairJSON},
		"latin-1":            {"{\n\n  \"name\": \"caf\xe9\"\n}", ":3: this is not UTF-8", words.SaveAsUTF8},
		"utf-16":             {"\xff\xfe{\x00}\x00", ":1: this is not UTF-8", words.SaveAsUTF8},
		"top is a list":      {"[]", ":1: the top level is not an object", words.RepairSettings},
		"hooks is a list":    {"{\n  \"a\": 1,\n  \"hooks\": []\n}", ":3: hooks is not an object", words.RepairSettings},
		"event is an object": {"{\"hooks\": {\n\"Stop\": {}}}", ":2: hooks/Stop is not a list", words.RepairSettings},
		"event is null":      {"{\"hooks\": {\n\n\"PreToolUse\": null}}", ":3: hooks/PreToolUse is not a list", words.RepairSettings},
		"somebody's bad entry": {
			"{\"hooks\": {\"Stop\": [\n{\"hooks\": [\n{\"type\": \"command\", \"command\": \"x\",\n\"timeout\": \"5\"}]}]}}",
			":4: hooks/Stop/0/hooks/0/timeout is not a number above 0", words.RepairSettings,
		},
		"BOM and comment": {"\ufeff{\n//\n}", ":2: comments", words.RemoveComments},
		"deep":            {strings.Repeat("[", 20000), ":1: not JSON", words.RepairJSON},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "settings.json")
			write(t, file, test.text)
			_, err := install.Install(install.Request{File: file, Binary: binary, Replace: true})
			if err == nil || !strings.HasPrefix(err.Error(), file+test.want) {
				t.Errorf("error is %v, want %s%s", err, file, test.want)
			}
			if hints := words.Hints(err); len(hints) != 1 || hints[0] != test.hint {
				t.Errorf("hints are %q, want %q", hints, test.hint)
			}
			if got := read(t, file); got != test.text {
				t.Errorf("file was touched: %q", got)
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 1 {
				t.Errorf("something was left behind: %v", entries)
			}
		})
	}
}

func TestWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "settings.json")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{fifo, "/dev/null", dir} {
		for name, act := range map[string]func(install.Request) (install.Report, error){"install": install.Install, "uninstall": install.Uninstall} {
			done := make(chan error, 1)
			go func() {
				_, err := act(install.Request{File: file, Binary: binary})
				done <- err
			}()
			select {
			case err := <-done:
				if !errors.Is(err, safefile.ErrNotRegular) || len(words.Hints(err)) != 1 {
					t.Errorf("%s %s: %v, hints %q", name, file, err, words.Hints(err))
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("%s %s hangs", name, file)
			}
		}
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), ".claude", "settings.json")
	report := mustInstall(t, install.Request{File: file, Binary: binary, DryRun: true})
	if report.Outcome != install.Created || !strings.HasPrefix(report.Diff, "--- /dev/null\n+++ "+file+"\n") {
		t.Errorf("report is %+v", report)
	}
	if _, err := os.Stat(filepath.Dir(file)); !errors.Is(err, os.ErrNotExist) {
		t.Error("the folder was made")
	}
	write(t, file, "{\n  \"model\": \"x\"\n}\n")
	report = mustInstall(t, install.Request{File: file, Binary: binary, DryRun: true})
	if !strings.Contains(report.Diff, "\n-  \"model\": \"x\"\n+  \"model\": \"x\",\n") {
		t.Errorf("diff is\n%s", report.Diff)
	}
	if got := read(t, file); got != "{\n  \"model\": \"x\"\n}\n" {
		t.Errorf("file holds %q", got)
	}
}

func TestThroughALinkModeKept(t *testing.T) {
	dir := t.TempDir()
	dotfile := filepath.Join(dir, "dotfiles", "claude.json")
	write(t, dotfile, "{\"a\":1}")
	if err := os.Chmod(dotfile, 0o640); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "settings.json")
	if err := os.Symlink("dotfiles/claude.json", file); err != nil {
		t.Fatal(err)
	}
	mustInstall(t, install.Request{File: file, Binary: binary})
	if target, err := os.Readlink(file); err != nil || target != "dotfiles/claude.json" {
		t.Errorf("link is %q, %v", target, err)
	}
	if info, _ := os.Stat(dotfile); info.Mode() != 0o640 {
		t.Errorf("mode is %v", info.Mode())
	}
	if !strings.Contains(read(t, dotfile), binary) {
		t.Error("the link's target has no hook")
	}
}

// What somebody writes while the person is being asked is not lost.
func TestChangedMeanwhile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	write(t, file, `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"sidekick hook"}]}]}}`)
	_, err := install.Install(install.Request{File: file, Binary: binary, Confirm: func(string) (bool, error) {
		write(t, file, `{"model":"theirs"}`)
		return true, nil
	}})
	if !errors.Is(err, safefile.ErrChanged) || len(words.Hints(err)) != 1 {
		t.Errorf("error is %v, hints %q", err, words.Hints(err))
	}
	if got := read(t, file); got != `{"model":"theirs"}` {
		t.Errorf("file holds %q", got)
	}
}

func TestNotes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	write(t, file, `{"disableAllHooks": true}`)
	report := mustInstall(t, install.Request{File: file, Binary: binary, Shared: true})
	want := fmt.Sprint([]string{words.HooksAreOff, words.SharedFile, words.TakenUp})
	if got := fmt.Sprint(report.Notes); got != want {
		t.Errorf("notes are %s, want %s", got, want)
	}
}
