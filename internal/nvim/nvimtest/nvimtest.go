// Package nvimtest runs real Neovims for tests: headless ones driven over RPC,
// and ones in a real terminal (tmux) where a person types.
//
// The Neovims are those that scripts/setup lays below $SIDEKICK_TESTENV (default
// ~/.cache/sidekick-testenv): nvim/0.7/nvim, nvim/0.10/nvim, nvim/0.12/nvim.
package nvimtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Versions that every behaviour is tested with.
var Versions = []string{"0.7", "0.10", "0.12"}

// TestEnv is the folder that scripts/setup fills.
func TestEnv() string {
	if dir := os.Getenv("SIDEKICK_TESTENV"); dir != "" {
		return dir
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = filepath.Join(os.TempDir(), "cache")
	}
	return filepath.Join(cache, "sidekick-testenv")
}

// Binary returns the Neovim of a version, and fails the test where scripts/setup
// has not been run: a test that skips itself proves nothing.
func Binary(t testing.TB, version string) string {
	t.Helper()
	path := filepath.Join(TestEnv(), "nvim", version, "nvim")
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("no Neovim %s at %s: run scripts/setup", version, path)
	}
	return path
}

// Each runs test once per version of Neovim, as subtests.
func Each(t *testing.T, test func(t *testing.T, nvim string)) {
	t.Helper()
	for _, version := range Versions {
		t.Run("nvim-"+version, func(t *testing.T) {
			test(t, Binary(t, version))
		})
	}
}

// Home is an empty home with its XDG folders, short enough for a socket's path.
type Home struct {
	Dir     string // also the working directory of what runs in it
	Runtime string // XDG_RUNTIME_DIR, mode 0700
}

// NewHome makes a home below the temporary directory and removes it afterwards.
func NewHome(t testing.TB) Home {
	t.Helper()
	dir, err := os.MkdirTemp("", "sk")
	if err != nil {
		t.Fatal(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	h := Home{Dir: dir, Runtime: filepath.Join(dir, "run")}
	if err := os.Mkdir(h.Runtime, 0o700); err != nil {
		t.Fatal(err)
	}
	return h
}

// GoRace is $GORACE of our own programs in a test: under the race detector they
// would otherwise wait a second before they end.
const GoRace = "atexit_sleep_ms=0"

// Environ is the whole environment of a process in this home: nothing of the
// developer's own configuration reaches a test.
func (h Home) Environ(extra ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + h.Dir,
		"USER=" + os.Getenv("USER"),
		"LANG=C.UTF-8",
		"TERM=xterm-256color",
		"SHELL=/bin/sh",
		"TMPDIR=" + h.Dir,
		"GORACE=" + GoRace,
		"XDG_RUNTIME_DIR=" + h.Runtime,
		"XDG_CONFIG_HOME=" + filepath.Join(h.Dir, ".config"),
		"XDG_CACHE_HOME=" + filepath.Join(h.Dir, ".cache"),
		"XDG_DATA_HOME=" + filepath.Join(h.Dir, ".local", "share"),
		"XDG_STATE_HOME=" + filepath.Join(h.Dir, ".local", "state"),
	}, extra...)
}

// Write makes a file in the home and returns its path.
func (h Home) Write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(h.Dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Eventually polls until holds returns nil, and fails with its last error after
// thirty seconds: a loaded machine is slow, a broken promise never holds.
func Eventually(t testing.TB, what string, holds func() error) {
	t.Helper()
	var err error
	pause := 200 * time.Microsecond
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(pause) {
		pause = min(pause*3/2, 10*time.Millisecond)
		if err = holds(); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: %v", what, err)
		}
	}
}

// command prepares a process in the home.
func (h Home) command(name string, args, extra []string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = h.Dir
	cmd.Env = h.Environ(extra...)
	return cmd
}

func waitForSocket(t testing.TB, path string, failed func() error) {
	t.Helper()
	Eventually(t, "neovim listens at "+path, func() error {
		if err := failed(); err != nil {
			t.Fatalf("neovim ended before it listened: %v", err)
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if info.Mode()&os.ModeSocket == 0 {
			return fmt.Errorf("%s is no socket", path)
		}
		return nil
	})
}
