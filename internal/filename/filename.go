// Package filename tells whether two names are one file.
//
// An agent and an editor name the same file differently: through a link, a bind
// mount, another case, before it exists. A name is therefore taken for what the
// file system says that it is, and compared as text only where it says nothing.
package filename

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"
)

// File is a file that somebody is about to read or write; it need not exist.
type File struct {
	Path   string // absolute and clean, links not resolved
	Real   string // links resolved, also where the file does not exist yet
	Exists bool
	Dev    uint64 // with Inode the identity of an existing file, else 0
	Inode  uint64

	places []place
}

// Resolve finds the file that path means in the working directory cwd. "~" and
// "~/" at its start mean home; everything else in it is literal. Errors: an
// empty path, one with a NUL, a relative one where cwd (or home) is not
// absolute.
func Resolve(path, cwd, home string) (File, error) {
	if path == "" {
		return File{}, errors.New("path is empty")
	}
	if strings.ContainsRune(path, 0) {
		return File{}, fmt.Errorf("path %q holds a NUL", path)
	}
	if path == "~" || strings.HasPrefix(path, "~/") {
		path, cwd = "."+path[1:], home
	}
	if !filepath.IsAbs(path) {
		if !filepath.IsAbs(cwd) {
			return File{}, fmt.Errorf("path %q is relative to %q, which is not absolute", path, cwd)
		}
		path = cwd + "/" + path
	}
	f := File{Path: filepath.Clean(path)}
	f.Real = realPath(f.Path, maxLinks)
	f.places = []place{locate(f.Real)}
	// Node's path.resolve takes ".." as text, the kernel goes up from where a
	// link led to. Which of the two the agent means is not known: both count.
	if strings.Contains(path, "/..") {
		if other := realPath(path, maxLinks); other != f.Real {
			f.places = append(f.places, locate(other))
		}
	}
	if info := f.places[0].file; info != nil {
		f.Exists = true
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			f.Dev, f.Inode = uint64(stat.Dev), stat.Ino // Dev is an int32 on macOS
		}
	}
	return f, nil
}

// Same reports whether a buffer's name, as Neovim has it (absolute, links in
// folders not resolved) or as a file:// URI, is this file. Names of other
// schemes (oil://, fugitive://, term://) and "" are no files.
func (f File) Same(name string) bool {
	path, ok := local(name)
	if !ok {
		return false
	}
	if path == f.Path || path == f.Real {
		return true
	}
	other := locate(realPath(path, maxLinks))
	for _, p := range f.places {
		if p.same(other) {
			return true
		}
	}
	return false
}

// local returns the path that a buffer's name stands for.
func local(name string) (path string, ok bool) {
	if rest, isURI := strings.CutPrefix(name, "file://"); isURI {
		rest = strings.TrimPrefix(rest, "localhost")
		name = unescape(rest)
	}
	if !filepath.IsAbs(name) || strings.ContainsRune(name, 0) {
		return "", false
	}
	return filepath.Clean(name), true
}

// unescape replaces %XX. A % that is no escape stays: a person may have typed
// the name as it is.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			high, low := unhex(s[i+1]), unhex(s[i+2])
			if high >= 0 && low >= 0 {
				b.WriteByte(byte(high<<4 | low))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func unhex(c byte) int {
	return strings.IndexByte("0123456789abcdef", byte(unicode.ToLower(rune(c))))
}

// maxLinks is how many links in a row are followed, as on Linux.
const maxLinks = 40

// realPath resolves the links in an absolute path. What does not exist is kept
// as it is, below the real path of what does; a link to a missing file leads
// to that file.
func realPath(path string, links int) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if links == 0 {
		return path
	}
	parent := filepath.Dir(path)
	if target, err := os.Readlink(path); err == nil {
		if !filepath.IsAbs(target) {
			target = realPath(parent, links-1) + "/" + target
		}
		return realPath(target, links-1)
	}
	if parent == path {
		return path
	}
	return filepath.Join(realPath(parent, links), filepath.Base(path))
}
