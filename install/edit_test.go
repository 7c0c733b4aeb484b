package install

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/claude"
)

const binary = "/opt/side kick/bin/sidekick"

// small is a table that keeps golden files readable.
var small = []Registration{
	{claude.PreToolUse, "Edit|Write", 10},
	{claude.PreToolUse, "mcp__.*", 10},
	{claude.Stop, "", 10},
}

// samples are settings as people have them; none holds a hook of ours.
var samples = map[string]string{
	"empty object":        "{}",
	"empty object, lines": "{\n}\n",
	"empty object, space": "{ }",
	"two spaces":          "{\n  \"model\": \"opus\",\n  \"n\": 12345678901234567890\n}\n",
	"four spaces":         "{\n    \"model\": \"opus\"\n}\n",
	"tabs":                "{\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n",
	"no indentation":      "{\n\"model\": \"opus\"\n}",
	"CRLF":                "{\r\n  \"model\": \"opus\"\r\n}\r\n",
	"BOM":                 "\ufeff{\n  \"model\": \"opus\"\n}\n",
	"no final newline":    "{\n  \"model\": \"opus\"\n}",
	"one line":            `{"model":"opus","permissions":{"allow":["Bash(ls:*)"]}}`,
	"one line, spaced":    `{ "model": "opus", "permissions": { "allow": [] } }`,
	"odd spacing":         "\n\n{ \"model\" : \"opus\"\n , \"x\":[ 1 ,2,\n3 ] }\n\n",
	"escapes":             "{\"a\\u0062\": \"\\u00e9\\/\", \"n\": 1.0, \"e\": 1E+2, \"h\": \"<&>\"}",
	"hooks empty":         "{\n  \"hooks\": {}\n}\n",
	"hooks empty, spaced": "{\n  \"hooks\": {\n  }\n}\n",
	"hooks empty, line":   `{"hooks":{}}`,
	"hooks, name escaped": `{"\u0068ooks":{"Stop":[]}}`,
	"event empty":         "{\n  \"hooks\": {\n    \"PreToolUse\": [],\n    \"Stop\": [ ]\n  }\n}\n",
	"event empty, lines":  "{\n  \"hooks\": {\n    \"PreToolUse\": [\n\n    ]\n  }\n}\n",
	"other hooks": `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [ { "type": "command", "command": "/usr/bin/check hook" } ]
      }
    ],
    "Notification": [
      { "hooks": [ { "type": "command", "command": "notify-send hi" } ] }
    ]
  },
  "model": "opus"
}
`,
	"hooks on one line": "{\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]}\n}\n",
	"hooks twice":       `{"hooks":{"Stop":[]},"hooks":{"PreToolUse":[]},"z":1}`,
	"group twice":       `{"hooks":{"PreToolUse":[{"hooks":[]} , {"hooks":[]} ]}}`,
	"blank":             "",
	"blank lines":       "\r\n \n",
	"BOM alone":         "\ufeff",
}

func mustAdd(t testing.TB, before content) content {
	t.Helper()
	after, err := withHooks(before, binary, small)
	if err != nil {
		t.Fatalf("install into %q: %v", before.text, err)
	}
	return after
}

// checkRoundTrip is what install promises about any settings without our hooks.
func checkRoundTrip(t testing.TB, before content) {
	t.Helper()
	after := mustAdd(t, before)
	if again := mustAdd(t, after); !again.equal(after) {
		t.Errorf("a second install changes\n%s\nto\n%s", after.text, again.text)
	}
	if back := withoutHooks(after, binary); !back.equal(before) {
		t.Errorf("uninstall leaves %q (exists: %v)\nwas            %q (exists: %v)\ninstalled %q",
			back.text, back.exists, before.text, before.exists, after.text)
	}
	checkOthersStay(t, before.text, after.text)
	// An older table and an older path of ours lead to the same place.
	old, err := withHooks(before, "/old/sidekick", []Registration{{claude.Stop, "x", 3}, {"SessionStart", "", 10}})
	if err != nil {
		t.Fatal(err)
	}
	if upgraded := mustAdd(t, old); !upgraded.equal(after) {
		t.Errorf("upgrade gives\n%s\nfresh install gives\n%s", upgraded.text, after.text)
	}
}

// checkOthersStay compares the meaning of all that is not ours.
func checkOthersStay(t testing.TB, before, after []byte) {
	t.Helper()
	decode := func(text []byte) map[string]any {
		m := map[string]any{}
		body, _ := cutMark(text)
		if !isBlank(body) {
			d := json.NewDecoder(bytes.NewReader(body))
			d.UseNumber()
			if err := d.Decode(&m); err != nil {
				t.Fatalf("%v in %q", err, text)
			}
		}
		delete(m, "hooks")
		return m
	}
	if a, b := decode(before), decode(after); !reflect.DeepEqual(a, b) {
		t.Errorf("settings beside the hooks change: %s", cmp.Diff(a, b))
	}
}

