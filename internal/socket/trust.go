package socket

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// trusted returns an error unless path is a socket of the user in a folder of
// the user (or of root: /tmp itself), reached by no link that somebody else
// could have made.
func (f *finder) trusted(path string) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case info.Mode().Type() != os.ModeSocket:
		return fmt.Errorf("%q: %w", path, ErrNotSocket)
	case owner(info) != f.UID:
		return fmt.Errorf("socket %q belongs to another user", path)
	}
	return f.trustedDir(filepath.Dir(path))
}

// trustedDir checks the folders from / to dir.
func (f *finder) trustedDir(dir string) error {
	dir = filepath.Clean(dir)
	if err, known := f.dirs[dir]; known {
		return err
	}
	err := f.checkDir(dir)
	if f.dirs == nil {
		f.dirs = map[string]error{}
	}
	f.dirs[dir] = err
	return err
}

const othersWrite = 0o002

func (f *finder) checkDir(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if uid := owner(info); uid != f.UID && uid != 0 {
		return fmt.Errorf("folder %q belongs to another user", dir)
	}
	parent := filepath.Dir(dir)
	if parent == dir {
		return nil
	}
	if err := f.trustedDir(parent); err != nil {
		return err
	}
	if info.Mode().Type() == os.ModeSymlink {
		return f.checkLink(dir, parent)
	}
	if !info.IsDir() {
		return fmt.Errorf("%q is not a folder", dir)
	}
	return nil
}

// checkLink follows a link that belongs to the user or root. One in a folder
// that everybody can write, sticky or not, is never followed: whoever made the
// folder's other names could have had it made.
func (f *finder) checkLink(link, parent string) error {
	info, err := os.Stat(parent)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&othersWrite != 0 {
		return fmt.Errorf("%q is a link in a folder that others can write", link)
	}
	target, err := os.Readlink(link)
	if err != nil {
		return err
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(parent, target)
	}
	if f.links++; f.links > 40 || strings.Contains(target, "\x00") {
		return fmt.Errorf("too many links at %q", link)
	}
	return f.trustedDir(target)
}
