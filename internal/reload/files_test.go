package reload_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/reload"
)

// TestFileStates turns the file itself into something else.
func TestFileStates(t *testing.T) {
	for _, test := range []struct {
		name   string
		become func(t *testing.T, path string)
		want   reload.State
		text   string // of the buffer afterwards
	}{
		{"replaced by rename", func(t *testing.T, path string) {
			write(t, path+"~", "new\n")
			check(t, os.Rename(path+"~", path))
		}, reload.Reloaded, "new\n"},
		{"became a symlink", func(t *testing.T, path string) {
			write(t, path+".real", "elsewhere\n")
			check(t, os.Remove(path))
			check(t, os.Symlink(path+".real", path))
		}, reload.Reloaded, "elsewhere\n"},
		{"became a hard link", func(t *testing.T, path string) {
			write(t, path+".real", "elsewhere\n")
			check(t, os.Remove(path))
			check(t, os.Link(path+".real", path))
		}, reload.Reloaded, "elsewhere\n"},
		{"touched only", func(t *testing.T, path string) {
			write(t, path, "old\n")
		}, reload.Unchanged, "old\n"},
		{"deleted", func(t *testing.T, path string) {
			check(t, os.Remove(path))
		}, reload.Deleted, "old\n"},
		{"deleted with its folder", func(t *testing.T, path string) {
			check(t, os.RemoveAll(filepath.Dir(path)))
		}, reload.Deleted, "old\n"},
		{"became a folder", func(t *testing.T, path string) {
			check(t, os.Remove(path))
			check(t, os.Mkdir(path, 0o755))
		}, reload.Unreadable, "old\n"},
		{"became a pipe", func(t *testing.T, path string) {
			check(t, os.Remove(path))
			check(t, exec.Command("mkfifo", path).Run())
		}, reload.Unreadable, "old\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			nvimtest.Each(t, func(t *testing.T, binary string) {
				t.Parallel()
				home := nvimtest.NewHome(t)
				e := home.Start(t, binary)
				path := home.Write(t, "folder/file.txt", "old\n")
				e.Edit(path)
				e.Lua(nil, `vim.wait(30)`) // let the file's time pass
				test.become(t, path)
				tick := tickOf(e)
				got := sync(t, e, path)
				if len(got.Buffers) != 1 || !is(got.Buffers[0], test.want) {
					t.Fatalf("got %+v, want %s", got, test.want)
				}
				if diff := cmp.Diff(test.text, strings.Join(e.Lines(path), "\n")+"\n"); diff != "" {
					t.Errorf("text (-want +got):\n%s", diff)
				}
				if now := tickOf(e); test.want != reload.Reloaded && now != tick {
					t.Errorf("changedtick went from %d to %d", tick, now)
				}
				if test.want == reload.Reloaded || test.want == reload.Unchanged {
					quiet(t, e, 1, path)
					return
				}
				check(t, os.RemoveAll(path))
				check(t, os.MkdirAll(filepath.Dir(path), 0o755))
				write(t, path, "back again\n")
				if got := sync(t, e, path); len(got.Buffers) != 1 || got.Buffers[0].State != reload.Reloaded {
					t.Errorf("recreated: got %+v", got)
				}
				quiet(t, e, 1, path)
			})
		})
	}
}

