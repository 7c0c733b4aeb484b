package claude

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hook is a settings file with one PreToolUse handler.
func hook(handler string) string {
	return `{"hooks":{"PreToolUse":[{"hooks":[` + handler + `]}]}}`
}

// Each line was given to Claude Code 2.1.197 beside a hook that shows whether the
// file counts; "" is what it accepts. What is marked with a version holds for that
// one alone.
func TestCheckSettings(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"nothing":                  {`{}`, ""},
		"top":                      {`[]`, "the top level is not an object"},
		"hooks null":               {`{"hooks":null}`, "hooks is not an object"},
		"hooks list":               {`{"hooks":[]}`, "hooks is not an object"},
		"event empty":              {`{"hooks":{"PreToolUse":[]}}`, ""},
		"event object":             {`{"hooks":{"PreToolUse":{}}}`, "hooks/PreToolUse is not a list"}, // accepted, but no place for ours
		"unknown event":            {`{"hooks":{"Nope":5}}`, ""},
		"group no object":          {`{"hooks":{"PreToolUse":[5]}}`, "hooks/PreToolUse/0 is not an object"},
		"group without hooks":      {`{"hooks":{"PreToolUse":[{"matcher":"x"}]}}`, `hooks/PreToolUse/0 has no "hooks" list`},
		"group with empty hooks":   {`{"hooks":{"PreToolUse":[{"hooks":[]}]}}`, ""},
		"matcher null":             {`{"hooks":{"PreToolUse":[{"matcher":null,"hooks":[]}]}}`, "hooks/PreToolUse/0/matcher is not a string"},
		"matcher bad expression":   {`{"hooks":{"PreToolUse":[{"matcher":"(","hooks":[]}]}}`, ""},
		"type unknown":             {hook(`{"type":"zzz"}`), "hooks/PreToolUse/0/hooks/0/type is none of command, http, mcp_tool, prompt, agent"},
		"type missing":             {hook(`{"command":"x"}`), "hooks/PreToolUse/0/hooks/0/type is none of command, http, mcp_tool, prompt, agent"},
		"command missing":          {hook(`{"type":"command"}`), `hooks/PreToolUse/0/hooks/0 has no "command"`},
		"command empty":            {hook(`{"type":"command","command":""}`), ""},
		"timeout string":           {hook(`{"type":"command","command":"x","timeout":"5"}`), "hooks/PreToolUse/0/hooks/0/timeout is not a number above 0"},
		"timeout zero":             {hook(`{"type":"command","command":"x","timeout":0}`), "hooks/PreToolUse/0/hooks/0/timeout is not a number above 0"},
		"timeout negative":         {hook(`{"type":"command","command":"x","timeout":-1}`), "hooks/PreToolUse/0/hooks/0/timeout is not a number above 0"},
		"timeout null":             {hook(`{"type":"command","command":"x","timeout":null}`), "hooks/PreToolUse/0/hooks/0/timeout is not a number above 0"},
		"timeout fraction":         {hook(`{"type":"command","command":"x","timeout":1.5}`), ""},
		"timeout a day":            {hook(`{"type":"command","command":"x","timeout":86400}`), ""},
		"args null":                {hook(`{"type":"command","command":"x","args":null}`), "hooks/PreToolUse/0/hooks/0/args is not a list of strings"},
		"args numbers":             {hook(`{"type":"command","command":"x","args":[1]}`), "hooks/PreToolUse/0/hooks/0/args is not a list of strings"},
		"args empty":               {hook(`{"type":"command","command":"x","args":[]}`), ""},
		"shell unknown":            {hook(`{"type":"command","command":"x","shell":"zsh"}`), "hooks/PreToolUse/0/hooks/0/shell is none of bash, powershell"},
		"if number":                {hook(`{"type":"command","command":"x","if":1}`), "hooks/PreToolUse/0/hooks/0/if is not a string"},
		"async string":             {hook(`{"type":"command","command":"x","async":"yes"}`), "hooks/PreToolUse/0/hooks/0/async is neither true nor false"},
		"once string":              {hook(`{"type":"command","command":"x","once":"y"}`), "hooks/PreToolUse/0/hooks/0/once is neither true nor false"},
		"statusMessage number":     {hook(`{"type":"command","command":"x","statusMessage":1}`), "hooks/PreToolUse/0/hooks/0/statusMessage is not a string"},
		"onFailure unknown (332)":  {hook(`{"type":"command","command":"x","onFailure":"zz"}`), "hooks/PreToolUse/0/hooks/0/onFailure is none of continue, block"},
		"unknown member":           {hook(`{"type":"command","command":"x","zz":1}`), ""},
		"http without url":         {hook(`{"type":"http"}`), `hooks/PreToolUse/0/hooks/0 has no "url"`},
		"http headers":             {hook(`{"type":"http","url":"http://x/","headers":{"a":1}}`), "hooks/PreToolUse/0/hooks/0/headers is not an object of strings"},
		"mcp_tool without tool":    {hook(`{"type":"mcp_tool","server":"a"}`), `hooks/PreToolUse/0/hooks/0 has no "tool"`},
		"mcp_tool":                 {hook(`{"type":"mcp_tool","server":"a","tool":"b","input":{}}`), ""},
		"prompt without prompt":    {hook(`{"type":"prompt"}`), `hooks/PreToolUse/0/hooks/0 has no "prompt"`},
		"prompt":                   {hook(`{"type":"prompt","prompt":"x"}`), ""},
		"agent without prompt":     {hook(`{"type":"agent"}`), `hooks/PreToolUse/0/hooks/0 has no "prompt"`},
		"PostToolUse entry (197)":  {`{"hooks":{"PostToolUse":[{"hooks":[{"type":"zzz"}]}]}}`, "hooks/PostToolUse/0/hooks/0/type is none of command, http, mcp_tool, prompt, agent"},
		"model number":             {`{"model":5}`, "model is not a string"},
		"permissions null":         {`{"permissions":null}`, "permissions is not an object"},
		"allow string":             {`{"permissions":{"allow":"x"}}`, "permissions/allow is not a list"},
		"directories string":       {`{"permissions":{"additionalDirectories":"x"}}`, "permissions/additionalDirectories is not a list of strings"},
		"env list":                 {`{"env":[]}`, "env is not an object"},
		"env number":               {`{"env":{"A":1}}`, ""},
		"disableAllHooks string":   {`{"disableAllHooks":"no"}`, "disableAllHooks is neither true nor false"},
		"statusLine string":        {`{"statusLine":"x"}`, "statusLine is not an object"},
		"name of another case":     {`{"Hooks":null,"Model":5}`, ""},
		"twice, the last counts":   {`{"hooks":null,"hooks":{}}`, ""},
		"twice, the last is wrong": {`{"hooks":{},"hooks":null}`, "hooks is not an object"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := CheckSettings([]byte(test.text))
			got := ""
			if err != nil {
				got = err.Error()
				if bad := (*SettingsError)(nil); !errors.As(err, &bad) {
					t.Errorf("%T is no SettingsError", err)
				}
			}
			if got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestEntries(t *testing.T) {
	text := `{"hooks":{
		"Stop":[{"hooks":[{"type":"command","command":"b"}]}],
		"PreToolUse":5,
		"PreToolUse":[{"matcher":"Edit","hooks":[
			{"type":"command","command":"/x/sidekick","args":["hook"],"timeout":10}, 5, {"type":"http","url":"u"}]}, 7, {"hooks":3}],
		"Later":[{"hooks":[{"type":"command","command":"c","args":[]}]}]}}`
	var got []string
	for _, e := range Entries([]byte(text)) {
		got = append(got, fmt.Sprintf("%s %q %s %s %q %v %g", e.Event, e.Matcher, e.Type, e.Command, e.Args, e.Args == nil, e.Timeout))
	}
	want := []string{
		`Later "" command c [] false 0`,
		`PreToolUse "Edit" command /x/sidekick ["hook"] false 10`,
		`PreToolUse "Edit"   [] true 0`,
		`PreToolUse "Edit" http  [] true 0`,
		`Stop "" command b [] true 0`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestHooksDisabled(t *testing.T) {
	for text, want := range map[string]bool{`{}`: false, `{"disableAllHooks":true}`: true, `{"disableAllHooks":false}`: false, ``: false} {
		if got := HooksDisabled([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
