package review

import (
	"slices"
	"strings"
)

// bom is the mark at the beginning of some UTF-8 files. It is not shown, and
// the client keeps it by itself.
const bom = "\uFEFF"

// Text is a file's text as an editor holds it.
type Text struct {
	Lines []string `msgpack:"lines"` // without line ends
	EOL   bool     `msgpack:"eol"`   // the last line ends in a line feed
}

// split cuts text into lines. The empty text has no line, and EOL is true so
// that what a person types into it gets its final newline.
func split(text string) Text {
	if text == "" {
		return Text{Lines: []string{}, EOL: true}
	}
	body, eol := strings.CutSuffix(text, "\n")
	return Text{Lines: strings.Split(body, "\n"), EOL: eol}
}

// join is the inverse of split. An editor shows the empty text as one empty
// line; as nobody can see the difference, that is the empty text again.
func (t Text) join() string {
	if len(t.Lines) == 0 || len(t.Lines) == 1 && t.Lines[0] == "" {
		return ""
	}
	text := strings.Join(t.Lines, "\n")
	if t.EOL {
		text += "\n"
	}
	return text
}

func (t Text) equal(u Text) bool {
	return t.EOL == u.EOL && slices.Equal(t.Lines, u.Lines)
}

// unixText is raw file content as the client's tools see it: line feeds only,
// without a byte order mark. dos says which line ends the file has more of.
func unixText(raw []byte) (text string, dos bool) {
	text = strings.TrimPrefix(string(raw), bom)
	crlf := strings.Count(text, "\r\n")
	dos = crlf*2 > strings.Count(text, "\n")
	return strings.ReplaceAll(text, "\r\n", "\n"), dos
}
