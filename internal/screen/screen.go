// Package screen makes text fit for a person's terminal: names that come from
// outside cannot move the cursor, colour is used only where it is wanted.
package screen

import (
	"path/filepath"
	"strings"
	"unicode"
)

// Style says how text looks.
type Style struct {
	Colour bool   // escape sequences may be used
	ASCII  bool   // the terminal may not know other characters
	Home   string // shown as ~; "" where there is none
}

// Colours.
const (
	Red    = "31"
	Green  = "32"
	Yellow = "33"
	Dim    = "2"
)

// Paint colours text, where the style has colours.
func (s Style) Paint(colour, text string) string {
	if !s.Colour {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// Path shortens a file's name and makes it printable.
func (s Style) Path(path string) string {
	home := filepath.Clean(s.Home)
	if rest, ok := strings.CutPrefix(path, home+"/"); ok && s.Home != "" && home != "/" {
		path = "~/" + rest
	}
	if path == home && s.Home != "" {
		path = "~"
	}
	return Printable(path)
}

// Printable keeps text from outside from moving the cursor, colouring the
// screen or turning it round: each such character becomes "?".
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// IsASCII reports whether the locale of an environment is one without Unicode.
func IsASCII(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToLower(getenv(name)); value != "" {
			return !strings.Contains(value, "utf-8") && !strings.Contains(value, "utf8")
		}
	}
	return true
}
