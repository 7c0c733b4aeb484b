// Package socket knows where the sockets of Neovims are: the one that sidekick
// gives to each Neovim that it starts, and those that other Neovims made.
//
// Whoever can put a socket where the hook looks can answer for the person's
// editor, so only folders and sockets that belong to the user count.
package socket

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Env is what the places of sockets depend on.
type Env struct {
	RuntimeDir string // $XDG_RUNTIME_DIR, "" where it is not set
	TempDir    string // $TMPDIR or the system's default
	UID        int    // of the user
}

// dirMode keeps everybody else from connecting, whatever the sockets' own modes.
const dirMode = 0o700

// Dirs returns every folder in which sidekick may have put a socket, the
// preferred one first. A folder need not exist, nor be fit (see [CheckDir]).
func (e Env) Dirs() []string {
	var dirs []string
	if filepath.IsAbs(e.RuntimeDir) {
		dirs = append(dirs, filepath.Join(e.RuntimeDir, "sidekick"))
	}
	name := "sidekick-" + strconv.Itoa(e.UID)
	if filepath.IsAbs(e.TempDir) {
		dirs = append(dirs, filepath.Join(e.TempDir, name))
	}
	// A $TMPDIR may be too long for a socket, or differ between the shell of the
	// editor and that of the agent.
	if fallback := filepath.Join("/tmp", name); len(dirs) == 0 || dirs[len(dirs)-1] != fallback {
		dirs = append(dirs, fallback)
	}
	return dirs
}

// MakeDir creates dir where it is missing, and checks it.
func (e Env) MakeDir(dir string) error {
	if err := e.CheckDir(dir); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	parent, err := os.Stat(filepath.Dir(dir))
	if err != nil {
		return fmt.Errorf("runtime folder: %w", err)
	}
	// With `sudo -E` $XDG_RUNTIME_DIR is another user's: a folder of ours in it
	// would be in that user's way.
	if filepath.Dir(dir) == filepath.Clean(e.RuntimeDir) && owner(parent) != e.UID {
		return fmt.Errorf("runtime folder %q belongs to another user", filepath.Dir(dir))
	}
	if err := os.Mkdir(dir, dirMode); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("runtime folder: %w", err)
	}
	return e.CheckDir(dir)
}

// CheckDir returns an error unless dir is a folder (not a link to one) that
// belongs to the user and that nobody else can enter. A folder that is the
// user's own but open to others is closed.
func (e Env) CheckDir(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return fmt.Errorf("runtime folder: %w", err)
	case !info.IsDir():
		return fmt.Errorf("runtime folder %q is not a folder", dir)
	case owner(info) != e.UID:
		return fmt.Errorf("runtime folder %q belongs to another user", dir)
	case info.Mode().Perm() == dirMode:
		return nil
	}
	if err := os.Chmod(dir, dirMode); err != nil {
		return fmt.Errorf("runtime folder: %w", err)
	}
	return nil
}

// owner returns the user that a file belongs to.
func owner(info os.FileInfo) int {
	return int(info.Sys().(*syscall.Stat_t).Uid)
}
