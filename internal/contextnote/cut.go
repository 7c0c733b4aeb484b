package contextnote

import (
	"strings"
	"unicode/utf16"
)

// Max is how much of one hook's text the client passes on, in its characters
// (UTF-16 units), with room to spare: it cuts at 10,000.
const Max = 9000

// Units counts text in the client's characters.
func Units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// Head returns the first lines of text that have at most units characters, and
// at most lines lines. Where not even the first line fits it is cut. whole says
// that nothing was left out.
func Head(text string, lines, units int) (head string, whole bool) {
	rest := text
	for line := range strings.Lines(text) {
		size := Units(line)
		if lines == 0 || size > units {
			break
		}
		lines--
		units -= size
		rest = rest[len(line):]
	}
	head = text[:len(text)-len(rest)]
	if head == "" && lines > 0 {
		head = headUnits(text, units)
	}
	return head, len(head) == len(text)
}

// headUnits cuts within a line, between characters.
func headUnits(text string, units int) string {
	for i, r := range text {
		if units -= utf16.RuneLen(r); units < 0 {
			return text[:i]
		}
	}
	return text
}
