package contextnote

import (
	"path/filepath"
	"strings"
)

// Relative returns path relative to the first of the folders that it is in, and
// as it is where it is in none. All are absolute.
func Relative(path string, folders ...string) string {
	for _, folder := range folders {
		if rel, ok := Inside(path, folder); ok {
			return rel
		}
	}
	return path
}

// Inside returns the path of a file relative to a folder that it is in. It
// compares names only.
func Inside(path, folder string) (rel string, ok bool) {
	if !filepath.IsAbs(folder) {
		return "", false
	}
	rel, err := filepath.Rel(folder, path)
	if err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return rel, true
}
