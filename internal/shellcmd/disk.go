package shellcmd

import (
	"os"
	"path/filepath"
)

// maxRead is the largest input file that [Disk] reads, in bytes.
const maxRead = 256 << 10

// Disk returns an Env that looks names up on this machine's disk. Every name
// of a listed file (link, hard link, other case, bind mount) leads to it.
// lookup is os.LookupEnv or the like.
func Disk(cwd, home string, lookup func(string) (string, bool), files []string) Env {
	listed := make([]os.FileInfo, len(files))
	for i, f := range files {
		listed[i], _ = os.Stat(f)
	}
	return Env{
		Cwd: cwd, Home: home, Var: lookup,
		Real: func(path string) string {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				for i, l := range listed {
					if l != nil && os.SameFile(info, l) {
						return files[i]
					}
				}
			}
			return realPath(path)
		},
		Exists: func(path string) bool { _, err := os.Lstat(path); return err == nil },
		Read: func(path string) (string, bool) {
			info, err := os.Stat(path)
			if err != nil || !info.Mode().IsRegular() || info.Size() > maxRead {
				return "", false
			}
			text, err := os.ReadFile(path)
			return string(text), err == nil
		},
	}
}

// realPath resolves the links of the part of path that exists.
func realPath(path string) string {
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if parent := filepath.Dir(dir); parent == dir {
			return path
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}
