package hook_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/internal/claude"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/words"
)

func read(path string) payload {
	return payload{
		"hook_event_name": claude.PostToolUse, "tool_name": claude.Read, "tool_input": map[string]any{"file_path": path},
		"tool_response": map[string]any{"type": "text"},
	}
}

// readTold reads until the editor has answered in time: on a busy machine it may
// look as if it ran a command.
func (s *scene) readTold(path string) (text string) {
	s.t.Helper()
	nvimtest.Eventually(s.t, "the editor answers", func() error {
		if text = told(s.t, s.run(read(path))); strings.Contains(text, words.StaleBlocked) {
			return errors.New(text)
		}
		return nil
	})
	return text
}

func TestStaleRead(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := s.Write(t, "src/a.txt", "one\ntwo\nthree\n")
		link := filepath.Join(s.Dir, "link.txt")
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
		term, e := s.inTerminal(binary, "three", path)
		wantSilent(t, s.run(read(path)))

		term.Type("2Gcwtyped `````` here")
		inMode(t, e, "i")
		want := []string{
			"src/a.txt has unsaved changes in Neovim (pid ", "\n```````diff\n--- src/a.txt (disk)\n+++ src/a.txt (Neovim)\n@@ -1,3 +1,3 @@\n one\n-two\n" +
				"+typed `````` here\n three\n```````",
		}
		nvimtest.Eventually(t, "the typed text", func() error {
			if got := e.Lines(path); !strings.HasSuffix(got[1], "here") {
				return fmt.Errorf("%q", got)
			}
			return nil
		})
		wantTold(t, s.readTold(path), want...)
		wantTold(t, s.readTold(path), want...) // at each such Read
		wantTold(t, s.readTold(link), "-two\n+typed")
		inMode(t, e, "i")
		wantTold(t, s.log(), `"decision":"context"`, "not", "typed")

		// It waits for a key: that it differs is known, and no more.
		term.Keys("C-v")
		nvimtest.Eventually(t, "CTRL-V waits", func() error {
			mode, err := e.RPC.Mode()
			if err == nil && !mode.Blocking {
				err = fmt.Errorf("mode %+v", mode)
			}
			return err
		})
		wantTold(t, told(t, s.run(read(path))), "the user's version differs.", "could not be asked", "not", "```")
		term.Type("-")
		term.Keys("Escape")
		inMode(t, e, "n")

		s.env["SIDEKICK_CONTEXT_STALE_READS"] = "false"
		wantSilent(t, s.run(read(path)))
		delete(s.env, "SIDEKICK_CONTEXT_STALE_READS")
		e.Command("write")
		wantSilent(t, s.run(read(path)))
	})
}

func TestStaleReadOfAnyFile(t *testing.T) {
	type want struct {
		holds []string
		none  bool
	}
	tests := []struct {
		name, file, disk, edit string
		want                   want
	}{
		{"a secret", "id_rsa", "key\n", `vim.fn.setline(1, 'hunter2')`, want{holds: []string{"has unsaved changes", "hold secrets", "not", "```", "hunter2"}}},
		{"modified, not changed", "a.txt", "same\n", `vim.bo.modified = true`, want{none: true}},
		{"line ends", "dos.txt", "a\r\nb\r\n", `vim.fn.setline(2, 'B')`, want{holds: []string{" a\n-b\n+B\n```"}}},
		{"byte order mark", "bom.txt", "\ufeffa\nb\n", `vim.fn.setline(2, 'B')`, want{holds: []string{" a\n-b\n+B\n```", "not", "feff", "FEFF"}}},
		{"latin1", "latin.txt", "caf\xe9\nb\n", `vim.fn.setline(2, 'B')`, want{holds: []string{" café\n-b\n+B\n```"}}},
		{"no line end", "noeol.txt", "a\nb", `vim.bo.fixendofline = false vim.fn.setline(1, 'A')`, want{holds: []string{"-a\n+A\n b\n"}}},
		{"NUL", "nul.bin", "a\x00b\nb\n", `vim.fn.setline(2, 'B')`, want{holds: []string{" a<U+0000>b\n-b\n+B\n```"}}},
		{"every line", "many.txt", strings.Repeat("a line\n", 3000), `vim.cmd('silent %s/a/b/')`, want{holds: []string{"-a line\n", "more lines of the diff were left out"}}},
		{"too large", "large.txt", strings.Repeat("some line of text\n", 300000), `vim.fn.setline(2, 'B')`, want{holds: []string{"too large", "not", "```"}}},
	}
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		e := s.start(binary)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				path := s.Write(t, test.file, test.disk)
				e.Command("silent edit! " + path)
				e.Lua(nil, test.edit)
				got := s.readTold(path)
				if test.want.none && got != "" {
					t.Errorf("told: %s", got)
				}
				wantTold(t, got, test.want.holds...)
				if n := len([]rune(got)); n > 9000 {
					t.Errorf("%d characters", n)
				}
				e.Command("silent edit! | bwipeout")
			})
		}
	})
}
