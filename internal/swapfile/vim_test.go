package swapfile_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/swapfile"
)

func TestVim(t *testing.T) {
	tests := []struct{ name, file, directory string }{
		{"beside the file", "src/x.txt", "."},
		{"hidden file", "src/.bashrc", "."},
		{"named by the whole path", "src/y.txt", "$HOME/.vim/swap//"},
		{"in a folder of its own", "src/z.txt", "$HOME/.vim/swap"},
		{"where nobody would look", "src/w.txt", "$HOME/odd"},
		{"in the home", "v.txt", "$HOME/odd"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			home := nvimtest.NewHome(t)
			for _, dir := range []string{".vim/swap", "odd"} {
				if err := os.MkdirAll(filepath.Join(home.Dir, dir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			w := worldOf(t, home)
			path := home.Write(t, test.file, "text\n")
			other := home.Write(t, "other/"+filepath.Base(test.file), "text\n")
			directory := strings.ReplaceAll(test.directory, "$HOME", home.Dir)
			term := home.Terminal(t, []string{"vim", "--clean", "--cmd", "set directory=" + directory, path})
			eventually(t, w, path, "a swap file", func(s swapfile.Swap) bool { return !s.Modified })
			// Plain Vim writes the swap file when it has time, or at once when told.
			term.Type("ihello")
			term.Keys("Escape")
			s := eventually(t, w, path, "unsaved", swapfile.Swap.Unsaved)
			wantListed(t, w, path, s.PID)
			if found := find(t, w, other); len(found) != 0 {
				t.Errorf("found %+v for another file", found)
			}
			blind := w
			blind.Proc = filepath.Join(home.Dir, "no-procfs")
			if found := find(t, blind, path); test.directory != "$HOME/odd" && len(found) != 1 {
				t.Errorf("by folder: found %+v", found)
			}
			kill(t, s.PID)
			if test.directory == "$HOME/odd" {
				return // of a dead editor nothing tells
			}
			eventually(t, w, path, "crashed", swapfile.Swap.Crashed)
		})
	}
}

// A header says "~root/x.txt" of a file in the editor's home, wherever the swap
// file is.
func TestVimWithAnotherHome(t *testing.T) {
	theirs, home := nvimtest.NewHome(t), nvimtest.NewHome(t)
	path, same := theirs.Write(t, "x.txt", "text\n"), home.Write(t, "x.txt", "text\n")
	if err := os.Mkdir(filepath.Join(theirs.Dir, "odd"), 0o755); err != nil {
		t.Fatal(err)
	}
	term := theirs.Terminal(t, []string{"vim", "--clean", "--cmd", "set directory=odd", path})
	w := worldOf(t, home)
	eventually(t, w, path, "a swap file", func(s swapfile.Swap) bool { return !s.Modified })
	term.Type("ihello")
	s := eventually(t, w, path, "unsaved", swapfile.Swap.Unsaved)
	if found := find(t, w, same); len(found) != 0 {
		t.Errorf("found %+v for a file of that name in our home", found)
	}
	wantListed(t, w, path, s.PID)
	// Replaced by another file, it has its name still.
	if err := os.Rename(theirs.Write(t, "new", "text\n"), path); err != nil {
		t.Fatal(err)
	}
	wantListed(t, w, path, s.PID)
}

func kill(t testing.TB, pid int) {
	t.Helper()
	if err := unix.Kill(pid, unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

func TestNeovimByOtherNames(t *testing.T) {
	tests := []struct {
		name, opened, asked string
		args, env           []string
		since               string
	}{
		{name: "symlink opened", opened: "soft.txt", asked: "src/x.txt"},
		{name: "symlink asked", opened: "src/x.txt", asked: "soft.txt"},
		{name: "folder link opened", opened: "link/x.txt", asked: "src/x.txt"},
		{name: "folder link asked", opened: "src/x.txt", asked: "link/x.txt"},
		{name: "hard link", opened: "hard.txt", asked: "src/x.txt"},
		{name: "new file", opened: "src/new.txt", asked: "link/new.txt"},
		{name: "app name", opened: "src/x.txt", asked: "src/x.txt", env: []string{"NVIM_APPNAME=astro"}, since: "0.10"},
		{name: "own directory", opened: "src/x.txt", asked: "src/x.txt", args: []string{"--cmd", "set directory=."}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			nvimtest.Each(t, func(t *testing.T, nvim string) {
				if test.since != "" && strings.Contains(nvim, "/0.7/") {
					return
				}
				home := nvimtest.NewHome(t)
				w := worldOf(t, home)
				x := home.Write(t, "src/x.txt", "text\n")
				for link, target := range map[string]string{"soft.txt": "src/x.txt", "link": "src"} {
					if err := os.Symlink(target, filepath.Join(home.Dir, link)); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.Link(x, filepath.Join(home.Dir, "hard.txt")); err != nil {
					t.Fatal(err)
				}
				command := append([]string{nvim, "--clean"}, test.args...)
				term := home.Terminal(t, append(command, filepath.Join(home.Dir, test.opened)), test.env...)
				asked := filepath.Join(home.Dir, test.asked)
				eventually(t, w, asked, "a swap file", func(s swapfile.Swap) bool { return s.Owner == swapfile.Living })
				term.Type("ihello")
				s := eventually(t, w, asked, "unsaved", swapfile.Swap.Unsaved)
				wantListed(t, w, asked, s.PID)
				kill(t, s.PID)
				if test.name != "hard link" { // no folder tells of the other name
					eventually(t, w, asked, "crashed", swapfile.Swap.Crashed)
				}
			})
		})
	}
}

// headerOf returns a real block 0 of Vim for path, for the tests to change.
func headerOf(t testing.TB, home nvimtest.Home, path string) []byte {
	t.Helper()
	cmd := exec.Command("vim", "--clean", "-es", "-c", "set directory=.", "-c", "edit "+path, "-c", "call append(0, 'x')", "-c", "preserve",
		"-c", "call writefile(readblob(swapname('%')), '"+home.Dir+"/block')", "-c", "qa!")
	cmd.Env = home.Environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("vim: %v: %s", err, out)
	}
	block, err := os.ReadFile(filepath.Join(home.Dir, "block"))
	if err != nil {
		t.Fatal(err)
	}
	return block[:4096]
}

func TestVerdicts(t *testing.T) {
	home := nvimtest.NewHome(t)
	path := home.Write(t, "x.txt", "text\n")
	there := home.Write(t, "there/x.txt", "text\n")
	swap := filepath.Join(home.Dir, ".x.txt.swp")
	block := headerOf(t, home, path)
	set := func(at int, value string) func([]byte) {
		return func(b []byte) { copy(b[at:], value+"\x00") }
	}
	pid := func(pid int) func([]byte) {
		return func(b []byte) { b[24], b[25], b[26], b[27] = byte(pid), byte(pid>>8), byte(pid>>16), byte(pid>>24) }
	}
	tests := []struct {
		name   string
		change func([]byte)
		want   string
	}{
		{"as it is", func([]byte) {}, "crashed"},
		{"pid of another program", pid(os.Getpid()), "crashed"},
		{"pid 0", pid(0), "crashed"},
		{"another host", set(68, "elsewhere"), "elsewhere"},
		{"not modified", func(b []byte) { b[1007] = 0 }, "saved"},
		{"no name", func(b []byte) { b[108] = 0; b[20], b[21], b[22], b[23] = 0, 0, 0, 0 }, "none"},
		{"another file", func(b []byte) { set(108, "/other/x.txt")(b); b[20] ^= 0xff }, "none"},
		{"another file that is there", func(b []byte) { set(108, there)(b) }, "none"},
		{"moved with its folder", set(108, "/gone/x.txt"), "crashed"},
		{"other home", func(b []byte) { set(108, "~somebody/deep/x.txt")(b); b[20] ^= 0xff }, "crashed"},
		{"no swap file", set(0, "PNG"), "none"},
	}
	w := worldOf(t, home)
	for _, test := range tests {
		changed := append([]byte(nil), block...)
		test.change(changed)
		if err := os.WriteFile(swap, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		got := "none"
		for _, s := range find(t, w, path) {
			switch {
			case s.Unsaved():
				got = "unsaved"
			case s.Crashed():
				got = "crashed"
			case s.Owner == swapfile.Elsewhere:
				got = "elsewhere"
			default:
				got = "saved"
			}
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestNothingBlocks(t *testing.T) {
	home := nvimtest.NewHome(t)
	path := home.Write(t, "x.txt", "text\n")
	real := filepath.Join(home.Dir, "block")
	if err := os.WriteFile(real, headerOf(t, home, path), 0o600); err != nil {
		t.Fatal(err)
	}
	swap := filepath.Join(home.Dir, ".x.txt.sw")
	if err := unix.Mkfifo(swap+"p", 0o600); err != nil {
		t.Fatal(err)
	}
	for last, make := range map[string]func(string) error{
		"o": func(path string) error { return os.Symlink("/dev/zero", path) },
		"n": func(path string) error { return os.Symlink(real, path) },
		"m": func(path string) error { return os.Mkdir(path, 0o755) },
		"l": func(path string) error { return os.WriteFile(path, []byte("b0VIM 8.1"), 0o600) },
		"k": func(path string) error { return os.WriteFile(path, nil, 0) },
	} {
		if err := make(swap + last); err != nil {
			t.Fatal(err)
		}
	}
	if found := find(t, worldOf(t, home), path); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
	// The real one behind them all is still found.
	if err := os.Rename(real, swap+"j"); err != nil {
		t.Fatal(err)
	}
	if found := find(t, worldOf(t, home), path); len(found) != 1 {
		t.Errorf("found %+v", found)
	}
}

func TestStrangersSwapFileInTmp(t *testing.T) {
	home := nvimtest.NewHome(t)
	name := "sidekick-test-" + strconv.Itoa(os.Getpid()) + ".txt"
	path := home.Write(t, name, "text\n")
	planted := filepath.Join("/tmp", name+".swp")
	if err := os.WriteFile(planted, headerOf(t, home, path), 0o644); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(planted)
	if found := find(t, worldOf(t, home), path); len(found) != 1 {
		t.Errorf("the user's own: found %+v", found)
	}
	if err := os.Chown(planted, 65534, -1); err != nil {
		t.Fatal(err)
	}
	if found := find(t, worldOf(t, home), path); len(found) != 0 {
		t.Errorf("a stranger's: found %+v", found)
	}
}

func BenchmarkFind(b *testing.B) {
	home := nvimtest.NewHome(b)
	path := home.Write(b, "x.txt", "text\n")
	w := worldOf(b, home)
	for b.Loop() {
		if found := find(b, w, path); len(found) != 0 {
			b.Fatal(fmt.Sprint(found))
		}
	}
}

func BenchmarkUnsaved(b *testing.B) {
	w := worldOf(b, nvimtest.NewHome(b))
	for b.Loop() {
		swapfile.Unsaved(w, func(int) bool { return false })
	}
}
