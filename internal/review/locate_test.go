package review_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/review"
	"sidekick/lua"
)

// Which Neovim the question comes to. Each case names the Neovims by what the
// person does with them, one after the other, and the one that must be chosen.
func TestLocate(t *testing.T) {
	const (
		focus = "\x1b[I" // what a terminal says when it gets the focus
		typed = "l"
	)
	type editor struct {
		dir  string // working directory
		file bool   // has the file
	}
	project, outside := editor{dir: "project"}, editor{dir: "elsewhere"}
	above, holder := editor{dir: "."}, editor{dir: "elsewhere", file: true}
	tests := []struct {
		name    string
		editors []editor
		keys    []string // what they get
		order   []int    // in this order
		parent  int      // index of the one that runs the agent; -1 = none
		want    int      // index; -1 = none
	}{
		{"two have the file, typed in the second", []editor{holder, holder}, []string{typed, typed}, []int{0, 1}, -1, 1},
		{"two have the file, typed in the first", []editor{holder, holder}, []string{typed, typed}, []int{1, 0}, -1, 0},
		{"two have the file, focus on the second", []editor{holder, holder}, []string{typed, focus}, []int{0, 1}, -1, 1},
		{"two have the file, focus on the first", []editor{holder, holder}, []string{focus, typed}, []int{1, 0}, -1, 0},
		{"one has the file, another was used last", []editor{holder, project}, []string{typed, typed}, []int{0, 1}, 1, 0},
		{"two directories hold it", []editor{project, above}, []string{typed, typed}, []int{0, 1}, -1, 1},
		{"two directories hold it, focus", []editor{project, above}, []string{focus, typed}, []int{1, 0}, -1, 0},
		{"a directory before the agent's own", []editor{project, outside}, []string{typed, typed}, []int{0, 1}, 1, 0},
		{"only the one that runs the agent", []editor{outside, outside}, []string{typed, typed}, []int{0, 1}, 0, 0},
		{"none", []editor{outside}, []string{typed}, []int{0}, -1, -1},
	}
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		path := home.Write(t, "project/notes.txt", "one\ntwo\n")
		home.Write(t, "elsewhere/other.txt", "other\n")
		args := []string{"--cmd", fast, "--cmd", "set noswapfile"} // or the second one asks what to do
		desks := []*desk{newDeskIn(t, home, binary, args...), newDeskIn(t, home, binary, args...)}
		// A headless one has the file, too, but nobody sees it.
		headless := home.Start(t, binary, append(args, path)...)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				var addresses []string
				for i, e := range test.editors {
					desks[i].t = t
					desks[i].prepare(filepath.Join(home.Dir, e.dir), e.file, path)
					addresses = append(addresses, desks[i].editor.Address)
				}
				for _, i := range test.order {
					desks[i].use(test.keys[i])
				}
				a := desks[0].edit(path, "two", "2", func(r *review.Request) {
					r.Editors = append(addresses, headless.Address)
					if test.parent >= 0 {
						r.Parent = addresses[test.parent]
					}
				})
				if test.want < 0 {
					if answer, how := desks[0].await(a); answer != "" || how != review.NoEditor {
						t.Errorf("%s: %s", how, answer)
					}
					return
				}
				nvimtest.Eventually(t, "the question comes", func() error {
					for i := range test.editors {
						var waiting int
						desks[i].editor.Lua(&waiting, `return #require('_sidekick.review_desk').queue`)
						if waiting > 0 && i != test.want {
							t.Fatalf("it came to Neovim %d, not to %d", i, test.want)
						} else if waiting > 0 {
							return nil
						}
					}
					return fmt.Errorf("it has not come; the screen:\n%s", desks[test.want].Screen())
				})
				a.cancel()
				desks[test.want].await(a)
				desks[test.want].waiting(0)
				desks[test.want].closed()
			})
		}
	})
}

// prepare is Neovim with our runtime, in a directory, with or without the file.
func (d *desk) prepare(dir string, file bool, path string) {
	d.t.Helper()
	upgrade(d.editor, lua.Version())
	d.editor.Lua(nil, `
		local dir, file, path = ...
		vim.cmd('silent! %bwipeout!')
		vim.cmd('cd ' .. dir)
		vim.cmd('edit ' .. (file and path or 'other.txt'))`, dir, file, path)
}

// use types something, or lets the terminal say that it has the focus, and
// waits until Neovim knows.
func (d *desk) use(keys string) {
	d.t.Helper()
	var before, now int64
	d.editor.Lua(&before, `return math.floor(vim.loop.hrtime() / 1e6)`)
	d.Type(keys)
	nvimtest.Eventually(d.t, "it counts as use", func() error {
		if d.editor.Lua(&now, `return require('_sidekick.person').used()`); now <= before {
			return fmt.Errorf("used at %d, before %d", now, before)
		}
		return nil
	})
}