// TestPermissionsVanish makes Neovim a user who may not read everything, as root may.
func TestPermissionsVanish(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		home := nvimtest.NewHome(t)
		e := home.Start(t, binary, "-n")
		path := home.Write(t, "folder/file.txt", "old\n")
		e.Edit(path)
		check(t, os.Chmod(home.Dir, 0o755))
		e.Lua(nil, `
			if vim.loop.getuid() == 0 then
				vim.loop.setgid(65534)
				vim.loop.setuid(65534)
			end`)
		write(t, path, "new\n")
		check(t, os.Chmod(path, 0o000))
		if got := sync(t, e, path); len(got.Buffers) != 1 || got.Buffers[0].State != reload.Unreadable {
			t.Errorf("file: got %+v", got)
		}
		check(t, os.Chmod(path, 0o644))
		check(t, os.Chmod(filepath.Dir(path), 0o000))
		if got := sync(t, e, path); len(got.Buffers) != 1 || got.Buffers[0].State != reload.Unreadable {
			t.Errorf("folder: got %+v", got)
		}
		if diff := cmp.Diff([]string{"old"}, e.Lines(path)); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
		check(t, os.Chmod(filepath.Dir(path), 0o755))
		sync(t, e, path)
		if diff := cmp.Diff([]string{"new"}, e.Lines(path)); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
	})
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestEveryNameOfTheFile(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		home := nvimtest.NewHome(t)
		e := home.Start(t, binary)
		path := home.Write(t, "real/file.txt", "old\n")
		check(t, os.Symlink(filepath.Join(home.Dir, "real"), filepath.Join(home.Dir, "link")))
		check(t, os.Symlink(path, filepath.Join(home.Dir, "other.txt")))
		e.Command("set hidden")
		e.Lua(nil, `vim.cmd('edit link/file.txt')`) // a name of its own, but the same file
		e.Edit(home.Write(t, "bystander.txt", "mine\n"))
		write(t, path, "new\n")
		for _, name := range []string{path, filepath.Join(home.Dir, "other.txt")} {
			if got := sync(t, e, name); len(got.Buffers) != 1 || got.Buffers[0].Number != 1 {
				t.Errorf("by %s: got %+v", name, got)
			}
		}
		if text := bufferText(e, 1); !cmp.Equal(text.Lines, []string{"new"}) || text.Modified {
			t.Errorf("got %+v", text)
		}
	})
}

// TestUnsavedTextIsNeverTouched is the promise above all.
func TestUnsavedTextIsNeverTouched(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		home := nvimtest.NewHome(t)
		e := home.Start(t, binary)
		path := home.Write(t, "file.txt", "old\n")
		clean := home.Write(t, "clean.txt", "old\n")
		gone := home.Write(t, "unloaded.txt", "old\n")
		e.Command("set hidden autoread autowriteall")
		e.Edit(gone)
		e.Edit(clean)
		e.Command("bunload " + gone)
		e.Edit(path)
		sync(t, e, path) // brings the runtime
		e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, -1, true, {'typed'})`)
		for _, p := range []string{path, clean, gone} {
			write(t, p, "new text\n")
		}
		all, err := reload.Changed(dial(t, e.Address), say)
		check(t, err)
		states := map[string]reload.State{}
		for _, b := range append(all.Buffers, sync(t, e, path).Buffers...) {
			states[filepath.Base(b.Name)] = b.State
		}
		want := map[string]reload.State{"file.txt": reload.Modified, "clean.txt": reload.Reloaded}
		if diff := cmp.Diff(want, states); diff != "" {
			t.Errorf("states (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"typed"}, e.Lines(path)); diff != "" {
			t.Errorf("unsaved text (-want +got):\n%s", diff)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != "new text\n" {
			t.Errorf("the file holds %q, %v", text, err)
		}
		var loaded bool
		e.Lua(&loaded, `return vim.api.nvim_buf_is_loaded(vim.fn.bufnr(...))`, gone)
		if loaded {
			t.Error("an unloaded buffer was loaded")
		}
	})
}

// A swap file has the file's time in seconds only. A Neovim that got the runtime
// after a file had changed twice in one second must not take the first state for
// the second.
func TestChangedTwiceInOneSecond(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		e := home.Start(t, binary)
		e.Command("set hidden")
		second := time.Now().Add(2 * time.Second).Truncate(time.Second)
		late, early := home.Write(t, "late.txt", "old\n"), home.Write(t, "early.txt", "old\n")
		check(t, os.Chtimes(late, second, second))
		check(t, os.Chtimes(early, second.Add(-time.Hour), second.Add(-time.Hour)))
		e.Edit(early)
		e.Edit(late)
		write(t, late, "new\n")
		check(t, os.Chtimes(late, second, second.Add(1000)))
		all, err := reload.Changed(dial(t, e.Address), say)
		check(t, err)
		if len(all.Buffers) != 1 || all.Buffers[0].Name != late || all.Buffers[0].State != reload.Reloaded {
			t.Errorf("got %+v, want a reload of %s alone", all.Buffers, late)
		}
		if diff := cmp.Diff([]string{"new"}, e.Lines(late)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
