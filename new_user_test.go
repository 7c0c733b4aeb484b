package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/internal/claudetest"
	"sidekick/internal/nvim/nvimtest"
)

// setUp returns the lines of the README's first block of commands.
func setUp(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "## Set it up\n\n```sh\n")
	block, _, closed := strings.Cut(rest, "```")
	lines := strings.Split(strings.TrimSpace(block), "\n")
	if !found || !closed || len(lines) != 3 {
		t.Fatalf("the README does not set it up in three lines: %q", block)
	}
	return lines
}

// A new user with an empty home follows the README, types in the Neovim that
// they get, and the real Claude Code client is refused the edit.
func TestNewUserFromReadmeToDenial(t *testing.T) {
	lines := setUp(t)
	home := nvimtest.NewHome(t)
	bin := filepath.Join(home.Dir, "go", "bin")
	// What the user has: Go, Neovim, their own PATH.
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(nvimtest.Binary(t, "0.12"), filepath.Join(bin, "nvim")); err != nil {
		t.Fatal(err)
	}
	goEnv := func(name string) string {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		return name + "=" + strings.TrimSpace(string(out))
	}
	env := []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "GOPATH=" + filepath.Join(home.Dir, "go"), goEnv("GOCACHE"), goEnv("GOMODCACHE"), "GOFLAGS=-buildvcs=false"}
	for _, line := range lines[:2] {
		cmd := exec.Command("bash", "-euc", line)
		cmd.Env = home.Environ(env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	rc := home.Write(t, ".bashrc", lines[2]+"\nPS1='ready> '\n")
	file := home.Write(t, "proj/notes.txt", "line 1\nline 2\n")

	term := home.Terminal(t, []string{"env", "-C", filepath.Dir(file), "bash", "--rcfile", rc}, env...)
	term.WaitFor("ready>")
	term.Type("nvim notes.txt")
	term.Keys("Enter")
	term.WaitFor("line 2")
	term.Keys("G", "A")
	term.Type(" typed by me")
	term.Keys("Escape")
	term.WaitFor("line 2 typed by me")

	client := claudetest.Print(t, home, filepath.Dir(file))
	client.Use(claudetest.Read(file))
	result := client.Use(claudetest.Edit(file, "line 1", "by the agent"))
	if !strings.Contains(fmt.Sprint(result), "has unsaved changes in Neovim") {
		t.Errorf("the edit was not refused: %+v", result)
	}
	client.Say(claudetest.Text("I will wait."))
	client.Wait()
	term.WaitFor("held back")
	if text, err := os.ReadFile(file); err != nil || string(text) != "line 1\nline 2\n" {
		t.Errorf("file: %q, %v", text, err)
	}
	code, out, _ := runIn(t, home, env, "log", "--decision", "deny", "--file", "notes.txt")
	if code != 0 || strings.Count(out, "denied") != 1 {
		t.Errorf("log: %d, %q", code, out)
	}
}
