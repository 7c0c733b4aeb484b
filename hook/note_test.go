package hook_test

import (
	"strings"
	"testing"

	"sidekick/internal/nvim/nvimtest"
)

// Before a large file is edited its Neovims learn which text it holds.
func TestLargeFileIsNotedBeforeTheEdit(t *testing.T) {
	s := newScene(t)
	e := s.start(nvimtest.Binary(t, "0.10"), "-n")
	small := s.Write(t, "small.txt", "text\n")
	wantSilent(t, s.run(edit(small))) // brings the runtime
	for _, file := range []struct {
		path  string
		noted bool
	}{{small, false}, {s.Write(t, "large.txt", strings.Repeat("a line of text\n", 20000)), true}} {
		e.Lua(nil, `vim.wait(30)`) // the file's time has passed when it is read
		e.Edit(file.path)
		wantSilent(t, s.run(edit(file.path)))
		var noted bool
		e.Lua(&noted, `return require('_sidekick.reload.record').get(vim.api.nvim_get_current_buf()).hash ~= nil`)
		if noted != file.noted {
			t.Errorf("%s: noted is %v", file.path, noted)
		}
	}
}
