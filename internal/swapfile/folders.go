package swapfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// inFolders looks where the editors put swap files by themselves, and where
// people often tell Vim to.
func (s *search) inFolders() {
	var whole []string // as "%home%me%x.txt.swp"
	for _, base := range s.bases() {
		for _, app := range names(base) {
			whole = append(whole, filepath.Join(base, app, "swap"))
		}
		if strings.Contains(s.AppName, "/") {
			whole = append(whole, filepath.Join(base, s.AppName, "swap"))
		}
	}
	var plain []string // as "x.txt.swp"
	if filepath.IsAbs(s.Home) {
		plain = append(plain, filepath.Join(s.Home, "tmp"))
		for _, dir := range []string{
			".vim/swap", ".vim/swaps", ".vim/swapfiles", ".vim/swp", ".vim/.swp", ".vim/.swap", ".vim/_swap", ".vim/tmp", ".vim/tmp/swap",
			".vim/temp", ".vim/.tmp", ".vimswap", ".vimtmp", ".vim-tmp", ".swp", ".tmp", ".cache/vim", ".cache/vim/swap", ".cache/vim/swp",
		} {
			plain = append(plain, filepath.Join(s.Home, dir))
		}
	}
	plain = append(plain, "/var/tmp", "/tmp", s.TempDir)

	tried := map[string]bool{"": true}
	for _, dir := range slices.Concat(whole, plain) {
		if dir = filepath.Clean(dir); tried[dir] {
			continue
		}
		tried[dir] = true
		s.match(dir, slices.Contains(plain, dir))
	}
	for _, name := range s.names() {
		s.try(beside(name))
	}
}

// bases are the folders that hold one folder per app name.
func (s *search) bases() []string {
	bases := []string{s.StateHome, s.DataHome}
	if filepath.IsAbs(s.Home) {
		bases = append(bases, filepath.Join(s.Home, ".local/state"), filepath.Join(s.Home, ".local/share"))
	}
	slices.Sort(bases)
	return slices.DeleteFunc(slices.Compact(bases), func(dir string) bool { return !filepath.IsAbs(dir) })
}

// names are those by which an editor may know the file.
func (s *search) names() []string {
	return slices.Compact([]string{s.file.Real, s.file.Path})
}

// match takes the swap files in dir that are named by the file's whole path
// ('directory' with // at its end), or, where plain, by its last part. The folder
// is not read: it can be a large /tmp.
func (s *search) match(dir string, plain bool) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return
	}
	for _, name := range s.names() {
		s.try(filepath.Join(dir, flat(name)))
		if plain {
			s.try(filepath.Join(dir, filepath.Base(name)))
		}
	}
}

// beside is the swap file in the file's own folder, less its last part:
// ".x.txt.swp" of "x.txt", and ".x.swp" of ".x".
func beside(name string) (stem string) {
	dir, base := filepath.Split(name)
	return filepath.Join(dir, "."+strings.TrimPrefix(base, "."))
}

// flat is what a swap file is called where 'directory' ends with //, likewise.
func flat(name string) (stem string) { return strings.ReplaceAll(name, "/", "%") }

// namedFor reports whether the name of a swap file shows whose it is.
func (s *search) namedFor(path string) bool {
	stem := path[:len(path)-len(".swp")]
	return slices.ContainsFunc(s.names(), func(name string) bool {
		return stem == beside(name) || filepath.Base(stem) == flat(name)
	})
}

// try takes stem.swp, then stem.swo and so on. The first may have gone while a
// later one lives, so it stops only when a few in a row are missing.
func (s *search) try(stem string) {
	const gap = 3
	missing := 0
	for last := byte('p'); last >= 'a' && missing < gap; last-- {
		path := stem + ".sw" + string(rune(last))
		if _, err := os.Lstat(path); err != nil {
			missing++
			continue
		}
		missing = 0
		s.add(path, 0)
	}
}

// isSwapName knows .swp, .swo ... .saa at the end of a name.
func isSwapName(name string) bool {
	n := len(name)
	return n > 4 && name[n-4:n-2] == ".s" && name[n-2] >= 'a' && name[n-2] <= 'w' && name[n-1] >= 'a' && name[n-1] <= 'z'
}

// names lists a folder; a missing one is empty.
func names(dir string) []string {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	list, _ := d.Readdirnames(-1)
	return list
}
