package scene

import (
	"fmt"
	"path/filepath"
	"strings"
)

// lines is the file of the scene.
func lines() string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// inside makes the environment of the scene: nothing of the person's own homes
// and editors, so that nothing of theirs is touched.
func inside(dir string, environ []string) []string {
	replaced := map[string]string{
		// The file is not in it: a Vim elsewhere that edits ~/notes.txt says so in
		// its swap file, and "~" would be this home.
		"HOME": filepath.Join(dir, "home"), "TMPDIR": dir,
		"XDG_RUNTIME_DIR": filepath.Join(dir, "run"),
		"XDG_CONFIG_HOME": filepath.Join(dir, "config"),
		"XDG_CACHE_HOME":  filepath.Join(dir, "cache"),
		"XDG_DATA_HOME":   filepath.Join(dir, "data"),
		"XDG_STATE_HOME":  filepath.Join(dir, "state"),
	}
	var env []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		_, ours := replaced[name]
		if ours || name == "NVIM" || name == "NVIM_LISTEN_ADDRESS" || name == "NVIM_APPNAME" ||
			(strings.HasPrefix(name, "SIDEKICK_") && name != "SIDEKICK_NVIM") {
			continue
		}
		env = append(env, entry)
	}
	for name, value := range replaced {
		env = append(env, name+"="+value)
	}
	return env
}
