package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test binary sidekick itself, when it is called so, or is a
// link or a copy in Neovim's place.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "nvim" {
		main()
	}
	testscript.Main(m, map[string]func(){"sidekick": main, "nobody": becomeNobody})
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
