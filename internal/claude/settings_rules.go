package claude

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// rule says what is wrong with a value, "" where nothing is.
type rule func(json.RawMessage) string

// check applies rules to the members that are there, in a fixed order.
func (o object) check(at string, rules map[string]rule) error {
	names := make([]string, 0, len(rules))
	for name := range rules {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := o.optional(at, name, rules[name]); err != nil {
			return err
		}
	}
	return nil
}

// optional applies a rule to a member, where it is there.
func (o object) optional(at, name string, check rule) error {
	raw, ok := o[name]
	if !ok {
		return nil
	}
	if problem := check(raw); problem != "" {
		return &SettingsError{at + "/" + escapePointer.Replace(name), problem}
	}
	return nil
}

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

// checkCommon checks settings beside the hooks whose wrong kind makes every
// client reject the file. Values are left to the client: it learns new ones.
func checkCommon(root object) error {
	err := root.check("", map[string]rule{
		"model": isString, "env": isObject, "permissions": isObject, "disableAllHooks": isBool, "statusLine": isObject,
	})
	if err != nil {
		return err
	}
	raw, ok := root["permissions"]
	if !ok {
		return nil
	}
	permissions, err := asObject("/permissions", raw)
	if err != nil {
		return err
	}
	return permissions.check("/permissions", map[string]rule{
		"allow": isList, "ask": isList, "deny": isList, "additionalDirectories": isStrings, "defaultMode": isString,
	})
}

func asObject(at string, raw json.RawMessage) (object, error) {
	if problem := isObject(raw); problem != "" {
		return nil, &SettingsError{at, problem}
	}
	var o object
	return o, json.Unmarshal(raw, &o)
}

func asList(at string, raw json.RawMessage) ([]json.RawMessage, error) {
	if problem := isList(raw); problem != "" {
		return nil, &SettingsError{at, problem}
	}
	var list []json.RawMessage
	return list, json.Unmarshal(raw, &list)
}

// kindOf is the first byte of a JSON value.
func kindOf(raw json.RawMessage) byte {
	if raw = bytes.TrimLeft(raw, " \t\r\n"); len(raw) > 0 {
		return raw[0]
	}
	return 0
}

func isObject(raw json.RawMessage) string {
	if kindOf(raw) != '{' {
		return "is not an object"
	}
	return ""
}

func isList(raw json.RawMessage) string {
	if kindOf(raw) != '[' {
		return "is not a list"
	}
	return ""
}

func isString(raw json.RawMessage) string {
	if kindOf(raw) != '"' {
		return "is not a string"
	}
	return ""
}

func isBool(raw json.RawMessage) string {
	if k := kindOf(raw); k != 't' && k != 'f' {
		return "is neither true nor false"
	}
	return ""
}

func isPositive(raw json.RawMessage) string {
	var n float64
	if k := kindOf(raw); k == '"' || k == 'n' || json.Unmarshal(raw, &n) != nil || n <= 0 {
		return "is not a number above 0"
	}
	return ""
}

func isStrings(raw json.RawMessage) string {
	var list []json.RawMessage
	if kindOf(raw) != '[' || json.Unmarshal(raw, &list) != nil {
		return "is not a list of strings"
	}
	for _, item := range list {
		if kindOf(item) != '"' {
			return "is not a list of strings"
		}
	}
	return ""
}

func isStringMap(raw json.RawMessage) string {
	var m object
	if kindOf(raw) != '{' || json.Unmarshal(raw, &m) != nil {
		return "is not an object of strings"
	}
	for _, item := range m {
		if kindOf(item) != '"' {
			return "is not an object of strings"
		}
	}
	return ""
}

func oneOf(values ...string) rule {
	return func(raw json.RawMessage) string {
		var s string
		if kindOf(raw) != '"' || json.Unmarshal(raw, &s) != nil || !slices.Contains(values, s) {
			return "is none of " + strings.Join(values, ", ")
		}
		return ""
	}
}
