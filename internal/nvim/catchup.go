package nvim

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// catchUp asks a Neovim that waits for a key or runs a command to bring its
// buffers in line with the disk when it is free again. A queued call would not
// do: it is dropped when our connection closes, while what vim.schedule holds
// runs later.
//
// The rules of [blockedQuery] hold: a constant, and no Vimscript before the
// scheduled function runs. A Neovim that has our runtime catches up with all
// care. One that has not yet gets Neovim's own reload, of buffers with nothing
// unsaved in them and whose file is there: no question can come up.
const catchUp = `%!luaeval('(function() ` +
	`if package.loaded["_sidekick"] then ` +
	`vim.schedule(function() require("_sidekick.reload").catch_up() end) ` +
	`return "sk1 asked ." end ` +
	`local api = vim.api ` +
	`local function run() ` +
	`local mode = api.nvim_get_mode() ` +
	`if mode.blocking or mode.mode:find("^[r!]") or vim.fn.getcmdwintype() ~= "" then return vim.defer_fn(run, 500) end ` +
	`for _, b in ipairs(api.nvim_list_bufs()) do ` +
	`if api.nvim_buf_is_loaded(b) and not api.nvim_buf_get_option(b, "modified") ` +
	`and api.nvim_buf_get_option(b, "buftype") == "" and vim.fn.filereadable(api.nvim_buf_get_name(b)) == 1 then ` +
	`pcall(api.nvim_buf_call, b, function() ` +
	`local own = api.nvim_exec("setlocal autoread?", true):find("^no") and "setlocal noautoread" or "setlocal autoread<" ` +
	`vim.cmd("setlocal autoread | silent! checktime " .. b) ` +
	`vim.cmd(own) ` +
	`end) end end end ` +
	`vim.schedule(run) ` +
	`return "sk1 asked ." ` +
	`end)()')`

// CatchUp asks Neovim, in any state but a busy Lua loop, to bring every buffer
// without unsaved text in line with its file as soon as it is free.
func (c *Client) CatchUp() error { return c.leave(catchUp) }

// leave has Neovim evaluate an expression that leaves a note for later.
func (c *Client) leave(expression string) error {
	for range 2 { // one answer in 50,000 is not of its form
		answer, err := c.rpc.EvalStatusLine(expression, map[string]any{"maxwidth": 100})
		if err != nil {
			return fmt.Errorf("leave a note: %w", err)
		}
		if text, _ := answer["str"].(string); strings.TrimSpace(text) == "sk1 asked ." {
			return nil
		}
	}
	return fmt.Errorf("leave a note: %w", ErrGarbled)
}

// Free reports whether calls are answered now and may safely change something.
func (c *Client) Free() bool { return c.state() == Ready }

// ErrBusy means that a call was not answered in time; Neovim was asked to catch
// up by itself.
var ErrBusy = errors.New("neovim is busy")

// CallOrCatchUp is [Call] for a Neovim that was free a moment ago. Where the
// person was faster, Neovim is asked to catch up and the error is [ErrBusy].
func CallOrCatchUp[T any](c *Client, method string, args any) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := Call[T](c, method, args)
		done <- result{value, err}
	}()
	// Half of what is left: a large file takes a while, and there must be time to ask.
	select {
	case got := <-done:
		return got.value, got.err
	case <-time.After(time.Until(c.deadline) / 2):
	}
	if c.Free() { // it works on the call
		got := <-done
		return got.value, got.err
	}
	var none T
	if err := c.CatchUp(); err != nil {
		return none, err
	}
	return none, ErrBusy
}
