package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// takeOver gives the new file the mode and the owner of the one that it will
// replace; a new one belongs to the owner of its folder where we are root, so
// that `sudo sidekick install` does not lock a person out of their own settings.
func (f File) takeOver(file *os.File, dir string) error {
	if !f.Exists {
		return inherit(file, dir)
	}
	old, err := os.Lstat(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write %q: %w", f.Name, ErrChanged)
	}
	if err != nil {
		return err
	}
	mode := old.Mode().Perm()
	if uid, gid, ok := owner(old); ok {
		ours, err := file.Stat()
		if err != nil {
			return err
		}
		ourUID, ourGID, _ := owner(ours)
		if gid != ourGID && file.Chown(-1, gid) != nil {
			// Another group than the person chose must not gain by it.
			mode &^= 0o070
		}
		if uid != ourUID {
			_ = file.Chown(uid, -1) // only root may: else the file becomes ours
		}
	}
	return file.Chmod(mode)
}

// makeFolders is os.MkdirAll, and root gives what it makes to the owner of the
// folder above.
func makeFolders(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	above := filepath.Dir(dir)
	if err := makeFolders(above); err != nil {
		return err
	}
	switch err := os.Mkdir(dir, 0o755); {
	case errors.Is(err, fs.ErrExist):
		return os.MkdirAll(dir, 0o755) // made by somebody else just now, or not a folder
	case err != nil:
		return err
	}
	if os.Geteuid() != 0 {
		return nil
	}
	// By descriptor and never through a link: root acts in a folder where
	// somebody else may move things about.
	made, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer made.Close()
	return inherit(made, above)
}

// inherit gives what root has just made to the owner of the folder.
func inherit(made *os.File, folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	if uid, gid, ok := owner(info); ok && uid != 0 {
		return made.Chown(uid, gid)
	}
	return nil
}

func owner(info fs.FileInfo) (uid, gid int, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(stat.Uid), int(stat.Gid), true
}
