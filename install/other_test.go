package install_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/install"
	"sidekick/internal/claude"
	"sidekick/internal/words"
)

// reserialise does to settings what JSON.stringify(..., null, 2) does.
func reserialise(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(json.RawMessage(text)); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// shell is a settings file with one shell hook, and something else.
func shell(command string) string {
	quoted, _ := json.Marshal(command)
	return `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Edit|Write|MultiEdit",
        "hooks": [
          {
            "type": "command",
            "command": ` + string(quoted) + `
          }
        ]
      }
    ]
  },
  "model": "opus"
}
`
}

func TestOtherSidekick(t *testing.T) {
	for command, other := range map[string]bool{
		"sidekick hook":                      true,
		"/home/u/.cargo/bin/sidekick hook":   true,
		"~/.cargo/bin/sidekick hook":         true,
		`"$HOME/.cargo/bin/sidekick" hook`:   true,
		`"$HOME"/.cargo/bin/sidekick   hook`: true,
		"'/opt/side kick/sidekick' hook":     true,
		`/opt/side\ kick/sidekick hook `:     true,
		"sidekick hook --agent claude":       true,
		"sidekick hooks":                     false,
		"sidekick":                           false,
		"sidekick stats":                     false,
		"/opt/sidekick/other hook":           false,
		"mysidekick hook":                    false,
		"echo sidekick hook":                 false,
		"sidekick hook | tee /tmp/log":       false,
		"sidekick hook && notify-send done":  false,
		"sidekick hook $(touch /tmp/x)":      false,
	} {
		t.Run(command, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "settings.json")
			write(t, file, shell(command))
			_, err := install.Install(install.Request{File: file, Binary: binary})
			if other != (err != nil) {
				t.Fatalf("error is %v", err)
			}
			if !other {
				return
			}
			if !strings.Contains(err.Error(), fmt.Sprintf("PreToolUse: %q", command)) || len(words.Hints(err)) != 1 {
				t.Errorf("not named: %v, hints %q", err, words.Hints(err))
			}
			if read(t, file) != shell(command) {
				t.Error("file was touched without consent")
			}
			report := mustInstall(t, install.Request{File: file, Binary: binary, Replace: true})
			if len(report.Replaced) != 1 {
				t.Errorf("replaced %q", report.Replaced)
			}
			for _, e := range claude.Entries([]byte(read(t, file))) {
				if e.Command != binary {
					t.Errorf("still there: %+v", e)
				}
			}
			if _, err := install.Uninstall(install.Request{File: file, Binary: binary}); err != nil {
				t.Fatal(err)
			}
			if got, want := read(t, file), "{\n  \"model\": \"opus\"\n}\n"; got != want {
				t.Errorf("after uninstall %q, want %q", got, want)
			}
		})
	}
}

func TestConsent(t *testing.T) {
	for _, yes := range []bool{true, false} {
		file := filepath.Join(t.TempDir(), "settings.json")
		write(t, file, shell("sidekick hook"))
		var asked string
		_, err := install.Install(install.Request{File: file, Binary: binary, Confirm: func(question string) (bool, error) {
			asked = question
			return yes, nil
		}})
		if (err == nil) != yes {
			t.Errorf("answer %v: error is %v", yes, err)
		}
		if !strings.Contains(asked, `PreToolUse: "sidekick hook"`) {
			t.Errorf("asked %q", asked)
		}
		if changed := read(t, file) != shell("sidekick hook"); changed != yes {
			t.Errorf("answer %v: changed is %v", yes, changed)
		}
	}
}

// A file that held nothing but the other's hooks was never made by us.
func TestFileOfTheOtherSidekickStays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	write(t, file, `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"sidekick hook"}]}]}}`+"\n")
	mustInstall(t, install.Request{File: file, Binary: binary, Replace: true})
	report, err := install.Uninstall(install.Request{File: file, Binary: binary})
	if err != nil || report.Outcome != install.Changed {
		t.Fatalf("%+v, %v", report, err)
	}
	if got := read(t, file); got != "{}\n" {
		t.Errorf("left %q", got)
	}
}
