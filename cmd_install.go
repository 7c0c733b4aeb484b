package main

import (
	"bufio"
	"fmt"
	"strings"

	"golang.org/x/term"
	"sidekick/install"
	"sidekick/internal/config"
	"sidekick/internal/words"
)

// settingsFlags say which settings file is meant.
type settingsFlags struct {
	Project bool `xor:"scope" help:"The settings of this folder, .claude/settings.json, which go with its repository."`
	Local   bool `xor:"scope" help:"The settings of this repository on this machine only, .claude/settings.local.json."`
	DryRun  bool `help:"Show the change as a diff and write nothing."`
}

type installCmd struct {
	settingsFlags
	Replace bool `help:"Take out the hooks of the other sidekick (the one written in Rust) without asking."`
}

// Help is shown below the flags.
func (installCmd) Help() string {
	return "Without a flag it is your own settings.json, for every project (CLAUDE_CONFIG_DIR is obeyed). Every other byte of the file stays.\n\nExample: sidekick install --dry-run"
}

// Run puts the hooks into the settings.
func (c installCmd) Run(w *world) error {
	request, err := c.request(w)
	if err != nil {
		return err
	}
	request.Replace = c.Replace
	config, problems := config.Load(w.configFile(), w.Getenv)
	for _, problem := range problems {
		fmt.Fprintln(w.Stderr, words.BadConfig(problem))
	}
	request.Table = install.ForWait(config.Wait)
	if term.IsTerminal(int(w.Stdin.Fd())) {
		request.Confirm = w.confirm
	}
	report, err := install.Install(request)
	if err != nil {
		return err
	}
	if len(report.Replaced) > 0 && !c.DryRun {
		fmt.Fprintln(w.Stderr, words.ReplacedSidekick(report.Replaced))
	}
	c.show(w, report, words.Installed)
	return nil
}

type uninstallCmd struct {
	settingsFlags
}

// Help is shown below the flags.
func (uninstallCmd) Help() string {
	return "The file is then what it was before, to the byte.\n\nExample: sidekick uninstall --dry-run"
}

// Run takes the hooks out of the settings.
func (c uninstallCmd) Run(w *world) error {
	request, err := c.request(w)
	if err != nil {
		return err
	}
	report, err := install.Uninstall(request)
	if err != nil {
		return err
	}
	c.show(w, report, words.Uninstalled)
	return nil
}

func (f settingsFlags) request(w *world) (install.Request, error) {
	cwd, err := w.Getwd()
	if err != nil {
		return install.Request{}, err
	}
	scope := install.User
	switch {
	case f.Project:
		scope = install.Project
	case f.Local:
		scope = install.Local
	}
	places := install.Places{Home: w.Getenv("HOME"), ConfigDir: w.Getenv("CLAUDE_CONFIG_DIR"), Cwd: cwd}
	file, err := places.SettingsFile(scope)
	if err != nil {
		return install.Request{}, err
	}
	executable, err := w.Executable()
	if err != nil {
		return install.Request{}, err
	}
	binary, err := install.Binary(w.Program, w.Getenv("PATH"), cwd, executable)
	if err != nil {
		return install.Request{}, err
	}
	return install.Request{File: file, Shared: f.Project, Binary: binary, DryRun: f.DryRun}, nil
}

// show prints the diff of a dry run as the answer; all else is prose.
func (f settingsFlags) show(w *world, report install.Report, sentence func(file, outcome string, dry bool) string) {
	if f.DryRun {
		fmt.Fprint(w.Stdout, report.Diff)
	}
	fmt.Fprintln(w.Stderr, printable(sentence(report.File, string(report.Outcome), f.DryRun)))
	for _, note := range report.Notes {
		fmt.Fprintf(w.Stderr, "note: %s\n", note)
	}
}

// confirm asks the person at the terminal; only a clear yes is one.
func (w *world) confirm(question string) (bool, error) {
	fmt.Fprint(w.Stderr, question)
	line, err := bufio.NewReader(w.Stdin).ReadString('\n')
	if err != nil {
		fmt.Fprintln(w.Stderr)
		return false, nil //nolint:nilerr // a closed terminal is a no
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}
