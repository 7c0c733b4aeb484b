package screen

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzPrintable holds that nothing from outside moves the cursor, colours or hides
// anything on a person's terminal.
func FuzzPrintable(f *testing.F) {
	for _, text := range []string{"", "plain", "\x1b[2J", "a\r\nb", "\u202etxt.exe", "\xff\xfe", "tab\there", "\u0085", "\u200b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown := Printable(text)
		if !utf8.ValidString(shown) {
			t.Errorf("%q is no UTF-8", shown)
		}
		if at := strings.IndexFunc(shown, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }); at >= 0 {
			t.Errorf("%q is left of %q", shown[at:], text)
		}
		if Printable(shown) != shown {
			t.Errorf("%q is not fit for a terminal either", shown)
		}
	})
}
