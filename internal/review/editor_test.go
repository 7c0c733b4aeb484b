package review

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The client of these tests is the test's own process; the hook is a child.
func TestEditorShowsDiffs(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	hook := exec.Command("sleep", "60")
	if err := hook.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = hook.Process.Kill(); _ = hook.Wait() }()
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	client := func(lock int, state, proc, env string) bool {
		dir := t.TempDir()
		write := func(name, text string) string {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
		write("ide/"+port+".lock", fmt.Sprintf(`{"pid": %d, "ideName": "an editor"}`, lock))
		return Client{
			ConfigDir: dir, StateFile: write(".claude.json", state), Port: env, Pid: hook.Process.Pid, Proc: proc,
		}.EditorShowsDiffs()
	}
	live := os.Getpid()
	if client(live, `{}`, "/proc", port) {
		t.Error("an editor counts to which the client is not connected")
	}
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	tests := []struct {
		name        string
		lock        int
		state, proc string
		env         string
		want        bool
	}{
		{"connected", live, `{}`, "/proc", "", true},
		{"its process is dead", dead.Process.Pid, `{}`, "/proc", "", false},
		{"diffs in the terminal", live, `{"diffTool": "terminal"}`, "/proc", "", false},
		{"no procfs, port in the environment", live, `{}`, "/nonexistent", port, true},
		{"no procfs, another port", live, `{}`, "/nonexistent", "1", false},
		{"no procfs, no port", live, `{}`, "/nonexistent", "", false},
	}
	for _, test := range tests {
		if got := client(test.lock, test.state, test.proc, test.env); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
