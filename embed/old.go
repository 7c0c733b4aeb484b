package embed

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// unused is how long nobody has started with a version before it may go.
const unused = 30 * 24 * time.Hour

// touchedOften is how exactly that is known: a start is noted once a day.
const touchedOften = 24 * time.Hour

// Has reports whether base has a folder of that version.
func Has(base, version string) bool {
	_, err := os.Lstat(filepath.Join(base, version))
	return err == nil
}

// noteUse keeps a version that is started with from being taken for an old one.
func noteUse(root string) {
	now := time.Now()
	if info, err := os.Lstat(root); err == nil && now.Sub(info.ModTime()) > touchedOften {
		_ = os.Chtimes(root, now, now) // of another user: not ours to remove either
	}
}

// RemoveOld removes the folders of other versions below base that nobody has
// started with for a month and that inUse, which is asked last, says no running
// Neovim reads: it loads a module when it first needs it, perhaps weeks later.
// It is best effort; what it leaves, the next version's first start removes.
func RemoveOld(base, version string, inUse func(folder string) bool) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, entry := range entries {
		folder := filepath.Join(base, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), leaving) && entry.IsDir() && isOld(folder):
			_ = os.RemoveAll(folder) // somebody was stopped at it
		case entry.IsDir() && isVersion(entry.Name()) && entry.Name() != version && isOld(folder) && !inUse(folder):
			remove(base, folder)
		}
	}
}

// leaving begins the names of folders on their way out.
const leaving = ".old-"

// remove takes a version out of the way in one step, so that nobody finds half of
// it, and puts it back where somebody has started with it in that moment.
func remove(base, folder string) {
	aside := filepath.Join(base, leaving+filepath.Base(folder))
	if os.Rename(folder, aside) != nil {
		return
	}
	if !isOld(aside) && os.Rename(aside, folder) == nil {
		return
	}
	_ = os.RemoveAll(aside)
}

func isOld(folder string) bool {
	info, err := os.Lstat(folder)
	return err == nil && time.Since(info.ModTime()) > unused
}

// isVersion knows the name of a version's folder: 16 hex digits.
func isVersion(name string) bool {
	return len(name) == 16 && strings.Trim(name, "0123456789abcdef") == ""
}
