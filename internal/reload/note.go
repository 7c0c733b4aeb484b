package reload

import (
	"os"

	"sidekick/internal/nvim"
)

// Notes is what a Neovim is told of a large file before the agent changes it:
// which text it holds, so that the hunks sent afterwards need not be checked
// against the whole buffer.
type Notes struct {
	names []string
	once  once[snapshot]
}

// BeforeEdit prepares the notes on a file, by its names (the first is read). It
// returns nil where the file is small, or cannot be read: notes are no help then.
func BeforeEdit(names []string) *Notes {
	if len(names) == 0 {
		return nil
	}
	info, err := os.Stat(names[0])
	if err != nil || !info.Mode().IsRegular() || info.Size() <= Large {
		return nil
	}
	return &Notes{names: names}
}

// Tell leaves the notes in one Neovim. Nothing depends on them, so a Neovim that
// waits for a key is not asked.
func (n *Notes) Tell(c *nvim.Client) error {
	if n == nil {
		return nil
	}
	if !c.Free() {
		return nil
	}
	disk, err := n.once.get(func() (snapshot, error) { return take(n.names[0]) })
	if err != nil {
		return nil
	}
	_, err = nvim.Call[struct {
		Taken bool `msgpack:"taken"`
	}](c, "reload.note", map[string]any{"names": n.names, "stamp": disk.stamp, "hash": disk.text.hash})
	return err
}
