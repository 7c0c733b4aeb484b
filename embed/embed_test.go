package embed

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

var tree = fstest.MapFS{
	"_sidekick/init.lua":   {Data: []byte("return 1\n")},
	"_sidekick/a/deep.lua": {Data: []byte(strings.Repeat("-- text\n", 1000))},
	"_sidekick/empty.lua":  {},
}

// contents reads everything below root, names of other files included.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		got[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func check(t *testing.T, root string) {
	t.Helper()
	want := map[string]string{}
	for name, file := range tree {
		want[name] = string(file.Data)
	}
	if diff := cmp.Diff(want, contents(t, root)); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
}

func TestWriteMends(t *testing.T) {
	base := filepath.Join(t.TempDir(), "not", "there")
	root, err := Write(tree, base, "v1")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(base, "v1"); root != want {
		t.Errorf("root %q, want %q", root, want)
	}
	check(t, root)
	deep := filepath.Join(root, "_sidekick", "a", "deep.lua")
	for what, harm := range map[string]func() error{
		"cut short":     func() error { return os.Truncate(deep, 10) },
		"emptied":       func() error { return os.Truncate(deep, 0) },
		"overwritten":   func() error { return os.WriteFile(deep, []byte(strings.Repeat("xx text\n", 1000)), 0o644) },
		"removed":       func() error { return os.Remove(deep) },
		"folder gone":   func() error { return os.RemoveAll(filepath.Dir(deep)) },
		"all gone":      func() error { return os.RemoveAll(base) },
		"a dead link":   func() error { return errors.Join(os.Remove(deep), os.Symlink("nowhere", deep)) },
		"a link to one": func() error { return errors.Join(os.Rename(deep, base+"/x"), os.Symlink(base+"/x", deep)) },
	} {
		t.Run(what, func(t *testing.T) {
			if err := harm(); err != nil {
				t.Fatal(err)
			}
			if _, err := Write(tree, base, "v1"); err != nil {
				t.Fatal(err)
			}
			check(t, root)
		})
	}
}

// A tree that is in place is not written again.
func TestWriteOnce(t *testing.T) {
	base := t.TempDir()
	root, err := Write(tree, base, "v1")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "_sidekick", "init.lua")
	before, _ := os.Stat(file)
	if _, err := Write(tree, base, "v1"); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(file); !os.SameFile(before, after) {
		t.Error("the file was replaced")
	}
}

// Many starts at once, and a reader that never sees half a file.
func TestWriteAtOnce(t *testing.T) {
	base := t.TempDir()
	stop := make(chan struct{})
	var readers, writers sync.WaitGroup
	readers.Go(func() {
		want := string(tree["_sidekick/a/deep.lua"].Data)
		for {
			select {
			case <-stop:
				return
			default:
			}
			text, err := os.ReadFile(filepath.Join(base, "v1", "_sidekick", "a", "deep.lua"))
			if err == nil && string(text) != want {
				t.Errorf("half a file: %d bytes", len(text))
				return
			}
		}
	})
	for range 20 {
		writers.Go(func() {
			if _, err := Write(tree, base, "v1"); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	check(t, filepath.Join(base, "v1"))
}

// What cannot be written is an error that names the folder, and leaves nothing.
func TestWriteErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(tree, file, "v1"); !errors.Is(err, syscall.ENOTDIR) || !strings.Contains(err.Error(), file) {
		t.Errorf("below a file: %v", err)
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := errors.Join(os.Mkdir(other, 0o777), os.Chown(other, 65534, 65534)); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(tree, other, "v1"); err == nil || !strings.Contains(err.Error(), "another user") {
		t.Errorf("in another user's folder: %v", err)
	}
	if got := contents(t, other); len(got) != 0 {
		t.Errorf("left there: %v", got)
	}
}

// A full disk is an error too, and the next start mends the rest.
func TestWriteNoRoom(t *testing.T) {
	if dir := os.Getenv("EMBED_NO_ROOM"); dir != "" {
		// The kernel refuses to let a file of this process grow past 100 bytes.
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100, Max: 100}); err != nil {
			t.Fatal(err)
		}
		_, err := Write(tree, dir, "v1")
		fmt.Println("err:", err)
		if errors.Is(err, syscall.EFBIG) {
			os.Exit(7)
		}
		os.Exit(1)
	}
	base := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestWriteNoRoom$")
	cmd.Env = append(os.Environ(), "EMBED_NO_ROOM="+base)
	out, _ := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 7 {
		t.Fatalf("%v: %s", cmd.ProcessState, out)
	}
	left, _ := filepath.Glob(filepath.Join(base, "v1", "_sidekick", "*", ".write-*"))
	if len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
	if _, err := Write(tree, base, "v1"); err != nil {
		t.Fatal(err)
	}
	check(t, filepath.Join(base, "v1"))
}

func TestStampIsPast(t *testing.T) {
	if time.Since(stamp) < 24*time.Hour {
		t.Error("a file that is written now could have the stamp")
	}
}
