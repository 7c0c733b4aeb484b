package nvim

import "strings"

// Selection is what the person has, or had, selected in one Neovim.
type Selection struct {
	Name     string   `msgpack:"name"` // of the buffer, as Neovim has it
	Mode     string   `msgpack:"mode"` // "v" characters, "V" lines, "b" a block
	Live     bool     `msgpack:"live"` // still selected
	First    int      `msgpack:"first"`
	Last     int      `msgpack:"last"`
	FirstCol int      `msgpack:"first_col"` // see sidekick.Excerpt
	LastCol  int      `msgpack:"last_col"`
	Lines    []string `msgpack:"lines"` // any bytes; perhaps not all
	Cut      bool     `msgpack:"cut"`   // the last of Lines is not whole
	Modified bool     `msgpack:"modified"`
	Changed  bool     `msgpack:"changed"` // the text, since the selection ended
}

// TakeSelection returns the live selection, or the one that ended since the
// last call; none more than once. A Neovim without our runtime has a live one
// only.
func (c *Client) TakeSelection() ([]Selection, error) {
	r, err := Call[struct {
		Selections []Selection `msgpack:"selections"`
	}](c, "selection.take", map[string]any{})
	for _, s := range r.Selections {
		for i, line := range s.Lines {
			s.Lines[i] = strings.ReplaceAll(line, "\n", "\x00") // as Vimscript writes it
		}
	}
	return r.Selections, err
}
