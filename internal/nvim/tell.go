package nvim

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// tellWhenFree leaves a line with a Neovim that waits for a key or runs a
// command. It goes the way of [catchUp], and must bring a text and names along:
// they travel as hex digits (and a number), which no quoting can make code of, and
// are data to the Lua that turns them back. That Lua is whole in itself, for a
// Neovim that has another version of our runtime, or none.
//
// The line appears in normal or terminal mode only, cut to what fits, after a
// redraw that ends whatever was shown before: there is no prompt about it. It is
// dropped when none of the names is that of a buffer with unsaved text any more,
// or when its time is over, and one that waits already does not wait twice.
const tellWhenFree = `%%!luaeval('(function() ` +
	`local api, due, text, names = vim.api, %[3]d, "%[1]s", "%[2]s" ` +
	`local key = text .. " " .. names ` +
	`_sidekick_waiting = _sidekick_waiting or {} ` +
	`if _sidekick_waiting[key] then return "sk1 asked ." end ` +
	`_sidekick_waiting[key] = true ` +
	`local function plain(digits) return (digits:gsub("..", function(d) return string.char(tonumber(d, 16)) end)) end ` +
	`text = plain(text) ` +
	`local known = {} ` +
	`for name in names:gmatch("[^ ]+") do known[plain(name)] = true end ` +
	`local function unsaved() for _, b in ipairs(api.nvim_list_bufs()) do ` +
	`if api.nvim_buf_is_loaded(b) and api.nvim_buf_get_option(b, "modified") ` +
	`and api.nvim_buf_get_option(b, "buftype") == "" and known[api.nvim_buf_get_name(b)] then return true end ` +
	`end end ` +
	`local function run() ` +
	`local s, us = vim.loop.gettimeofday() ` +
	`if not unsaved() or due > 0 and s * 1000 + us / 1000 > due then _sidekick_waiting[key] = nil return end ` +
	`local mode = api.nvim_get_mode() ` +
	`if mode.blocking or not mode.mode:find("^n?t?$") or vim.fn.getcmdwintype() ~= "" then return vim.defer_fn(run, 200) end ` +
	`_sidekick_waiting[key] = nil ` +
	`vim.cmd("redraw") ` +
	`local line, width = text:gsub("%%c", " "), math.max(vim.v.echospace, 20) - 1 ` +
	`if vim.fn.strdisplaywidth(line) > width then ` +
	`while vim.fn.strdisplaywidth(line) > width - 1 do line = vim.fn.strcharpart(line, 1) end ` +
	`line = "<" .. line end ` +
	`vim.notify(line, vim.log.levels.WARN, { title = "sidekick" }) ` +
	`end ` +
	`vim.schedule(run) ` +
	`return "sk1 asked ." ` +
	`end)()')`

// TellWhenFree shows a line as soon as Neovim is free again, if a buffer with one
// of the names, as Neovim has them, still holds unsaved text then and due (zero =
// never) has not passed. It is for any state but a busy Lua loop.
func (c *Client) TellWhenFree(names []string, text string, due time.Time) error {
	digits := make([]string, len(names))
	for i, name := range names {
		digits[i] = hex.EncodeToString([]byte(name))
	}
	var until int64
	if !due.IsZero() {
		until = due.UnixMilli()
	}
	return c.leave(fmt.Sprintf(tellWhenFree, hex.EncodeToString([]byte(text)), strings.Join(digits, " "), until))
}
