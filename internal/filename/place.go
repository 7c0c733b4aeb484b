package filename

import (
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// place is where a real path leads: an existing file, or names that do not
// exist yet below an existing folder.
type place struct {
	file   os.FileInfo // nil where it does not exist
	folder os.FileInfo // the deepest existing one, where file is nil
	path   string      // of folder
	rest   string      // below folder
}

func locate(real string) place {
	if info, err := os.Stat(real); err == nil {
		return place{file: info}
	}
	rest := filepath.Base(real)
	for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil {
			return place{folder: info, path: dir, rest: rest}
		}
		if dir == filepath.Dir(dir) {
			return place{path: dir, rest: rest}
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// same compares by device and inode: hard links, bind mounts and file systems
// that ignore case need nothing else.
func (p place) same(other place) bool {
	if p.file != nil || other.file != nil {
		return p.file != nil && other.file != nil && os.SameFile(p.file, other.file)
	}
	if p.folder == nil || other.folder == nil || !os.SameFile(p.folder, other.folder) {
		return false
	}
	return p.rest == other.rest || strings.EqualFold(p.rest, other.rest) && ignoresCase(p.path)
}

// ignoresCase reports whether dir finds its entries in another case too: it is
// asked for one of them, or, where none has letters, its parent for dir.
func ignoresCase(dir string) bool {
	if d, err := os.Open(dir); err == nil {
		defer d.Close()
		entries, _ := d.Readdirnames(100)
		for _, name := range entries {
			if other := flipCase(name); other != name {
				return sameEntry(filepath.Join(dir, name), filepath.Join(dir, other))
			}
		}
	}
	other := flipCase(filepath.Base(dir))
	return other != filepath.Base(dir) && sameEntry(dir, filepath.Join(filepath.Dir(dir), other))
}

func sameEntry(a, b string) bool {
	first, err := os.Lstat(a)
	if err != nil {
		return false
	}
	second, err := os.Lstat(b)
	return err == nil && os.SameFile(first, second)
}

func flipCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}
