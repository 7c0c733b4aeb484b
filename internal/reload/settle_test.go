package reload_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"sidekick/internal/nvim/nvimtest"
)

// A file that is away for a moment, as when another Neovim writes it under a new
// name, while a reload tells Neovim its time: what comes back in its place is not
// overwritten without a word.
func TestFileIsAwayWhileReloaded(t *testing.T) {
	for name, back := range map[string]string{"comes back at once": "now", "comes back later": "later"} {
		t.Run(name, func(t *testing.T) {
			nvimtest.Each(t, func(t *testing.T, binary string) {
				t.Parallel()
				e, term, path := person(t, binary, "line 1\n")
				sync(t, e, path)
				// The file goes just before Neovim is told its time.
				e.Lua(nil, `
					local path, back = ...
					local put = function()
						local file = io.open(path, 'w')
						file:write('the agent\n')
						file:close()
					end
					local settle = require('_sidekick.reload.settle')
					local original = settle.settle
					settle.settle = function(buf)
						settle.settle = original
						os.remove(path)
						local ok = original(buf)
						if back == 'now' then put() end
						return ok
					end`, path, back)
				write(t, path, "two\n")
				sync(t, e, path)
				if back == "later" {
					if _, err := os.Stat(path); !os.IsNotExist(err) {
						t.Fatalf("the file is there: %v", err)
					}
					write(t, path, "the agent\n")
				}
				term.Type("Omine")
				term.Keys("Escape")
				waitFor(t, e, `return vim.fn.getline(1) .. vim.api.nvim_get_mode().mode`, "minen")
				term.Type(":w\r")
				// Brought in line before it was typed into, it may be written; else Neovim asks or refuses.
				nvimtest.Eventually(t, "an answer", func() error {
					screen := term.Screen()
					text, err := os.ReadFile(path)
					switch {
					case err != nil:
						return err
					case !strings.Contains(string(text), "the agent"):
						t.Fatalf("the agent's text was overwritten and nobody asked; the file is %q:\n%s", text, screen)
					case strings.Contains(string(text), "mine"), strings.Contains(screen, "E13"), strings.Contains(screen, "changed since reading"):
						return nil
					}
					return fmt.Errorf("none; the file is %q:\n%s", text, screen)
				})
			})
		})
	}
}
