package filename_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
	"sidekick/internal/filename"
)

// A bind mount needs a mount namespace of its own: the test runs its own binary
// in one.
func TestBindMount(t *testing.T) {
	const inside = "SIDEKICK_TEST_BIND_MOUNT"
	if dir := os.Getenv(inside); dir != "" {
		bindMount(t, dir)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestBindMount$")
	cmd.Env = append(os.Environ(), inside+"="+home(t))
	cmd.SysProcAttr = &unix.SysProcAttr{Unshareflags: unix.CLONE_NEWNS}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func bindMount(t *testing.T, dir string) {
	if err := unix.Mount(filepath.Join(dir, "src"), filepath.Join(dir, "other"), "", unix.MS_BIND, ""); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.go", "new.go", "sub/new.go"} {
		f, err := filename.Resolve(filepath.Join(dir, "src", name), "/", "/")
		if err != nil {
			t.Fatal(err)
		}
		if !f.Same(filepath.Join(dir, "other", name)) {
			t.Errorf("%s is not found through a bind mount", name)
		}
	}
}
