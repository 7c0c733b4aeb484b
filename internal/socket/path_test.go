package socket

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestPathFits(t *testing.T) {
	for length := 1; length < 200; length++ {
		dir := "/" + strings.Repeat("d", length)
		for _, pid := range []int{1, 4194304, 2147483647} {
			path, err := Path(dir, "/home/u/project", pid)
			if errors.Is(err, ErrTooLong) {
				if length < 70 {
					t.Errorf("folder of %d bytes: %v", length, err)
				}
				continue
			}
			if len(path) > 103 || filepath.Dir(path) != dir {
				t.Errorf("%d bytes: %s", len(path), path)
			}
			if !regexp.MustCompile(`/[0-9a-f]{16,32}-\d+\.sock$`).MatchString(path) {
				t.Errorf("form of %s", path)
			}
		}
	}
	one, _ := Path("/run", "/a", 1)
	two, _ := Path("/run", "/b", 1)
	if one == two {
		t.Errorf("two working directories, one path %s", one)
	}
}

func TestClear(t *testing.T) {
	dir := t.TempDir()
	dead, live, file, link := dir+"/dead", dir+"/live", dir+"/file", dir+"/link"
	listener, err := net.Listen("unix", dead)
	if err != nil {
		t.Fatal(err)
	}
	listener.(*net.UnixListener).SetUnlinkOnClose(false)
	listener.Close()
	if listener, err = net.Listen("unix", live); err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if err := errors.Join(os.WriteFile(file, []byte("text"), 0o600), os.Symlink(dead, link)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path  string
		want  error
		stays bool
	}{
		{dir + "/nothing", nil, false},
		{link, ErrNotSocket, true},
		{file, ErrNotSocket, true},
		{live, ErrInUse, true},
		{dead, nil, false},
	} {
		if err := Clear(tt.path); !errors.Is(err, tt.want) {
			t.Errorf("Clear(%q) = %v, want %v", tt.path, err, tt.want)
		}
		if _, err := os.Lstat(tt.path); (err == nil) != tt.stays {
			t.Errorf("%q afterwards: %v", tt.path, err)
		}
	}
	if !Listens(live) || Listens(file) || Listens(dir+"/nothing") {
		t.Error("Listens is wrong")
	}
}

func TestMakeDir(t *testing.T) {
	const nobody = 65534
	base := t.TempDir()
	e := Env{RuntimeDir: base, TempDir: base, UID: os.Getuid()}
	mode := func(path string) os.FileMode {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	mine := e.Dirs()[0]
	if want := filepath.Join(base, "sidekick"); mine != want {
		t.Errorf("first folder %q, want %q", mine, want)
	}
	if err := e.MakeDir(mine); err != nil || mode(mine) != 0o700 {
		t.Errorf("new folder: %v, mode %o", err, mode(mine))
	}
	if err := os.Chmod(mine, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := e.MakeDir(mine); err != nil || mode(mine) != 0o700 {
		t.Errorf("open folder of one's own: %v, mode %o", err, mode(mine))
	}

	link, file, theirs := base+"/link", base+"/file", base+"/theirs"
	err := errors.Join(os.Symlink(mine, link), os.WriteFile(file, nil, 0o600),
		os.Mkdir(theirs, 0o700), os.Chown(theirs, nobody, nobody))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{link, file, theirs, base + "/no/parent"} {
		if err := e.MakeDir(dir); err == nil {
			t.Errorf("MakeDir(%q) took it", dir)
		}
	}
	// `sudo -E`: $XDG_RUNTIME_DIR is another user's.
	e.RuntimeDir = theirs
	if err := e.MakeDir(e.Dirs()[0]); err == nil {
		t.Error("made a folder in another user's runtime folder")
	}
}
