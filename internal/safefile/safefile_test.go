package safefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sidekick/internal/safefile"
)

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func replace(t *testing.T, path, text string) {
	t.Helper()
	file, err := safefile.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Replace([]byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// onlyFiles fails where a temporary file was left behind.
func onlyFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%s holds %q, want %q", dir, got, want)
	}
}

func TestReplaceKeepsTheMode(t *testing.T) {
	for _, mode := range []os.FileMode{0o600, 0o644, 0o664, 0o400, 0o755} {
		dir := t.TempDir()
		path := filepath.Join(dir, "f")
		write(t, path, "old", mode)
		replace(t, path, "new")
		if got := read(t, path); got != "new" {
			t.Errorf("text is %q", got)
		}
		info, _ := os.Stat(path)
		if info.Mode() != mode {
			t.Errorf("mode is %v, want %v", info.Mode(), mode)
		}
		onlyFiles(t, dir, "f")
	}
}

func TestReplaceDropsSetuid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "old", 0o755|fs.ModeSetuid|fs.ModeSetgid)
	replace(t, path, "new")
	if info, _ := os.Stat(path); info.Mode() != 0o755 {
		t.Errorf("mode is %v, want -rwxr-xr-x", info.Mode())
	}
}

func TestReplaceMakesParentsAndHonoursTheUmask(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b", "f")
	replace(t, path, "new")
	if got := read(t, path); got != "new" {
		t.Errorf("text is %q", got)
	}
	if info, _ := os.Stat(path); info.Mode() != 0o640 {
		t.Errorf("mode is %v, want -rw-r-----", info.Mode())
	}
	if info, _ := os.Stat(filepath.Dir(path)); info.Mode().Perm() != 0o750 {
		t.Errorf("folder's mode is %v, want drwxr-x---", info.Mode())
	}
	onlyFiles(t, filepath.Dir(path), "f")
}

func TestReplaceThroughLinks(t *testing.T) {
	dir := t.TempDir()
	dotfiles := filepath.Join(dir, "dotfiles")
	if err := os.Mkdir(dotfiles, 0o755); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(dotfiles, "settings")
	tests := map[string]struct {
		links  map[string]string // name below dir: target
		name   string
		exists bool
	}{
		"absolute":              {map[string]string{"l": target}, "l", true},
		"relative":              {map[string]string{"l": "dotfiles/settings"}, "l", true},
		"two":                   {map[string]string{"l": "m", "m": "./dotfiles/../dotfiles/settings"}, "l", true},
		"folder":                {map[string]string{"d": "dotfiles"}, "d/settings", true},
		"up through a folder":   {map[string]string{"d": "dotfiles"}, "d/../dotfiles/settings", true},
		"dangling":              {map[string]string{"l": "dotfiles/settings"}, "l", false},
		"dangling into nowhere": {map[string]string{"l": "dotfiles/no/such/settings"}, "l", false},
		"dangling folder":       {map[string]string{"d": "dotfiles/claude"}, "d/settings", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "dotfiles"), 0o755); err != nil {
				t.Fatal(err)
			}
			target := filepath.Join(dir, "dotfiles", "settings")
			if test.exists {
				write(t, target, "old", 0o600)
			}
			for link, to := range test.links {
				to = strings.Replace(to, dotfiles, filepath.Join(dir, "dotfiles"), 1)
				if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
					t.Fatal(err)
				}
			}
			path := filepath.Join(dir, test.name)
			replace(t, path, "new")
			if got := read(t, path); got != "new" {
				t.Errorf("text is %q", got)
			}
			for link := range test.links {
				if info, err := os.Lstat(filepath.Join(dir, link)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
					t.Errorf("%s is no link any more", link)
				}
			}
			if test.exists && read(t, target) != "new" {
				t.Error("the link's target was not written")
			}
		})
	}
}

func TestWhatIsNoFileIsRefusedAtOnce(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	loop := filepath.Join(dir, "loop")
	for name, to := range map[string]string{link: "fifo", loop: "loop"} {
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	below := filepath.Join(dir, "file", "f")
	write(t, filepath.Dir(below), "", 0o600)
	tests := map[string]error{
		fifo:        safefile.ErrNotRegular,
		link:        safefile.ErrNotRegular,
		dir:         safefile.ErrNotRegular,
		"/dev/null": safefile.ErrNotRegular,
		"/dev/zero": safefile.ErrNotRegular,
		loop:        syscall.ELOOP,
		below:       syscall.ENOTDIR,
	}
	for path, want := range tests {
		done := make(chan error, 1)
		go func() {
			_, err := safefile.Read(path)
			done <- err
		}()
		select {
		case err := <-done:
			if !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", path, err, want)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: hangs", path)
		}
	}
}

func TestTooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "", 0o600)
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Fatal(err)
	}
	if _, err := safefile.Read(path); !errors.Is(err, safefile.ErrTooLarge) {
		t.Errorf("error is %v, want ErrTooLarge", err)
	}
}

// Whatever another writer does between our read and our rename is kept.
func TestAnotherWritersWorkIsKept(t *testing.T) {
	tests := map[string]struct {
		before string // "" = no file
		meddle func(path string) error
		want   string // what the file holds at the end, "" = no file
	}{
		"written in place": {"old", func(p string) error { return os.WriteFile(p, []byte("theirs"), 0o600) }, "theirs"},
		"renamed over": {"old", func(p string) error {
			if err := os.WriteFile(p+"2", []byte("theirs"), 0o600); err != nil {
				return err
			}
			return os.Rename(p+"2", p)
		}, "theirs"},
		"deleted":       {"old", os.Remove, ""},
		"created":       {"", func(p string) error { return os.WriteFile(p, []byte("theirs"), 0o600) }, "theirs"},
		"created empty": {"", func(p string) error { return os.WriteFile(p, nil, 0o600) }, "(empty)"},
		"linked elsewhere": {"old", func(p string) error {
			if err := os.Rename(p, p+"2"); err != nil {
				return err
			}
			return os.Symlink(filepath.Base(p)+"2", p)
		}, "old"},
	}
	for name, test := range tests {
		for _, act := range []string{"replace", "remove"} {
			t.Run(name+" "+act, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "f")
				if test.before != "" {
					write(t, path, test.before, 0o600)
				}
				file, err := safefile.Read(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := test.meddle(path); err != nil {
					t.Fatal(err)
				}
				if act == "replace" {
					err = file.Replace([]byte("ours"), 0o644)
				} else {
					err = file.Remove()
				}
				if !errors.Is(err, safefile.ErrChanged) {
					t.Errorf("error is %v, want ErrChanged", err)
				}
				data, err := os.ReadFile(path)
				got := string(data)
				if err == nil && got == "" {
					got = "(empty)"
				}
				if got != test.want {
					t.Errorf("file holds %q, want %q", got, test.want)
				}
			})
		}
	}
}

func TestTheSameTextWrittenAgainIsNoChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "old", 0o600)
	file, err := safefile.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "old", 0o640)
	if err := file.Replace([]byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode() != 0o640 {
		t.Errorf("mode is %v, want the newest, -rw-r-----", info.Mode())
	}
}

func TestRemoveLeavesTheLink(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "f"), "x", 0o600)
	link := filepath.Join(dir, "link")
	if err := os.Symlink("f", link); err != nil {
		t.Fatal(err)
	}
	file, err := safefile.Read(link)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Remove(); err != nil {
		t.Fatal(err)
	}
	onlyFiles(t, dir, "link")
}
