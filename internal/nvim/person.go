package nvim

import "fmt"

// Input types keys, in the notation of |key-notation|, as if at the keyboard. It
// does not wait for what they do.
func (c *Client) Input(keys string) error {
	written, err := c.rpc.Input(keys)
	if err == nil && written < len(keys) {
		err = fmt.Errorf("only %d of %d bytes fit into its buffer", written, len(keys))
	}
	if err != nil {
		return fmt.Errorf("type %q: %w", keys, err)
	}
	return nil
}

// Eval evaluates an expression of Vim script: a string or a number, as text.
func (c *Client) Eval(expression string) (string, error) {
	var result any
	if err := c.rpc.Eval(expression, &result); err != nil {
		return "", fmt.Errorf("evaluate %q: %w", expression, err)
	}
	return fmt.Sprint(result), nil
}
