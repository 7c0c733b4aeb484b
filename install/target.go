package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"sidekick/internal/words"
)

// Scope is whose settings are meant.
type Scope int

const (
	User    Scope = iota // the person's own, for every project
	Project              // the folder's, shared through its repository
	Local                // the repository's on this machine only
)

// Places is what the machine says about where settings are.
type Places struct {
	Home      string // $HOME
	ConfigDir string // $CLAUDE_CONFIG_DIR, "" where it is not set
	Cwd       string // the working directory
}

// SettingsFile returns the absolute path of the settings file of a scope.
func (p Places) SettingsFile(scope Scope) (string, error) {
	switch scope {
	case Project:
		// The client reads it in the folder where it starts and in no other.
		return filepath.Join(p.Cwd, ".claude", "settings.json"), nil
	case Local:
		// The client reads it at the root of the repository, since 2.1.211.
		return filepath.Join(repository(p.Cwd), ".claude", "settings.local.json"), nil
	}
	if p.ConfigDir != "" {
		if filepath.IsAbs(p.ConfigDir) {
			return filepath.Join(p.ConfigDir, "settings.json"), nil
		}
		return filepath.Join(p.Cwd, p.ConfigDir, "settings.json"), nil
	}
	if !filepath.IsAbs(p.Home) {
		return "", words.WithHint(fmt.Errorf("no home folder: HOME is %q", p.Home), words.SetHome)
	}
	return filepath.Join(p.Home, ".claude", "settings.json"), nil
}

// repository is the nearest folder above dir that holds a git repository, or
// dir where none does.
func repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// Binary returns the absolute path under which the running program is to be
// called later: the one that was typed, where that is the same file as
// executable. A link in /usr/local/bin or a profile stays good when a package
// manager moves what it leads to into another version's folder.
//
// typed is os.Args[0], searchPath $PATH, executable what os.Executable says.
func Binary(typed, searchPath, cwd, executable string) (string, error) {
	path := executable
	if candidate := lookUp(typed, searchPath, cwd); sameFile(candidate, executable) {
		path = candidate
	}
	switch {
	case !filepath.IsAbs(path):
		return "", fmt.Errorf("path of this program: %q is not absolute", path)
	case !utf8.ValidString(path):
		return "", words.WithHint(fmt.Errorf("path of this program: %q is not UTF-8, so no JSON file can name it", path), words.MoveBinary)
	case strings.Contains(path, "${"):
		return "", words.WithHint(fmt.Errorf("path of this program: Claude Code would replace the ${ in %q", path), words.MoveBinary)
	case strings.Contains(path, string(filepath.Separator)+"go-build"):
		return "", words.WithHint(fmt.Errorf("path of this program: %q is gone when `go run` ends", path), words.BuildFirst)
	}
	return path, nil
}

// lookUp finds what a shell would have run for typed.
func lookUp(typed, searchPath, cwd string) string {
	absolute := func(path string) string {
		if filepath.IsAbs(path) {
			return filepath.Clean(path)
		}
		return filepath.Join(cwd, path)
	}
	if strings.ContainsRune(typed, filepath.Separator) {
		return absolute(typed)
	}
	for _, dir := range filepath.SplitList(searchPath) {
		path := absolute(filepath.Join(dir, typed))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path
		}
	}
	return ""
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
