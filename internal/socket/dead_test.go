package socket_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/socket"
)

// noPID is a pid that no process can have.
const noPID = 99_999_999

// ours returns a socket's path in the home's runtime dir.
func ours(t testing.TB, home nvimtest.Home, number, pid int) string {
	t.Helper()
	dir := filepath.Join(home.Runtime, "sidekick")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, fmt.Sprintf("%032x-%d.sock", number, pid))
}

// bound makes a socket that nobody listens on, and keeps its descriptor open
// until the test ends: a Neovim between its bind and its listen.
func bound(t testing.TB, path string) (fd int) {
	t.Helper()
	fd = newSocket(t)
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		t.Fatal(err)
	}
	return fd
}

func newSocket(t testing.TB) (fd int) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	unix.CloseOnExec(fd)
	if err := unix.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	return fd
}

func dead(t testing.TB, path string) {
	t.Helper()
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	listener.SetUnlinkOnClose(false)
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestDeadSocketsOfOurs(t *testing.T) {
	for _, proc := range []string{"/proc", "/no-procfs"} {
		t.Run(proc, func(t *testing.T) {
			home := nvimtest.NewHome(t)
			w := worldOf(home)
			w.Proc = proc

			gone := ours(t, home, 1, noPID)
			dead(t, gone)
			pidLives := ours(t, home, 2, os.Getpid())
			dead(t, pidLives)
			detached := ours(t, home, 3, noPID)
			listener, err := net.Listen("unix", detached)
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			noSocket := ours(t, home, 4, noPID)
			if err := os.WriteFile(noSocket, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			link := ours(t, home, 5, noPID)
			if err := os.Symlink(detached, link); err != nil {
				t.Fatal(err)
			}
			foreign := filepath.Join(home.Runtime, fmt.Sprintf("nvim.%d.0", noPID))
			dead(t, foreign)

			check := func(want string, paths ...string) {
				t.Helper()
				if found := inHome(w, home); len(found) != 1 || found[0].Address != detached || !found[0].Launched {
					t.Errorf("%s: found %+v", want, found)
				}
				for _, path := range paths {
					if !exists(path) {
						t.Errorf("%s: %s was removed", want, path)
					}
				}
			}
			check("young", gone, pidLives, detached, noSocket, link, foreign)
			w.Now = w.Now.Add(time.Minute)
			check("old", pidLives, detached, noSocket, link, foreign)
			if exists(gone) {
				t.Error("a dead socket of ours was kept")
			}

			if t.Failed() {
				return
			}
			again := ours(t, home, 1, noPID)
			bound(t, again)
			w.Now = time.Now()
			check("just bound", again)
		})
	}
}

func TestThousandDeadSockets(t *testing.T) {
	home := nvimtest.NewHome(t)
	w := worldOf(home)
	w.Now = w.Now.Add(time.Minute)
	for i := range 1000 {
		dead(t, ours(t, home, i, noPID))
	}
	start := time.Now()
	if found := inHome(w, home); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
	first := time.Since(start)
	left, err := os.ReadDir(filepath.Join(home.Runtime, "sidekick"))
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 0 {
		t.Errorf("%d of 1000 are left", len(left))
	}
	start = time.Now()
	inHome(w, home)
	t.Logf("the first search took %v, the next %v", first, time.Since(start))
	if first > 2*time.Second {
		t.Errorf("the first search took %v", first)
	}
}

func TestFullQueueIsAlive(t *testing.T) {
	home := nvimtest.NewHome(t)
	w := byFolder(home)
	w.Now = w.Now.Add(time.Minute)
	path := ours(t, home, 1, noPID)
	listener := bound(t, path)
	if err := unix.Listen(listener, 1); err != nil {
		t.Fatal(err)
	}
	for full := false; !full; {
		full = errors.Is(unix.Connect(newSocket(t), &unix.SockaddrUnix{Name: path}), unix.EAGAIN)
	}
	if found := inHome(w, home); len(found) != 1 || found[0].Address != path {
		t.Errorf("found %+v", found)
	}
}

func TestDead(t *testing.T) {
	home := nvimtest.NewHome(t)
	path := ours(t, home, 1, noPID)
	dead(t, path)
	for _, address := range []string{path, path + "x"} {
		if _, err := net.Dial("unix", address); !socket.Dead(err) {
			t.Errorf("%v is not dead", err)
		}
	}
	if socket.Dead(os.ErrPermission) {
		t.Error("a socket that may not be used counts as dead")
	}
}

func BenchmarkFind(b *testing.B) {
	home := nvimtest.NewHome(b)
	for i := range 8 {
		home.Start(b, nvimtest.Binary(b, nvimtest.Versions[i%len(nvimtest.Versions)]))
	}
	for name, w := range map[string]socket.World{"table": worldOf(home), "folders": byFolder(home)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				socket.Find(w)
			}
		})
	}
}
