package hook

import (
	"os"
	"path/filepath"

	"sidekick/internal/contextnote"
)

// realName resolves the links in a buffer's name; "" where it names no file. Of
// a file that is not on disk yet it resolves the folder.
func realName(name string) string {
	if !filepath.IsAbs(name) {
		return ""
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		return filepath.Join(folder, filepath.Base(name))
	}
	return filepath.Clean(name)
}

// relative returns a file's name as the agent would write it: relative to its
// working directory where it is in it.
func (e *event) relative(name string) string {
	return contextnote.Relative(name, e.payload.Cwd, realName(e.payload.Cwd))
}

// project is the folders that the agent works on.
type project []string

// project returns the session's folder, the agent's working directory and the
// roots of the repositories that they are in.
func (e *event) project() project {
	var folders project
	for _, folder := range []string{e.Getenv("CLAUDE_PROJECT_DIR"), e.payload.Cwd} {
		if !filepath.IsAbs(folder) {
			continue
		}
		folders = append(folders, folder, realName(folder))
		if root := repository(realName(folder), realName(e.Home)); root != "" {
			folders = append(folders, root)
		}
	}
	return folders
}

// has reports whether a file is in the project, by any of its names.
func (p project) has(names ...string) bool {
	for _, name := range names {
		for _, folder := range p {
			if _, ok := contextnote.Inside(name, folder); ok {
				return true
			}
		}
	}
	return false
}

// repository returns the root of the repository that folder is in. One that is
// the whole home (dotfiles) is nobody's project.
func repository(folder, home string) string {
	for {
		if folder == home || folder == filepath.Dir(folder) {
			return ""
		}
		if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
			return folder
		}
		folder = filepath.Dir(folder)
	}
}
