package shellcmd_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sidekick/internal/shellcmd"
)

// TestAgainstDisk runs the table's marked commands in a real bash and looks at
// the disk: what the table says is what happens, and so every file that a
// command really changed is one that Bash reports (TestCommands).
func TestAgainstDisk(t *testing.T) {
	pristine := map[string]string{}
	for _, l := range table(t) {
		if !l.run {
			continue
		}
		key := strings.Join(l.files, "\n")
		if pristine[key] == "" {
			pristine[key] = project(t, l.files)
		}
		from := pristine[key]
		t.Run(l.name(), func(t *testing.T) {
			t.Parallel()
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			proj := filepath.Join(root, "proj")
			if out, err := exec.Command("cp", "-a", from, proj).CombinedOutput(); err != nil {
				t.Fatalf("copy the project: %v\n%s", err, out)
			}
			files := listed(proj, l.files)
			before := texts(files)
			command := strings.ReplaceAll(l.command, "/proj", proj)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := bash(proj, command)
			cmd = withContext(ctx, cmd)
			out, runErr := cmd.CombinedOutput()
			changed := ""
			for i, f := range files {
				if now := texts(files[i : i+1]); !bytes.Equal(now[0], before[i]) {
					changed = f
				}
			}
			if (changed != "") != l.touches {
				t.Fatalf("commands.txt:%d: changed %q (%v), but the table says touches = %v:\n%s\n%s", l.number, changed, runErr, l.touches, command, out)
			}
		})
	}
}

func withContext(ctx context.Context, c *exec.Cmd) *exec.Cmd {
	n := exec.CommandContext(ctx, c.Path, c.Args[1:]...)
	n.Dir, n.Env = c.Dir, c.Env
	return n
}

// texts returns the files' texts; nil for one that is not there.
func texts(files []string) [][]byte {
	out := make([][]byte, len(files))
	for i, f := range files {
		if b, err := os.ReadFile(f); err == nil {
			out[i] = append([]byte{1}, b...)
		}
	}
	return out
}

func BenchmarkTypical(b *testing.B) {
	proj := project(b, nil)
	files := listed(proj, usual)
	e := env(proj, files)
	for name, command := range map[string]string{
		"test":   "cd src && go test ./... 2>&1 | tail -20",
		"sed":    "sed -i 's/a/b/' docs/README.md && git diff --stat",
		"commit": "git add -A && git commit -m \"$(cat <<'EOF'\nSay why\n\nAnd more.\nEOF\n)\"",
		"loop":   "for f in $(find . -name '*.md'); do sed -i 's/x/y/' \"$f\"; done; grep -rn foo src | head",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				shellcmd.Bash(command, e, files)
			}
		})
	}
}
