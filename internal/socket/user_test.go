package socket_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/socket"
)

// nobody is the user and group of a stranger.
const nobody = 65534

// listenEnv tells the test's own binary to listen at a path (or at a TCP port
// that the system chooses), to say where, and to print every byte that it gets.
const listenEnv = "SIDEKICK_TEST_LISTEN"

func TestMain(m *testing.M) {
	if address := os.Getenv(listenEnv); address != "" {
		network := "unix"
		if !filepath.IsAbs(address) {
			network = "tcp"
		}
		listener, err := net.Listen(network, address)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("listening", listener.Addr())
		for {
			conn, err := listener.Accept()
			if err != nil {
				os.Exit(1)
			}
			bytes, _ := io.ReadAll(conn)
			fmt.Printf("got %d bytes\n", len(bytes))
		}
	}
	os.Exit(m.Run())
}

// stranger is a real process of user nobody that listens.
type stranger struct {
	Address string
	out     *bufio.Reader
}

func newStranger(t *testing.T, home nvimtest.Home, address string) stranger {
	t.Helper()
	for _, dir := range []string{home.Dir, home.Runtime} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	program := copyOfTest(t, home)
	cmd := exec.Command(program)
	cmd.Env = []string{listenEnv + "=" + address}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	s := stranger{out: bufio.NewReader(out)}
	line := s.line(t)
	at, ok := strings.CutPrefix(line, "listening ")
	if !ok {
		t.Fatal(line)
	}
	s.Address = at
	return s
}

func (s stranger) line(t *testing.T) string {
	t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func copyOfTest(t *testing.T, home nvimtest.Home) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(home.Dir, "nvim-stranger")
	if err := os.WriteFile(path, program, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestStranger(t *testing.T) {
	home := nvimtest.NewHome(t)
	open := filepath.Join(home.Runtime, "sidekick")
	if err := os.Mkdir(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	s := newStranger(t, home, filepath.Join(open, fmt.Sprintf("%032x-%d.sock", 1, noPID)))

	for name, w := range map[string]socket.World{"table": worldOf(home), "folders": byFolder(home)} {
		w.Nvim, w.ListenAddress = s.Address, s.Address
		if found := inHome(w, home); len(found) != 0 {
			t.Errorf("by %s: found the socket of a stranger: %+v", name, found)
		}
		w.UID = nobody // to whom the socket belongs, in a folder of root's
		if found := inHome(w, home); len(found) != 1 {
			t.Errorf("by %s: found %+v", name, found)
		}
		if err := os.Chown(open, nobody-1, -1); err != nil {
			t.Fatal(err)
		}
		if found := inHome(w, home); len(found) != 0 {
			t.Errorf("by %s: found a socket in a stranger's folder: %+v", name, found)
		}
		if err := os.Chown(open, 0, -1); err != nil {
			t.Fatal(err)
		}
	}

	conn, err := net.Dial("unix", s.Address)
	if err != nil {
		t.Fatal(err)
	}
	if err := socket.CheckPeer(conn, os.Getuid()); err == nil {
		t.Error("a stranger's process passed for the user's")
	}
	if err := socket.CheckPeer(conn, nobody); err != nil {
		t.Errorf("the owner was refused: %v", err)
	}
	_ = conn.Close()
	if line := s.line(t); line != "got 0 bytes" {
		t.Errorf("the stranger %s", line)
	}
}

func TestStrangersPort(t *testing.T) {
	home := nvimtest.NewHome(t)
	s := newStranger(t, home, "127.0.0.1:0")
	w := worldOf(home)
	w.Nvim = s.Address
	for _, found := range socket.Find(w) {
		if found.Address == s.Address {
			t.Errorf("found a stranger's port: %+v", found)
		}
	}
	conn, err := net.Dial("tcp", s.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := socket.CheckPeer(conn, os.Getuid()); err == nil {
		t.Error("a stranger's port passed for the user's")
	}
}

func TestOwnPort(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, nvim string) {
		home := nvimtest.NewHome(t)
		e := home.Start(t, nvim)
		var address string
		e.Lua(&address, `return vim.fn.serverstart('127.0.0.1:0')`)
		has := func(address string) (has bool) {
			w := worldOf(home)
			w.Nvim = address
			for _, found := range socket.Find(w) {
				has = has || found.Address == address
			}
			return has
		}
		if !has(address) {
			t.Errorf("%s was not found", address)
		}
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			t.Fatal(err)
		}
		for _, no := range []string{"192.0.2.1:" + port, "example.org:" + port, "127.0.0.1:1", "127.0.0.1:", ":" + port} {
			if has(no) {
				t.Errorf("%s was found", no)
			}
		}
	})
}

func TestNoLinksOutOfOpenFolders(t *testing.T) {
	home := nvimtest.NewHome(t)
	private := filepath.Join(home.Dir, "private")
	open := filepath.Join(home.Dir, "open")
	for dir, mode := range map[string]os.FileMode{private: 0o700, open: 0o777 | os.ModeSticky} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
	}
	address := filepath.Join(private, "s")
	listener, err := net.Listen("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for _, link := range []string{filepath.Join(open, "link"), filepath.Join(home.Dir, "link")} {
		if err := os.Symlink(private, link); err != nil {
			t.Fatal(err)
		}
		w := byFolder(home)
		w.Nvim = filepath.Join(link, "s")
		w.Now = time.Now()
		found, want := inHome(w, home), 1
		if filepath.Dir(link) == open {
			want = 0
		}
		if len(found) != want {
			t.Errorf("by %s: found %+v", link, found)
		}
	}
}
