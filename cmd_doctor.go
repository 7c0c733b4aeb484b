package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"golang.org/x/term"
	"sidekick/doctor"
	"sidekick/install"
	"sidekick/internal/claude"
	"sidekick/internal/safefile"
	"sidekick/internal/words"
	"sidekick/launcher"
)

type doctorCmd struct {
	Fix  bool `help:"Show each change that would help as a diff, and make it when you say yes."`
	JSON bool `name:"json" help:"Print one object with \"protected\" and \"rows\"."`
}

// Help is shown below the flags.
func (doctorCmd) Help() string {
	return "Checks by doing: calls the hook that the settings name, tries an edit of unsaved text in a Neovim of its own, asks your shell what nvim is. Exit status 0 only if you are protected.\n\nExample: sidekick doctor --fix"
}

// Run checks, and mends where that is wanted.
func (c doctorCmd) Run(w *world) error {
	if c.Fix && !term.IsTerminal(int(w.Stdin.Fd())) {
		return usageError{words.WithHint(errors.New(words.FixNeedsPerson), words.FixByHand)}
	}
	patient := w.patient()
	rows := doctor.Run(context.Background(), patient)
	if c.Fix {
		mended, err := w.mend(rows)
		if err != nil {
			return err
		}
		if mended {
			rows = doctor.Run(context.Background(), patient)
		}
	}
	if err := c.show(w, rows); err != nil {
		return err
	}
	if !doctor.Protected(rows) {
		return silent{}
	}
	return nil
}

func (c doctorCmd) show(w *world, rows []doctor.Row) error {
	if !c.JSON {
		return doctor.Show(w.Stdout, rows, w.style())
	}
	encoder := json.NewEncoder(w.Stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		Protected bool         `json:"protected"`
		Rows      []doctor.Row `json:"rows"`
	}{doctor.Protected(rows), rows})
}

// silent is an exit status of 1 about which all has been said.
type silent struct{}

func (silent) Error() string { return "" }

// mend shows each change once and asks.
func (w *world) mend(rows []doctor.Row) (mended bool, err error) {
	seen := map[string]bool{}
	for _, r := range rows {
		if r.Fix == nil || seen[r.Fix.Diff] {
			continue
		}
		seen[r.Fix.Diff] = true
		fmt.Fprintf(w.Stderr, "%s: %s\n%s", r.Check, r.Fact, r.Fix.Diff)
		yes, err := w.confirm(words.ApplyQuestion)
		if err != nil {
			return mended, err
		}
		if !yes {
			continue
		}
		if err := r.Fix.Apply(); err != nil {
			return mended, err
		}
		mended = true
	}
	if len(seen) == 0 {
		fmt.Fprintln(w.Stderr, words.NothingToFix)
	}
	return mended, nil
}

// patient is the machine as the doctor sees it. What cannot be found out is
// left empty: that is what the checks are for.
func (w *world) patient() doctor.World {
	cwd, _ := w.Getwd()
	executable, _ := w.Executable()
	binary, err := install.Binary(w.Program, w.Getenv("PATH"), cwd, executable)
	if err != nil {
		binary = executable
	}
	places := install.Places{Home: w.Getenv("HOME"), ConfigDir: w.Getenv("CLAUDE_CONFIG_DIR"), Cwd: cwd}
	configDir := ""
	if file, err := places.SettingsFile(install.User); err == nil {
		configDir = filepath.Dir(file)
	}
	local, _ := places.SettingsFile(install.Local)
	var table []claude.Entry
	for _, r := range install.Registrations {
		table = append(table, claude.Entry{Event: r.Event, Matcher: r.Matcher})
	}
	return doctor.World{
		Binary:     binary,
		Executable: executable,
		Version:    version(),
		Environ:    w.Environ(),
		Getenv:     w.Getenv,
		Home:       w.Getenv("HOME"),
		Cwd:        cwd,
		Repository: filepath.Dir(filepath.Dir(local)),
		ConfigDir:  configDir,
		Managed:    managedSettings(),
		ConfigFile: w.configFile(),
		DataHome:   w.DataHome,
		TempDir:    w.TempDir,
		Sockets:    w.neovims(),
		Table:      table,
		Nvim: func() (string, error) {
			return launcher.Find(launcher.Request{
				Path: w.Getenv("PATH"), Nvim: w.Getenv("SIDEKICK_NVIM"), Executable: executable, Warn: func(string) {},
			})
		},
		Install:   plan(binary, install.Install),
		Uninstall: plan(binary, install.Uninstall),
	}
}

// plan makes a change out of install's two directions.
func plan(binary string, do func(install.Request) (install.Report, error)) func(string) (doctor.Change, error) {
	return func(file string) (doctor.Change, error) {
		request := install.Request{File: file, Binary: binary, DryRun: true}
		report, err := do(request)
		return doctor.Change{File: file, Diff: report.Diff, Apply: func() error {
			request.DryRun = true
			now, err := do(request)
			if err != nil {
				return err
			}
			if now.Diff != report.Diff { // the person has said yes to that one
				return words.WithHint(fmt.Errorf("write %q: %w", file, safefile.ErrChanged), words.FileChanged)
			}
			request.DryRun = false
			_, err = do(request)
			return err
		}}, err
	}
}

// managedSettings is the folder of the settings that an administrator gives.
func managedSettings() string {
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support/ClaudeCode"
	}
	return "/etc/claude-code"
}
