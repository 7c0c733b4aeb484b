package nvim

import "fmt"

// Status is what one Neovim says about itself. Where its state is not [Ready]
// only the version and the unsaved files are known.
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
		status.Version = c.version()
	}
	return status, err
}

// version asks in a way that is answered in any state, but with a hundred
// kilobytes; "" where it is not known.
func (c *Client) version() string {
	var info struct {
		Channel int `msgpack:",array"`
		API     struct {
			Version struct {
				Major int `msgpack:"major"`
				Minor int `msgpack:"minor"`
				Patch int `msgpack:"patch"`
			} `msgpack:"version"`
		}
	}
	if err := c.rpc.Request("nvim_get_api_info", &info); err != nil {
		return ""
	}
	v := info.API.Version
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
}
