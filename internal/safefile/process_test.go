package safefile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sidekick/internal/safefile"
)

// The test binary is also the process that writes: as another user, or to be
// killed while it does.
func TestMain(m *testing.M) {
	switch os.Getenv("SAFEFILE_ROLE") {
	case "replace":
		file, err := safefile.Read(os.Args[1])
		if err == nil {
			err = file.Replace([]byte("new"), 0o644)
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	case "forever":
		for i := 0; ; i++ {
			file, err := safefile.Read(os.Args[1])
			if err == nil {
				err = file.Replace(big(i), 0o644)
			}
			if err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			fmt.Println("round")
		}
	}
	os.Exit(m.Run())
}

// big is a text that takes more than one write, all of one letter.
func big(i int) []byte {
	return bytes.Repeat([]byte{'a' + byte(i%26)}, 1<<20)
}

const nobody = 65534

func role(t *testing.T, role string, uid int, path string) *exec.Cmd {
	t.Helper()
	// A copy: go's own build folder is closed to other users.
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(open(t), "writer")
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bin, data, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, path)
	cmd.Args = []string{bin, path}
	cmd.Env = []string{"SAFEFILE_ROLE=" + role}
	if uid != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
	return cmd
}

// open is a temporary folder that other users can enter.
func open(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "safefile")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func chown(t *testing.T, path string, uid, gid int) {
	t.Helper()
	if err := os.Lchown(path, uid, gid); err != nil {
		t.Fatal(err)
	}
}

func describe(t *testing.T, path string) string {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	stat := info.Sys().(*syscall.Stat_t)
	return fmt.Sprintf("%v %d:%d", info.Mode(), stat.Uid, stat.Gid)
}

func TestOwners(t *testing.T) {
	tests := map[string]struct {
		writer int
		setup  func(t *testing.T, dir string)
		path   string
		want   string // "" = refused
	}{
		"root keeps the owner and the group": {0, func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "f"), "old", 0o640)
			chown(t, filepath.Join(dir, "f"), nobody, 12)
		}, "f", "-rw-r----- 65534:12"},
		"root gives what it makes to the folder's owner": {0, func(t *testing.T, dir string) {
			chown(t, dir, nobody, nobody)
		}, ".claude/f", "-rw-r--r-- 65534:65534"},
		"a user's own file": {nobody, func(t *testing.T, dir string) {
			chown(t, dir, nobody, nobody)
			write(t, filepath.Join(dir, "f"), "old", 0o600)
			chown(t, filepath.Join(dir, "f"), nobody, nobody)
		}, "f", "-rw------- 65534:65534"},
		"another's file in the user's folder; its group gains nothing": {nobody, func(t *testing.T, dir string) {
			chown(t, dir, nobody, nobody)
			write(t, filepath.Join(dir, "f"), "old", 0o664)
		}, "f", "-rw----r-- 65534:65534"},
		"only the target's folder is writable": {nobody, func(t *testing.T, dir string) {
			sub := filepath.Join(dir, "sub")
			if err := os.Mkdir(sub, 0o755); err != nil {
				t.Fatal(err)
			}
			chown(t, sub, nobody, nobody)
			write(t, filepath.Join(sub, "f"), "old", 0o644)
			chown(t, filepath.Join(sub, "f"), nobody, nobody)
			if err := os.Symlink("sub/f", filepath.Join(dir, "f")); err != nil {
				t.Fatal(err)
			}
		}, "f", "Lrwxrwxrwx 0:0"},
		"a folder that is not the user's": {nobody, func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "f"), "old", 0o666)
		}, "f", ""},
		"unreadable": {nobody, func(t *testing.T, dir string) {
			chown(t, dir, nobody, nobody)
			write(t, filepath.Join(dir, "f"), "old", 0o600)
		}, "f", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := open(t)
			test.setup(t, dir)
			path := filepath.Join(dir, test.path)
			out, err := role(t, "replace", test.writer, path).CombinedOutput()
			if test.want == "" {
				if err == nil {
					t.Error("not refused")
				}
				if got := read(t, path); got != "old" {
					t.Errorf("file holds %q", got)
				}
				onlyFiles(t, dir, "f")
				return
			}
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if got := read(t, path); got != "new" {
				t.Errorf("file holds %q", got)
			}
			if got := describe(t, path); got != test.want {
				t.Errorf("file is %s, want %s", got, test.want)
			}
		})
	}
}

// Whoever looks at any moment, also after a writer was killed at any moment,
// meets the old text or the new one, whole.
func TestWholeAtEveryMoment(t *testing.T) {
	path := filepath.Join(open(t), "f")
	if err := os.WriteFile(path, big(0), 0o600); err != nil {
		t.Fatal(err)
	}
	whole := func(when string) byte {
		got := read(t, path)
		if len(got) != 1<<20 || strings.Trim(got, got[:1]) != "" {
			t.Fatalf("%s the file holds a mix of %d bytes", when, len(got))
		}
		return got[0]
	}
	for range 8 {
		cmd := role(t, "forever", 0, path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, len("round\n"))); err != nil {
			t.Fatal(err)
		}
		seen := map[byte]bool{}
		for deadline := time.Now().Add(20 * time.Second); len(seen) < 3 && time.Now().Before(deadline); {
			seen[whole("while it is written")] = true
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		whole("after the writer was killed")
		if got := describe(t, path); got[:10] != "-rw-------" {
			t.Errorf("file is %s", got)
		}
	}
}

// Many writers at once: every text that was written is one writer's, and a
// writer that was told "written" has not silently overwritten another.
func TestWritersAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "0", 0o600)
	const writers, rounds = 4, 15
	done := make(chan int)
	for range writers {
		go func() {
			conflicts := 0
			for range rounds {
				for {
					file, err := safefile.Read(path)
					if err != nil {
						t.Error(err)
						break
					}
					n, err := strconv.Atoi(string(file.Data))
					if err != nil {
						t.Error(err)
						break
					}
					err = file.Replace([]byte(strconv.Itoa(n+1)), 0o644)
					if err == nil {
						break
					}
					conflicts++
					if !errors.Is(err, safefile.ErrChanged) && !errors.Is(err, fs.ErrNotExist) {
						t.Error(err)
						break
					}
				}
			}
			done <- conflicts
		}()
	}
	conflicts := 0
	for range writers {
		conflicts += <-done
	}
	t.Logf("%d conflicts told", conflicts)
	if got := read(t, path); got != strconv.Itoa(writers*rounds) {
		t.Errorf("count is %s, want %d: a write was lost", got, writers*rounds)
	}
}
