// Package embed lays a file tree that is part of this binary into a folder, for
// a program that can only read files.
package embed

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Write makes base/version hold exactly the files of tree, and returns that
// folder. version must change with the tree's content.
//
// Every file is compared and, where it is missing, cut short or changed, put in
// place by one rename. So a write that was interrupted is mended by the next
// start; two starts at once write the same bytes; and a Neovim that reads the
// folder meanwhile sees whole files. What is there already is only read.
func Write(tree fs.FS, base, version string) (string, error) {
	root := filepath.Join(base, version)
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		want, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		path := filepath.Join(root, filepath.FromSlash(name))
		if holds(path, want) {
			return nil
		}
		if err := makeFolder(filepath.Dir(path)); err != nil {
			return err
		}
		return replace(path, want)
	})
	if err != nil {
		return "", fmt.Errorf("write the runtime to %q: %w", root, err)
	}
	return root, nil
}

// holds reports whether path is a file with this content.
func holds(path string, want []byte) bool {
	got, err := os.ReadFile(path)
	return err == nil && bytes.Equal(got, want)
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
	if err = errors.Join(err, file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
