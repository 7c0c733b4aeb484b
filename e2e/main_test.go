// Package e2e plays the main job with everything real: Neovim started by
// `sidekick nvim`, the Claude Code client set up by `sidekick install` alone, a
// person's keys in a terminal. Only the model is played by the test.
package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sidekick/internal/nvim/nvimtest"
)

// sidekick is the binary under test. The process that builds it hands its path
// on to the one that runs the tests.
var sidekick = os.Getenv(sidekickVar)

const sidekickVar = "SIDEKICK_E2E_BINARY"

func TestMain(m *testing.M) {
	nvimtest.ServeLSP() // as a language server of a test's Neovim
	if sidekick != "" {
		os.Exit(m.Run())
	}
	code, err := buildAndRun()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// buildAndRun builds sidekick and runs these tests again, cut off from the network
// and from other Neovims where the system allows it.
func buildAndRun() (code int, err error) {
	dir, err := os.MkdirTemp("", "sidekick-e2e")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "sidekick")
	if out, err := exec.Command("go", "build", "-o", binary, "sidekick").CombinedOutput(); err != nil {
		return 1, fmt.Errorf("build sidekick: %w\n%s", err, out)
	}
	cmd := exec.Command("../scripts/lib/alone", os.Args...)
	cmd.Env = append(os.Environ(), sidekickVar+"="+binary)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code > 0 {
		return code, nil // the tests have said why
	}
	return 0, err
}
