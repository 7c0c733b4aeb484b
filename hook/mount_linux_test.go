package hook_test

import (
	"os"
	"path/filepath"
	"testing"

	"sidekick/internal/mounttest"
	"sidekick/internal/nvim/nvimtest"
)

// A file has other names still where file systems are mounted in unusual ways.
// Neovim, and its swap file when it cannot be asked, know it by one of them and
// the agent by another.
func TestMountedNames(t *testing.T) {
	if !mounttest.Alone(t) {
		return
	}
	tests := []struct {
		name           string
		mount          func(t *testing.T, dir string)
		opened, edited string
		typed          string // before the question, a command
	}{
		{name: "bind mount", opened: "src/notes.txt", edited: "other/notes.txt", mount: func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "src"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "src", "notes.txt"), []byte("one\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			mounttest.Bind(t, filepath.Join(dir, "src"), filepath.Join(dir, "other"))
		}},
		{name: "overlay", opened: "merged/notes.txt", edited: "merged/notes.txt", mount: overlay},
		{name: "overlay, bound elsewhere", opened: "merged/notes.txt", edited: "other/notes.txt", mount: overlay},
		// The first write moves the file to the upper layer.
		{name: "overlay, written", opened: "merged/notes.txt", edited: "other/notes.txt", mount: overlay, typed: "write"},
		{name: "new in an overlay", opened: "merged/new.txt", edited: "other/new.txt", mount: overlay},
		{name: "another case", opened: "any/notes.txt", edited: "any/NOTES.TXT", mount: anyCase},
		{name: "the case of a new file", opened: "any/new.txt", edited: "any/New.TXT", mount: anyCase},
	}
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				test.mount(t, s.Dir)
				e := s.start(binary)
				path, edited := filepath.Join(s.Dir, test.opened), filepath.Join(s.Dir, test.edited)
				e.Edit(path)
				if test.typed != "" {
					e.Command(test.typed)
				}
				wantSilent(t, s.run(edit(edited)))
				e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
				wantDeny(t, s.run(edit(edited)), edited, "Neovim (pid")
				wantSilent(t, s.run(edit(filepath.Join(filepath.Dir(edited), "other.txt"))))
				if binary == nvimtest.Binary(t, "0.12") { // the swap files of all are alike, and each stop takes the hook's bound
					waitForSwap(t, s, e, true)
					stop(t, e)
					wantDeny(t, s.run(edit(edited)), edited, "an editor (pid")
				}
			})
		}
	})
}

func overlay(t *testing.T, dir string) {
	mounttest.Overlay(t, filepath.Join(dir, "merged"), "notes.txt", "other.txt")
	mounttest.Bind(t, filepath.Join(dir, "merged"), filepath.Join(dir, "other"))
}

func anyCase(t *testing.T, dir string) {
	mounttest.AnyCase(t, filepath.Join(dir, "any"), "notes.txt", "other.txt")
}
