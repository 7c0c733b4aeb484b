// Package install puts sidekick's hooks into a settings.json of Claude Code and
// takes them out again.
//
// The file is a person's: every byte that is not ours stays, and after an
// uninstall the file is what it was before, to the byte, unless somebody else
// has written to it in between. Nothing is written that the client would not
// accept, and nothing at all where the file is not what install understands.
package install

import (
	"errors"
	"fmt"
	"io/fs"

	"sidekick/internal/claude"
	"sidekick/internal/linediff"
	"sidekick/internal/safefile"
	"sidekick/internal/words"
)

// Request is what to do. All of it is required but what says otherwise.
type Request struct {
	File   string // the settings file, see Places.SettingsFile
	Shared bool   // it goes with a repository
	Binary string // the absolute path that Claude Code is to call, see Binary
	DryRun bool
	// Replace consents to taking out the entries of the sidekick written in Rust.
	Replace bool
	// Confirm asks the person for that consent; nil where nobody can be asked.
	Confirm func(question string) (bool, error)
	// Table is what to register; nil means Registrations.
	Table []Registration
}

// Outcome is what became of the file.
type Outcome string

// Outcomes.
const (
	Unchanged Outcome = "unchanged"
	Created   Outcome = "created"
	Changed   Outcome = "changed"
	Removed   Outcome = "removed"
)

// Report is what was done, or with DryRun would be.
type Report struct {
	File     string // as asked for
	Outcome  Outcome
	Diff     string   // unified, "" where nothing changes
	Replaced []string // commands of the other sidekick that have gone
	Notes    []string // what the person should know beside that
}

// Install puts the hooks in. A second time it changes nothing; an older path or
// table of ours is brought up to date. Errors carry hints: [FileError] for a
// file that is left alone, and what the file system says.
func Install(r Request) (Report, error) {
	file, before, err := open(r.File)
	if err != nil {
		return Report{}, err
	}
	if err := checkRules(r.File, before.text); err != nil {
		return Report{}, err
	}
	var others []string
	for _, f := range scan(before.text, isShellForm) {
		// Quoted: a repository's file may hold escape sequences for the terminal.
		others = append(others, fmt.Sprintf("%s: %q", f.Event, f.Command))
	}
	if len(others) > 0 && !r.Replace {
		if err := r.consent(others); err != nil {
			return Report{}, err
		}
	}
	table := r.Table
	if table == nil {
		table = Registrations
	}
	after, err := withHooks(before, r.Binary, table)
	if err != nil {
		return Report{}, fmt.Errorf("plan the change of %q: %w", r.File, err)
	}
	report, err := apply(r, file, before, after)
	if err != nil {
		return Report{}, err
	}
	report.Replaced = others
	if body, _ := cutMark(after.text); claude.HooksDisabled(body) {
		report.Notes = append(report.Notes, words.HooksAreOff)
	}
	if r.Shared {
		report.Notes = append(report.Notes, words.SharedFile)
	}
	if report.Outcome != Unchanged && !r.DryRun {
		report.Notes = append(report.Notes, words.TakenUp)
	}
	return report, nil
}

// Uninstall takes out what Install put in, whatever the path and the table, and
// removes a file that Install made and that holds nothing else.
func Uninstall(r Request) (Report, error) {
	file, before, err := open(r.File)
	if err != nil {
		return Report{}, err
	}
	return apply(r, file, before, withoutHooks(before, r.Binary))
}

// consent asks the person whether the others may go. Two sidekicks would both
// answer, so without it nothing is installed.
func (r Request) consent(others []string) error {
	problem := words.OtherSidekick(r.File, others)
	refused := words.WithHint(errors.New(problem), words.ReplaceThem)
	if r.Confirm == nil || r.DryRun {
		return refused
	}
	yes, err := r.Confirm(problem + "\n" + words.ReplaceQuestion)
	switch {
	case err != nil:
		return fmt.Errorf("ask for consent: %w", err)
	case !yes:
		return refused
	}
	return nil
}

func open(name string) (safefile.File, content, error) {
	file, err := safefile.Read(name)
	switch {
	case errors.Is(err, safefile.ErrNotRegular):
		return file, content{}, words.WithHint(err, words.NotAFile)
	case errors.Is(err, safefile.ErrTooLarge):
		return file, content{}, words.WithHint(err, words.FileTooLarge)
	case err != nil: // not ours to read, links in a circle, below a file
		return file, content{}, words.WithHint(err, words.CannotRead)
	}
	return file, content{file.Data, file.Exists}, checkSyntax(name, file.Data)
}

func apply(r Request, file safefile.File, before, after content) (Report, error) {
	report := Report{File: r.File, Outcome: Changed}
	switch {
	case before.equal(after):
		report.Outcome = Unchanged
		return report, nil
	case !before.exists:
		report.Outcome = Created
	case !after.exists:
		report.Outcome = Removed
	}
	report.Diff = linediff.Unified(label(r.File, before), label(r.File, after), string(before.text), string(after.text))
	if r.DryRun {
		return report, nil
	}
	var err error
	if after.exists {
		err = file.Replace(after.text, 0o644)
	} else {
		err = file.Remove()
	}
	switch {
	case errors.Is(err, safefile.ErrChanged):
		return Report{}, words.WithHint(err, words.FileChanged)
	case errors.Is(err, fs.ErrPermission):
		return Report{}, words.WithHint(err, words.SettingsOwner)
	}
	return report, err
}

func label(name string, c content) string {
	if !c.exists {
		return "/dev/null"
	}
	return name
}
