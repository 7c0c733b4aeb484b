package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim/nvimtest"
)

// A person types in their real shell and presses TAB.
func TestCompletionInRealShells(t *testing.T) {
	for _, shell := range []struct {
		name, rc, setup string
		argv            []string
	}{ // each line has another end, so the screen need not be cleared between them
		{"bash", "bashrc", `eval "$(sidekick init bash)"; PS1='ready> '`, []string{"bash", "--noprofile", "--rcfile", "bashrc"}},
		{"zsh", ".zshrc", `autoload -Uz compinit; compinit -u -D; eval "$(sidekick init zsh)"; PS1='ready> '`, []string{"zsh", "-d"}},
		{"fish", ".config/fish/config.fish", "sidekick init fish | source\nfunction fish_prompt; echo 'ready> '; end\nset -g fish_greeting", []string{"fish"}},
	} {
		t.Run(shell.name, func(t *testing.T) {
			t.Parallel()
			home := nvimtest.NewHome(t)
			home.Write(t, shell.rc, shell.setup+"\n")
			home.Write(t, "zebra file.txt", "")
			term := home.Terminal(t, append([]string{"env", "-C", home.Dir}, shell.argv...))
			term.WaitFor("ready>")
			for _, c := range []struct{ typed, want string }{
				{"sidekick unin", "sidekick uninstall"},
				{"sidekick log --dec", "sidekick log --decision"},
				{"sidekick log --decision rel", "sidekick log --decision reload"},
				{"sidekick log --decision=rel", "sidekick log --decision=reload"},
				{"sidekick log --file zeb", `sidekick log --file zebra\ file.txt`},
				{"sidekick init fi", "sidekick init fish"},
				{"sidekick nvim zeb", `sidekick nvim zebra\ file.txt`},
			} {
				term.Type(c.typed)
				term.Keys("Tab")
				want := c.want
				if shell.name == "fish" { // it quotes instead, as of some version
					want = strings.ReplaceAll(want, `\ `, " ")
					nvimtest.Eventually(t, "completion", func() error {
						if !strings.Contains(strings.NewReplacer(`\ `, " ", "'", "").Replace(term.Screen()), want) {
							return &os.PathError{Op: "complete", Path: c.typed, Err: os.ErrNotExist}
						}
						return nil
					})
				} else {
					term.WaitFor(want)
				}
				term.Keys("C-u")
			}
			term.Type(map[bool]string{true: "functions nvim", false: "alias nvim"}[shell.name == "fish"])
			term.Keys("Enter")
			term.WaitFor("sidekick nvim")
		})
	}
}

// Every command, flag and value can be completed.
func TestCompleteKnowsTheGrammar(t *testing.T) {
	parser, err := kong.New(&grammar{}, kong.Vars{"version": "v", "decisions": "deny,pass"})
	if err != nil {
		t.Fatal(err)
	}
	has := func(words []string, want string) {
		t.Helper()
		for _, line := range complete(parser.Model.Node, words) {
			if value, _, _ := strings.Cut(line, "\t"); value == want {
				return
			}
		}
		t.Errorf("%q cannot be completed to %q", words, want)
	}
	for _, c := range parser.Model.Children {
		if c.Hidden {
			continue
		}
		has([]string{c.Name[:1]}, c.Name)
		if c.Passthrough {
			has([]string{c.Name, "x", ""}, files)
			continue
		}
		for _, flag := range c.Flags {
			has([]string{c.Name, "--" + flag.Name[:1]}, "--"+flag.Name)
			for _, value := range flag.EnumSlice() {
				if value != "" {
					has([]string{c.Name, "--" + flag.Name, value[:1]}, value)
					has([]string{c.Name, "--" + flag.Name, "=", value[:1]}, value) // bash
					has([]string{c.Name, "--" + flag.Name + "=" + value[:1]}, "--"+flag.Name+"="+value)
				}
			}
		}
		for _, operand := range c.Positional {
			for _, value := range operand.EnumSlice() {
				has([]string{c.Name, value[:1]}, value)
			}
		}
	}
	if got := complete(parser.Model.Node, []string{"init", "bash", ""}); len(got) != 0 {
		t.Errorf("one shell too many: %v", got)
	}
}

// Help fits 80 columns and has one example for each command. UPDATE=1 writes
// the golden files.
func TestHelp(t *testing.T) {
	parser, err := kong.New(&grammar{}, kong.Vars{"version": "v", "decisions": "deny,pass"})
	if err != nil {
		t.Fatal(err)
	}
	commands := []string{""}
	for _, c := range parser.Model.Children {
		if !c.Hidden && !c.Passthrough { // nvim --help is Neovim's
			commands = append(commands, c.Name)
		}
		if c.Detail != "" && strings.Count(c.Detail, "Example: ") != 1 {
			t.Errorf("%s has not one example: %q", c.Name, c.Detail)
		}
		if c.Detail == "" && !c.Hidden {
			t.Errorf("%s has no example", c.Name)
		}
	}
	home := nvimtest.NewHome(t)
	for _, command := range commands {
		args := strings.Fields(command + " --help")
		code, out, errs := runIn(t, home, []string{"LC_ALL=tr_TR.UTF-8", "COLUMNS=200"}, args...)
		if code != 0 || errs != "" {
			t.Errorf("%v: %d, %q", args, code, errs)
		}
		for _, line := range strings.Split(out, "\n") {
			if len(line) > 80 {
				t.Errorf("%v: %d columns: %s", args, len(line), line)
			}
		}
		golden := filepath.Join("testdata", "help", strings.Join(append([]string{"sidekick"}, strings.Fields(command)...), "_")+".txt")
		if os.Getenv("UPDATE") != "" {
			if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, []byte(out), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, _ := os.ReadFile(golden)
		if diff := cmp.Diff(string(want), out); diff != "" {
			t.Errorf("%s: %s", golden, diff)
		}
	}
}

func TestVersionAndMan(t *testing.T) {
	home := nvimtest.NewHome(t)
	if code, out, _ := runIn(t, home, nil, "--version"); code != 0 || !strings.HasPrefix(out, "sidekick ") || !strings.Contains(out, " go1.") {
		t.Errorf("--version: %d, %q", code, out)
	}
	_, page, _ := runIn(t, home, nil, "man")
	for _, want := range []string{".TH SIDEKICK 1\n", ".SS sidekick log [flags]\n", `\-\-decision=WHAT`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the manual page", want)
		}
	}
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, ".") && !strings.Contains(" TH SH SS TP PP B I br ", " "+strings.Fields(line[1:])[0]+" ") {
			t.Errorf("line %d would be taken for a macro: %s", i+1, line)
		}
	}
	for _, shell := range []string{"bash", "zsh"} {
		_, script, _ := runIn(t, home, nil, "init", shell)
		if out, err := exec.Command(shell, "-n", home.Write(t, "init."+shell, script)).CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v: %s", shell, err, out)
		}
	}
	if code, _, errs := runIn(t, home, nil, "init", "tcsh"); code != 2 || !strings.Contains(errs, "bash") {
		t.Errorf("init tcsh: %d, %q", code, errs)
	}
}
