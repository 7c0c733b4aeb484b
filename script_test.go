package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	"sidekick/internal/nvim/nvimtest"
)

// nobodyID is the user and the group of the scripts' "exec nobody".
const nobodyID = 65534

// becomeNobody runs its arguments as a user for whom modes count; tests run as
// root.
func becomeNobody() {
	path, err := exec.LookPath(os.Args[1])
	if err == nil {
		err = syscall.Setgroups(nil)
	}
	if err == nil {
		err = syscall.Setgid(nobodyID)
	}
	if err == nil {
		err = syscall.Setuid(nobodyID)
	}
	if err == nil {
		err = syscall.Exec(path, os.Args[1:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "nobody:", err)
	os.Exit(99)
}

// TestScripts runs testdata/script: what a person sees of the command line.
// $NVIM_0_7, $NVIM_0_10 and $NVIM_0_12 are the real Neovims. UPDATE=1 writes what
// cmp compares with. Beside testscript's
// own commands there are
//
//	exec nobody CMD   runs CMD as another user than root
//	freeze            notes all of $HOME: names, types, modes, owners, content
//	frozen            fails where anything in $HOME is not as it was noted
func TestScripts(t *testing.T) {
	// nobody has to reach the program.
	for dir := filepath.Dir(sidekick(t)); dir != os.TempDir() && len(dir) > 1; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Setup:               setUpScript(t),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"freeze": func(ts *testscript.TestScript, _ bool, _ []string) {
				*ts.Value(frozenKey{}).(*string) = describe(ts, ts.Getenv("HOME"))
			},
			"frozen": func(ts *testscript.TestScript, neg bool, _ []string) {
				diff := cmp.Diff(*ts.Value(frozenKey{}).(*string), describe(ts, ts.Getenv("HOME")))
				if (diff == "") == neg {
					ts.Fatalf("changed in $HOME: %s", diff)
				}
			},
		},
	})
}

// frozenKey is where a script keeps what freeze noted.
type frozenKey struct{}

func setUpScript(t *testing.T) func(env *testscript.Env) error {
	return func(env *testscript.Env) error {
		for _, dir := range []string{filepath.Dir(env.WorkDir), env.WorkDir} {
			if err := os.Chmod(dir, 0o755); err != nil {
				return err
			}
		}
		home := filepath.Join(env.WorkDir, "home")
		for _, dir := range []string{home, filepath.Join(env.WorkDir, "run")} {
			if err := os.Mkdir(dir, 0o700); err != nil {
				return err
			}
		}
		env.Values[frozenKey{}] = new(string)
		env.Setenv("HOME", home)
		env.Setenv("GORACE", nvimtest.GoRace)
		env.Setenv("XDG_RUNTIME_DIR", filepath.Join(env.WorkDir, "run"))
		env.Setenv("XDG_CACHE_HOME", filepath.Join(home, ".cache"))
		env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
		env.Setenv("XDG_STATE_HOME", filepath.Join(home, ".state"))
		env.Setenv("NVIM_0_7", nvimtest.Binary(t, "0.7"))
		env.Setenv("NVIM_0_10", nvimtest.Binary(t, "0.10"))
		env.Setenv("NVIM_0_12", nvimtest.Binary(t, "0.12"))
		return nil
	}
}

// describe lists a folder: one line for each thing in it. Large files count by
// their size.
func describe(ts *testscript.TestScript, root string) string {
	var text strings.Builder
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		owner := info.Sys().(*syscall.Stat_t)
		fmt.Fprintf(&text, "%v %d:%d %s", info.Mode(), owner.Uid, owner.Gid, path)
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			fmt.Fprintf(&text, " -> %s %v", target, err)
		case info.Mode().IsRegular() && info.Size() > 1<<20:
			fmt.Fprintf(&text, " %d bytes", info.Size())
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			fmt.Fprintf(&text, " %x %v", sha256.Sum256(data), err)
		}
		text.WriteString("\n")
		return nil
	}))
	return text.String()
}
