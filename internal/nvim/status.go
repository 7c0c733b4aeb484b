package nvim

// Status is what one Neovim says about itself. Where its state is not [Ready]
// only the unsaved files are known.
type Status struct {
	PID     int      `msgpack:"pid"` // of the server
	Cwd     string   `msgpack:"cwd"`
	Version string   `msgpack:"version"` // "0.10.4"
	Files   []string `msgpack:"files"`   // open, by the names that Neovim has
	Unsaved []string `msgpack:"unsaved"`
	NoSwap  bool     `msgpack:"noswap"` // 'noswapfile' for new buffers
	State   string   `msgpack:"-"`
}

// Status asks for the status, in any state of the editor.
func (c *Client) Status() (Status, error) {
	status, state, modified, err := whenReady(c, func() (Status, error) {
		return Call[Status](c, "status.report", map[string]any{})
	})
	status.State = state
	if state != Ready {
		status.Files, status.Unsaved = modified, modified
	}
	return status, err
}
