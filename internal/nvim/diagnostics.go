package nvim

import "time"

// Error is one error that a language server reports in a Neovim.
type Error struct {
	Buffer  int    `msgpack:"buf"`
	Line    int    `msgpack:"line"`    // from 1
	Column  int    `msgpack:"column"`  // byte, from 1
	Message string `msgpack:"message"` // may have several lines
	Source  string `msgpack:"source"`  // who reports it, with the error's code
	Text    string `msgpack:"text"`    // of the line
}

type errorList struct {
	Served bool    `msgpack:"served"`
	Errors []Error `msgpack:"errors"`
}

// Errors returns the errors that language servers report now. served is false
// where no language server runs.
func (c *Client) Errors() (list []Error, served bool, err error) {
	r, err := Call[errorList](c, "diagnostics.now", map[string]any{})
	return r.Errors, r.Served, err
}

// quiet is how long language servers must say nothing more: most publish what a
// parser finds first, and what a compiler finds a moment later.
const quiet = 200 * time.Millisecond

// AwaitErrors returns the errors in buffers once the language servers have
// spoken about them, or after limit. It returns at once where none serves them.
func (c *Client) AwaitErrors(buffers []int, limit time.Duration) ([]Error, error) {
	limit = min(limit, time.Until(c.deadline)-100*time.Millisecond)
	if limit <= 0 || len(buffers) == 0 {
		return nil, nil
	}
	r, _, err := await[errorList](c, "diagnostics.await", map[string]any{
		"bufs": buffers, "quiet": quiet.Milliseconds(), "limit": limit.Milliseconds(),
	})
	return r.Errors, err
}
