// Package mounttest gives tests file systems of unusual kinds, in a mount
// namespace that ends with the test: bind mounts, overlays, and one that ignores
// the case of names.
package mounttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Alone runs the test that calls it again, in a process with a mount namespace of
// its own. It returns true there, and false, when that is done, in the process
// that was first.
func Alone(t *testing.T) (inside bool) {
	t.Helper()
	const name = "SIDEKICK_TEST_ALONE"
	if os.Getenv(name) == t.Name() {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run=^"+regexp.QuoteMeta(t.Name())+"$")
	cmd.Env = append(os.Environ(), name+"="+t.Name())
	cmd.SysProcAttr = &unix.SysProcAttr{Unshareflags: unix.CLONE_NEWNS}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
	return false
}

// Bind makes what is in from also be in a new folder at.
func Bind(t testing.TB, from, at string) {
	t.Helper()
	mount(t, from, at, "", unix.MS_BIND, "")
}

// Overlay makes a new folder at an overlay of two layers: the lower one holds the
// named files, with one line of text each.
func Overlay(t testing.TB, at string, names ...string) {
	t.Helper()
	layers := at + ".layers"
	mount(t, "tmpfs", layers, "tmpfs", 0, "") // an overlay takes no other overlay, as in a container, for its upper layer
	lower, upper, work := filepath.Join(layers, "lower"), filepath.Join(layers, "upper"), filepath.Join(layers, "work")
	for _, dir := range []string{upper, work} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, lower, names)
	mount(t, "overlay", at, "overlay", 0, "lowerdir="+lower+",upperdir="+upper+",workdir="+work)
}

func mount(t testing.TB, source, at, kind string, flags uintptr, options string) {
	t.Helper()
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount(source, at, kind, flags, options); err != nil {
		t.Fatalf("mount %s at %s: %v", source, at, err)
	}
	t.Cleanup(func() { _ = unix.Unmount(at, unix.MNT_DETACH) })
}

func write(t testing.TB, dir string, names []string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// text is what every file holds.
const text = "one\n"
