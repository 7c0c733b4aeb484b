package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"sidekick/internal/nvim/nvimtest"
)

// TestMain makes this test binary sidekick itself, when it is called so, or is a
// link or a copy in Neovim's place.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "nvim" {
		main()
	}
	testscript.Main(m, map[string]func(){"sidekick": main})
}

// sidekick is the path of the program under test.
func sidekick(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("sidekick")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestScripts runs testdata/script: what a person sees of the command line.
// $NVIM_0_7, $NVIM_0_10 and $NVIM_0_12 are the real Neovims.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			for _, dir := range []string{home, filepath.Join(env.WorkDir, "run")} {
				if err := os.Mkdir(dir, 0o700); err != nil {
					return err
				}
			}
			env.Setenv("HOME", home)
			env.Setenv("XDG_RUNTIME_DIR", filepath.Join(env.WorkDir, "run"))
			env.Setenv("XDG_CACHE_HOME", filepath.Join(home, ".cache"))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
			env.Setenv("XDG_STATE_HOME", filepath.Join(home, ".state"))
			env.Setenv("NVIM_0_7", nvimtest.Binary(t, "0.7"))
			env.Setenv("NVIM_0_10", nvimtest.Binary(t, "0.10"))
			env.Setenv("NVIM_0_12", nvimtest.Binary(t, "0.12"))
			return nil
		},
	})
}
