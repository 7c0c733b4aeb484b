// Package git is the door to git.
package git

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"
)

// bound is how long git may take.
const bound = 300 * time.Millisecond

// Ignored reports whether git ignores the file at path. It is false where the
// file is in no repository, and where there is no git. getenv is os.Getenv.
func Ignored(ctx context.Context, path string, getenv func(string) string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	// A repository's own fsmonitor command is nothing that we want to run.
	cmd := exec.CommandContext(ctx, "git", "-C", filepath.Dir(path), "-c", "core.fsmonitor=false", "check-ignore", "--quiet", "--", path)
	// Not GIT_DIR and the like: the file says which repository it is in.
	for _, name := range []string{"PATH", "HOME", "XDG_CONFIG_HOME"} {
		if value := getenv(name); value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, exec.ErrNotFound):
		return false, nil
	case errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 128): // no; no repository
		return false, nil
	}
	return false, fmt.Errorf("ask git whether it ignores %q: %w", path, err)
}
