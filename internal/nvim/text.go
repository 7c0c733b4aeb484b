package nvim

import "strings"

// Text is the text of a buffer, as it would be written but for the details that
// its fields tell.
type Text struct {
	Lines    []string `msgpack:"lines"`  // UTF-8, as far as the file was
	EOL      bool     `msgpack:"eol"`    // the last line has a line end
	Format   string   `msgpack:"format"` // 'fileformat': "unix", "dos" or "mac"
	BOM      bool     `msgpack:"bom"`
	Encoding string   `msgpack:"encoding"` // of the file; "" = UTF-8
	Large    bool     `msgpack:"large"`    // over the limit: Lines is empty
}

// String joins the lines with line feeds.
func (t Text) String() string {
	text := strings.Join(t.Lines, "\n")
	if t.EOL {
		text += "\n"
	}
	return text
}

// Text returns the text of a buffer, unless it has more than limit bytes.
func (c *Client) Text(buffer, limit int) (Text, error) {
	return Call[Text](c, "unsaved.text", map[string]any{"buffer": buffer, "limit": limit})
}
