package shellcmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/internal/shellcmd"
)

// project lays out the folder that the commands of the table run in, and
// returns its real path.
func project(tb testing.TB, extra []string) string {
	tb.Helper()
	root, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	proj := filepath.Join(root, "proj")
	files := map[string]string{
		"a.txt": "one\ntwo\nthree\n", "b.txt": "one\nb\n", "src/main.go": "package main\n", "src/util.go": "package main\n",
		"docs/README.md": "one\n", "docs/a.txt": "one\n", "templates/a.txt": "template\n", "templates/src/main.go": "template\n",
		"package.json": "{\"name\": \"p\"}\n", "list.txt": "a.txt\n", "home/x": "", "other-repo/src/main.go": "x\n", "go.mod": "module p\n\ngo 1.20\n",
		"a.patch": "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n-one dirty\n+1\n two\n three\n",
		"b.patch": "--- a/b.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n b\n",
	}
	for _, f := range extra {
		if _, ok := files[f]; !ok {
			files[f] = "one\ntwo\n"
		}
	}
	write := func(name, text string) {
		path := filepath.Join(proj, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	for name, text := range files {
		write(name, text)
	}
	// Two commits and a branch that differ in the listed files, and a change
	// that is not committed: so every git command that can act does.
	script := `set -e
git init -q --template= -b main . && git -C other-repo init -q --template=
git config user.email t@example.com; git config user.name t
git add a.txt src b.txt docs && git commit -qm one
git checkout -q -b other && echo other > a.txt && echo 'package other' > src/main.go && git commit -qam other
git checkout -q main && echo main > a.txt && echo 'package m' > src/main.go && git commit -qam two
printf 'one dirty\ntwo\nthree\n' > a.txt; printf 'package   main\n' > src/main.go
printf 'saved\n' > templates/x; (cd templates && tar cf ../x.tar a.txt src)
ln -s a.txt link.txt; ln a.txt hard.txt; ln -s src srclink`
	if out, err := bash(proj, script).CombinedOutput(); err != nil {
		tb.Fatalf("lay out the project: %v\n%s", err, out)
	}
	return proj
}

// bash returns a command that runs script in the project and can reach nothing
// of the person's.
func bash(proj, script string) *exec.Cmd {
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = proj
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + proj + "/home", "TMPDIR=" + filepath.Dir(proj), "LC_ALL=C.UTF-8", "PYENV_VERSION=" + os.Getenv("PYENV_VERSION"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOCACHE=" + filepath.Dir(proj) + "/gocache",
		"npm_config_offline=true",
	}
	return cmd
}

// env is the world of a command in the project.
func env(proj string, files []string) shellcmd.Env {
	lookup := func(name string) (string, bool) {
		if name == "TMPDIR" {
			return filepath.Dir(proj), true
		}
		return "", false
	}
	return shellcmd.Disk(proj, proj+"/home", lookup, files)
}

func listed(proj string, names []string) []string {
	var files []string
	for _, n := range names {
		files = append(files, filepath.Join(proj, n))
	}
	return files
}

func TestCommands(t *testing.T) {
	lines := table(t)
	if len(lines) < 150 {
		t.Fatalf("the table has %d commands", len(lines))
	}
	projects := map[string]string{}
	for _, l := range lines {
		key := strings.Join(l.files, "\n")
		if projects[key] == "" {
			projects[key] = project(t, l.files)
		}
		proj := projects[key]
		t.Run(l.name(), func(t *testing.T) {
			files := listed(proj, l.files)
			command := strings.ReplaceAll(l.command, "/proj", proj)
			got, touches := shellcmd.Bash(command, env(proj, files), files)
			if touches != l.touches {
				t.Errorf("commands.txt:%d: touches = %v (%+v), want %v:\n%s", l.number, touches, got, l.touches, command)
			}
		})
	}
}
