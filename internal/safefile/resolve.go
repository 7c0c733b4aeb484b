package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks is how many links may follow each other, as on Linux.
const maxLinks = 40

// Resolve returns the real path of name, an absolute path: every symbolic link
// in it is followed, also where what it names does not exist (yet), which
// [filepath.EvalSymlinks] refuses.
func Resolve(name string) (string, error) {
	if !filepath.IsAbs(name) {
		return "", fmt.Errorf("resolve %q: not an absolute path", name)
	}
	path := "/"
	rest := strings.Split(name, "/")
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			path = filepath.Dir(path) // path has no links, so this is its parent
			continue
		}
		next := filepath.Join(path, part)
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			path = next
			continue
		case err != nil:
			return "", fmt.Errorf("resolve %q: %w", name, err)
		case info.Mode()&fs.ModeSymlink == 0:
			path = next
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("resolve %q: %w", name, syscall.ELOOP)
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", fmt.Errorf("resolve %q: %w", name, err)
		}
		if filepath.IsAbs(target) {
			path = "/"
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return path, nil
}
