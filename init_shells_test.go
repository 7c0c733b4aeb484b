package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/internal/nvim/nvimtest"
)

// Nushell takes the script as the help of `sidekick init` says, and nvim is ours
// from then on, with every argument as it was typed.
func TestNushell(t *testing.T) {
	home := nvimtest.NewHome(t)
	nu := filepath.Join(nvimtest.TestEnv(), "nu", "nu")
	if _, err := os.Stat(nu); err != nil {
		t.Fatalf("%v: run scripts/setup", err)
	}
	shown := home.Write(t, "show", "#!/bin/sh\nfor arg; do echo \"arg $arg\"; done\n")
	if err := os.Chmod(shown, 0o755); err != nil {
		t.Fatal(err)
	}
	inNu := func(line string) string {
		t.Helper()
		cmd := exec.Command(nu, "--no-config-file", "-c", line)
		cmd.Dir, cmd.Env = home.Dir, home.Environ("SIDEKICK_NVIM="+shown)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("nu: %s: %v\n%s", line, err, out)
		}
		return string(out)
	}
	inNu("sidekick init nu | save -f sidekick.nu")
	out := inNu(`source sidekick.nu; nvim -es "two words" '$HOME' *.none`)
	if out != "arg -es\narg two words\narg $HOME\narg *.none\n" {
		t.Errorf("nvim in nu: %q", out)
	}
	if out := inNu("source sidekick.nu; which nvim | get 0.type"); out != "alias\n" {
		t.Errorf("nvim is %q", out)
	}
}

// The completions of the release archives, in the folders in which a package
// puts them, complete and leave nvim as it is.
func TestPackagedCompletion(t *testing.T) {
	for _, shell := range []struct {
		name, file, rc, setup string
		argv                  []string
	}{
		{"bash", "share/sidekick", "bashrc", "source share/sidekick; PS1='ready> '", []string{"bash", "--noprofile", "--rcfile", "bashrc"}},
		{"zsh", "share/_sidekick", ".zshrc", "fpath=($PWD/share $fpath); autoload -Uz compinit; compinit -u -D; PS1='ready> '", []string{"zsh", "-d"}},
		{"fish", ".config/fish/completions/sidekick.fish", ".config/fish/config.fish", "function fish_prompt; echo 'ready> '; end\nset -g fish_greeting", []string{"fish"}},
	} {
		t.Run(shell.name, func(t *testing.T) {
			t.Parallel()
			home := nvimtest.NewHome(t)
			code, script, errs := runIn(t, home, nil, "init", "--no-alias", shell.name)
			if code != 0 || errs != "" || strings.Contains(script, "alias") {
				t.Fatalf("init --no-alias: %d, %q, %q", code, script, errs)
			}
			home.Write(t, shell.file, script)
			home.Write(t, shell.rc, shell.setup+"\n")
			term := home.Terminal(t, append([]string{"env", "-C", home.Dir}, shell.argv...))
			term.WaitFor("ready>")
			for typed, want := range map[string]string{ // the first one loads it
				"sidekick unin":               "sidekick uninstall",
				"sidekick log --decision rel": "sidekick log --decision reload",
			} {
				term.Type(typed)
				term.Keys("Tab")
				term.WaitFor(want)
				term.Keys("C-u")
			}
			term.Type("type nvim; echo d''one")
			term.Keys("Enter")
			term.WaitFor("done")
			if strings.Contains(term.Screen(), "sidekick nvim") {
				t.Errorf("nvim is an alias:\n%s", term.Screen())
			}
		})
	}
	if code, out, errs := runIn(t, nvimtest.NewHome(t), nil, "init", "--no-alias", "nu"); code != 2 || out != "" || !strings.Contains(errs, "nu") {
		t.Errorf("nu: %d, %q, %q", code, out, errs)
	}
}
