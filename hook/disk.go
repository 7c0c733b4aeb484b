package hook

import (
	"errors"
	"os"
	"strings"
	"unicode/utf8"

	"sidekick/internal/contextnote"
	"sidekick/internal/nvim"
)

var errUnfit = errors.New("not comparable")

// diskText reads the file as Neovim did: the buffer's line ends, byte order
// mark and encoding are no differences. It reads neither a large file nor one
// that could keep it waiting (a pipe).
func diskText(path string, buffer nvim.Text) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if buffer.Large || info.Size() > contextnote.MaxDiff || !info.Mode().IsRegular() {
		return "", errUnfit
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	text := string(raw)
	switch buffer.Encoding {
	case "", "utf-8":
		if buffer.BOM {
			text = strings.TrimPrefix(text, "\ufeff")
		}
	case "latin1":
		text = fromLatin1(raw)
	default:
		return "", errUnfit
	}
	switch buffer.Format {
	case "dos":
		text = strings.ReplaceAll(text, "\r\n", "\n")
	case "mac":
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return text, nil
}

func fromLatin1(raw []byte) string {
	text := make([]byte, 0, len(raw)+len(raw)/8)
	for _, b := range raw {
		text = utf8.AppendRune(text, rune(b))
	}
	return string(text)
}

// lines splits a text at its line feeds. The last one ends a line and begins none.
func lines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
