// Package contextnote makes texts that an agent is told out of what people have
// in their editors: bytes of any kind become a text that cannot pose as anything
// else, and long ones are cut.
package contextnote

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Clean makes text harmless: what does not print (control characters, marks
// that turn or hide text, bytes that are no UTF-8) is shown as <U+202E> or
// <0xFF>, and the client's own tags are broken. Tabs and line feeds stay. The
// result is valid UTF-8.
func Clean(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "<0x%02X>", text[i])
		case harmful(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return reminder().ReplaceAllString(b.String(), "<U+003C>$1")
}

// reminder is the tag that Claude Code puts around what hooks tell the model.
var reminder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)<(\s*/?\s*system-reminder)`)
})

// harmful reports whether a character does something other than be shown.
func harmful(r rune) bool {
	switch r {
	case '\t', '\n':
		return false
	case '\u200c', '\u200d': // joiners: Persian and emoji are written with them
		return false
	case '\u2028', '\u2029': // end a line for some readers
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf)
}

// Name returns a file's path as it is written within a sentence: quoted where
// it could be taken for more than a name.
func Name(path string) string {
	plain := strings.IndexFunc(path, func(r rune) bool {
		return r == utf8.RuneError || harmful(r) || r == '\n' || r == '\t' || strings.ContainsRune("\"`<>\\", r)
	}) < 0
	if plain && path != "" && path == strings.TrimSpace(path) {
		return path
	}
	return strconv.Quote(path)
}

// Fence puts text between lines of backticks, more of them than it has in a row
// anywhere, so that nothing in it can end the fence. language is a word of ours.
func Fence(language, text string) string {
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return fence + language + "\n" + text + fence
}

func longestRun(text string) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
