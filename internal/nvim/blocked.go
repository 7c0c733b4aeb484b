package nvim

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// blockedQuery lists the modified file buffers of a Neovim that waits for a key.
//
// nvim_eval_statusline is the only call that answers in every state but a busy
// Lua loop. It takes an expression and no arguments. The expression is a
// constant (but for the page number, an integer), because a name in it would be
// code; and it is luaeval() of Lua that calls nothing but vim.api, because any
// Vimscript in it can abort Neovim while a person types.
//
// The answer is "sk1 COUNT NAME NAME ... ." with names in hex: a % would have
// to be doubled, and a name may hold any byte. Neovim cuts an answer at 4,095
// bytes, so an answer holds the names after the first %d, as many as fit.
const blockedQuery = `%%!luaeval('(function() ` +
	`local api, out, count, size = vim.api, {}, 0, 0 ` +
	`for _, b in ipairs(api.nvim_list_bufs()) do ` +
	`if api.nvim_buf_is_loaded(b) and api.nvim_buf_get_option(b, "modified") and api.nvim_buf_get_option(b, "buftype") == "" then ` +
	`count = count + 1 ` +
	`if count > %[1]d then ` +
	`local name = api.nvim_buf_get_name(b):gsub(".", function(c) return string.format("%%02x", c:byte()) end) ` +
	`size = size + #name + 1 ` +
	`if size < 3900 then out[#out + 1] = name == "" and "-" or name end ` +
	`end end end ` +
	`return "sk1 " .. count .. " " .. table.concat(out, " ") .. " ." ` +
	`end)()')`

// ErrGarbled means that Neovim answered the blocked query with something else
// than its form, which one in 50,000 answers is. Asking again helps.
var ErrGarbled = errors.New("neovim's answer is not of the expected form")

// ModifiedNames returns the names of the modified file buffers, in any state of
// the editor but a busy loop. Names are as Neovim has them: absolute, symlinks
// in folders not resolved, "" for a buffer without a name. It changes nothing.
func (c *Client) ModifiedNames() ([]string, error) {
	var names []string
	for {
		page, count, err := c.modifiedPage(len(names))
		if errors.Is(err, ErrGarbled) {
			page, count, err = c.modifiedPage(len(names))
		}
		if err != nil {
			return nil, fmt.Errorf("ask for modified buffers: %w", err)
		}
		names = append(names, page...)
		if len(names) >= count || len(page) == 0 {
			return names, nil
		}
	}
}

func (c *Client) modifiedPage(first int) (names []string, count int, err error) {
	expression := fmt.Sprintf(blockedQuery, first)
	answer, err := c.rpc.EvalStatusLine(expression, map[string]any{"maxwidth": 4000})
	if err != nil {
		return nil, 0, err
	}
	text, _ := answer["str"].(string)
	return parsePage(text)
}

func parsePage(text string) (names []string, count int, err error) {
	fields := strings.Fields(text)
	if len(fields) < 3 || fields[0] != "sk1" || fields[len(fields)-1] != "." {
		return nil, 0, ErrGarbled
	}
	if count, err = strconv.Atoi(fields[1]); err != nil {
		return nil, 0, ErrGarbled
	}
	for _, field := range fields[2 : len(fields)-1] {
		if field == "-" {
			names = append(names, "")
			continue
		}
		name, err := hex.DecodeString(field)
		if err != nil {
			return nil, 0, ErrGarbled
		}
		names = append(names, string(name))
	}
	return names, count, nil
}
