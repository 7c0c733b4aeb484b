package claude

import (
	"encoding/json"
	"regexp"
	"strings"
)

// plain reports whether the client takes a matcher as exact names.
func plain(matcher string) bool {
	return !strings.ContainsFunc(matcher, func(r rune) bool {
		return (r < 'A' || 'Z' < r) && (r < 'a' || 'z' < r) && (r < '0' || '9' < r) && !strings.ContainsRune("_- ,|", r)
	})
}

// Matches reports whether a hook with this matcher is called for the tool. It
// follows the client: nothing and "*" match all, plain names are compared whole,
// anything else is a regular expression that may match a part.
func Matches(matcher, tool string) bool {
	if matcher == "" || matcher == "*" {
		return true
	}
	if plain(matcher) {
		for _, name := range strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' }) {
			if strings.TrimSpace(name) == tool {
				return true
			}
		}
		return false
	}
	expression, err := regexp.Compile(matcher)
	return err == nil && expression.MatchString(tool)
}

// Switches are settings that decide whether hooks run at all.
type Switches struct {
	DisableAllHooks       bool            `json:"disableAllHooks"`
	AllowManagedHooksOnly bool            `json:"allowManagedHooksOnly"`         // counts in managed settings
	PluginOnly            json.RawMessage `json:"strictPluginOnlyCustomization"` // likewise; true, or a list of kinds
	EnabledPlugins        map[string]bool `json:"enabledPlugins"`                // "name@marketplace"
}

// ReadSwitches returns the switches in text; one of another kind is left out.
func ReadSwitches(text []byte) Switches {
	var root object
	var s Switches
	_ = json.Unmarshal(text, &root)
	_ = json.Unmarshal(root["disableAllHooks"], &s.DisableAllHooks)
	_ = json.Unmarshal(root["allowManagedHooksOnly"], &s.AllowManagedHooksOnly)
	s.PluginOnly = root["strictPluginOnlyCustomization"]
	var plugins object
	_ = json.Unmarshal(root["enabledPlugins"], &plugins)
	s.EnabledPlugins = map[string]bool{}
	for name, raw := range plugins {
		var on bool
		_ = json.Unmarshal(raw, &on)
		s.EnabledPlugins[name] = on
	}
	return s
}

// HooksFromPluginsOnly reports whether hooks of settings files are shut out.
func (s Switches) HooksFromPluginsOnly() bool {
	var all bool
	var kinds []string
	_ = json.Unmarshal(s.PluginOnly, &all)
	_ = json.Unmarshal(s.PluginOnly, &kinds)
	for _, kind := range kinds {
		all = all || kind == "hooks"
	}
	return all
}
