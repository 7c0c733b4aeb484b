// Package embed lays a file tree that is part of this binary into a folder, for
// a program that can only read files.
package embed

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// stamp is the modification time that every written file gets. A file that was
// cut short or changed afterwards has another size or time, and one lstat tells:
// reading the tree back would take longer than the rest of a start.
var stamp = time.Unix(1_000_000_000, 0)

// Write makes base/version hold the files of tree, and returns that folder.
// version must change with the tree's content. base is an absolute path.
//
// Every file that is missing or not as it was written is put in place by one
// rename. So the next start mends what was interrupted; two starts at once write
// the same bytes; and a Neovim that reads the folder meanwhile sees whole files.
// A tree that is in place is only looked at.
func Write(tree fs.FS, base, version string) (string, error) {
	root := filepath.Join(base, version)
	if !filepath.IsAbs(root) { // somebody without a home
		return "", fmt.Errorf("write the runtime to %q: not an absolute path", root)
	}
	noteUse(root)
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		path := filepath.Join(root, filepath.FromSlash(name))
		if inPlace(path, entry) {
			return nil
		}
		content, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if err := makeFolder(filepath.Dir(path)); err != nil {
			return err
		}
		return replace(path, content)
	})
	if err != nil {
		return "", fmt.Errorf("write the runtime to %q: %w", root, err)
	}
	return root, nil
}

// inPlace reports whether path is the file that [replace] wrote for entry.
func inPlace(path string, entry fs.DirEntry) bool {
	have, err := os.Lstat(path)
	if err != nil {
		return false
	}
	want, err := entry.Info()
	return err == nil && have.Mode().IsRegular() && have.Size() == want.Size() && have.ModTime().Equal(stamp)
}

// makeFolder creates dir and its parents. It creates nothing in a folder of
// another user: under `sudo -E` the home is one's, and files of root's in it
// would be in the way of that user's own sidekick.
func makeFolder(dir string) error {
	info, err := os.Stat(dir)
	if err == nil {
		if !info.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: dir, Err: syscall.ENOTDIR}
		}
		return checkOwner(dir, info)
	}
	if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
		return err
	}
	if err := makeFolder(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func checkOwner(dir string, info fs.FileInfo) error {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Getuid() {
		return fmt.Errorf("%q belongs to another user", dir)
	}
	return nil
}

// replace puts content in place of path by one rename.
func replace(path string, content []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".write-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // in vain after the rename
	_, err = file.Write(content)
	err = errors.Join(err, file.Chmod(0o644), file.Close(), os.Chtimes(file.Name(), stamp, stamp))
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
