package review_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/review"
	"sidekick/lua"
)

// upgrade lets another version of the runtime take over, as the first hook of a
// new sidekick does. change alters a module's source.
func upgrade(e *nvimtest.Editor, version string, change ...string) {
	runtime := lua.Load()
	modules := maps.Clone(runtime.Modules)
	for name := range modules {
		modules[name] = strings.NewReplacer(change...).Replace(modules[name])
	}
	e.Lua(nil, `
		local boot, version, modules = ...
		assert(loadstring(boot))(version, modules)`, runtime.Boot, version, modules)
}

// Another version of the runtime comes while reviews are open. The hooks that
// wait are of the version before, and bring that one back when they answer.
func TestHandover(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		d := newDesk(t, binary, "--cmd", fast)
		path := d.home.Write(t, "notes.txt", "one\ntwo\nthree\n")
		d.editor.Edit(path)
		d.editor.Lua(nil, `vim.cmd('split | resize 7')`)
		run := func(name string, test func(d *desk)) {
			t.Run(name, func(t *testing.T) {
				d := *d
				d.t = t
				test(&d)
				d.closed()
			})
		}
		mode := func(d *desk, want string) {
			d.t.Helper()
			if got, err := d.editor.RPC.Mode(); err != nil || got.Mode != want {
				d.t.Errorf("mode %q, want %q, %v", got.Mode, want, err)
			}
		}

		run("in the middle of a word", func(d *desk) {
			before := d.place()
			a := d.edit(path, "two", "2")
			d.waiting(1)
			next := d.edit(path, "three", "3")
			d.waiting(2)
			d.shown()
			d.press("Ami")
			upgrade(d.editor, "new")
			mode(d, "i")
			d.press("ne")
			upgrade(d.editor, "newer")
			d.press("Escape")
			d.WaitFor("2mine")
			d.WaitFor("1 of 2")
			d.press("Enter")
			answer, how := d.await(a)
			if got := parse(d.t, answer); how != review.AcceptedEdited || got.Input["new_string"] != "2mine\n" {
				d.t.Errorf("%s: %+v", how, got)
			}
			d.shown()
			upgrade(d.editor, "new")
			d.press(":q")
			d.press("Enter")
			if answer, how := d.await(next); how != review.Rejected {
				d.t.Errorf("%s: %s", how, answer)
			}
			d.closed()
			if diff := cmp.Diff(before, d.place()); diff != "" {
				d.t.Errorf("place (-before +after):\n%s", diff)
			}
		})
		run("at the prompt for a reason", func(d *desk) {
			a := d.edit(path, "two", "2")
			d.shown()
			d.press("gr")
			d.press("not ")
			upgrade(d.editor, "new")
			d.press("now")
			d.press("Enter")
			answer, how := d.await(a)
			if got := parse(d.t, answer); how != review.Rejected || !strings.Contains(got.Message, "not now") {
				d.t.Errorf("%s: %+v", how, got)
			}
		})
		run("before it is shown", func(d *desk) {
			d.press("A")
			a := d.edit(path, "two", "2")
			d.waiting(1)
			var before, after int
			d.editor.Lua(&before, `return require('_sidekick.person').used()`)
			upgrade(d.editor, "new")
			d.editor.Lua(&after, `return require('_sidekick.person').used()`)
			if before == 0 || before != after {
				d.t.Errorf("used last at %d, after it at %d", before, after)
			}
			mode(d, "i")
			d.press("Escape")
			d.shown()
			d.press("Enter")
			if answer, how := d.await(a); how != review.Accepted {
				d.t.Errorf("%s: %s", how, answer)
			}
		})
		run("by one that cannot go on with it", func(d *desk) {
			a := d.edit(path, "two", "2")
			d.shown()
			waits := d.edit(path, "three", "3")
			d.waiting(2)
			upgrade(d.editor, "incompatible", "local format = 1", "local format = 2")
			d.WaitFor("sidekick was updated")
			d.closed()
			for _, a := range []asked{a, waits} {
				a.cancel()
				if answer, how := d.await(a); answer != "" || how != review.Withdrawn {
					d.t.Errorf("%s: %s", how, answer)
				}
			}
		})
		run("by one that cannot go on with it, when text was typed", func(d *desk) {
			a := d.edit(path, "two", "2")
			d.shown()
			d.press("Ami")
			upgrade(d.editor, "incompatible", "local format = 1", "local format = 2")
			d.WaitFor("sidekick was updated")
			mode(d, "i")
			d.press("ne")
			d.press("Escape")
			d.WaitFor("2mine")
			a.cancel()
			if answer, how := d.await(a); answer != "" || how != review.Withdrawn {
				d.t.Errorf("%s: %s", how, answer)
			}
			d.press(":q")
			d.press("Enter")
		})
	})
}