func TestRoundTrip(t *testing.T) {
	checkRoundTrip(t, content{})
	for name, text := range samples {
		t.Run(name, func(t *testing.T) { checkRoundTrip(t, content{[]byte(text), true}) })
	}
}

// Ours among what people wrote by hand.
func TestRemoveFromHandWritten(t *testing.T) {
	const ours = `{"type":"command","command":"/x/sidekick","args":["hook"]}`
	tests := map[string]struct{ before, after string }{
		"behind theirs": {
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"} , ` + ours + ` ]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}  ]}]}}`,
		},
		"a member behind it": {
			`{"hooks":{"Stop":[{"hooks":[` + ours + `]}]} , "z":1 }`,
			`{ "z":1 }`,
		},
		"the last member goes": {
			`{"a":1 , "hooks":{"Stop":[{"hooks":[` + ours + `]}]}}`,
			`{"a":1 }`,
		},
		"a group with more than that": {
			`{"hooks":{"Stop":[{"hooks":[` + ours + `],"note":"mine"}]}}`,
			`{"hooks":{"Stop":[{"hooks":[],"note":"mine"}]}}`,
		},
		"in both of two members": {
			`{"hooks":{"Stop":[{"hooks":[` + ours + `]}]},"hooks":{"Stop":[{"hooks":[` + ours + `]}],"Setup":[]}}`,
			`{"hooks":{"Setup":[]}}`,
		},
		"a file that stands apart": {
			"\n{\"hooks\":{\"Stop\":[{\"hooks\":[" + ours + "]}]}}\n",
			"\n{}\n",
		},
		"a file with a BOM": {
			"\ufeff{\"hooks\":{\"Stop\":[{\"hooks\":[" + ours + "]}]}}\n",
			"\ufeff{}\n",
		},
	}
	for name, test := range tests {
		got := withoutHooks(content{[]byte(test.before), true}, binary)
		if string(got.text) != test.after || !got.exists {
			t.Errorf("%s: %q, exists %v; want %q", name, got.text, got.exists, test.after)
		}
	}
}

func TestWholeTable(t *testing.T) {
	after, err := withHooks(content{}, binary, Registrations)
	if err != nil {
		t.Fatal(err)
	}
	var got []Registration
	for _, e := range claude.Entries(after.text) {
		got = append(got, Registration{e.Event, e.Matcher, int(e.Timeout)})
	}
	if len(got) != len(Registrations) {
		t.Errorf("%d entries of %d", len(got), len(Registrations))
	}
	for _, r := range Registrations {
		if !containsRegistration(got, r) {
			t.Errorf("%v is missing", r)
		}
		if strings.Trim(r.Matcher, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz|") != "" && r.Matcher != mcp {
			t.Errorf("matcher %q is no list of exact names", r.Matcher)
		}
	}
}

func containsRegistration(list []Registration, r Registration) bool {
	for _, x := range list {
		if x == r {
			return true
		}
	}
	return false
}

// What install writes is looked at: it has to look as if the person wrote it.
func TestGolden(t *testing.T) {
	for _, name := range []string{"empty object", "tabs", "CRLF", "one line", "one line, spaced", "other hooks", "hooks on one line", "event empty"} {
		after := mustAdd(t, content{[]byte(samples[name]), true})
		path := filepath.Join("testdata", strings.NewReplacer(" ", "-", ",", "").Replace(name)+".golden.json")
		if os.Getenv("UPDATE_GOLDEN") != "" {
			if err := os.WriteFile(path, after.text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(after.text)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// FuzzRoundTrip holds install to its promises on arbitrary settings that it
// accepts.
func FuzzRoundTrip(f *testing.F) {
	for _, text := range samples {
		f.Add([]byte(text))
	}
	f.Add([]byte(`{"hooks":{"PreToolUse":[{"matcher":"a","hooks":[{"type":"command","command":"sidekick","args":["hook"]}]}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if checkSyntax("f", text) != nil || checkRules("f", text) != nil {
			return
		}
		if len(scan(text, isShellForm)) > 0 {
			return
		}
		before := content{text, true}
		if len(scan(text, isOurs(binary))) > 0 {
			// A hand-written entry of ours: what is left without it is the start.
			before = withoutHooks(before, binary)
			if before.exists && checkRules("f", before.text) != nil {
				t.Fatalf("uninstall of %q leaves what the client rejects: %q", text, before.text)
			}
			checkOthersStay(t, text, before.text)
		}
		checkRoundTrip(t, before)
	})
}
