// Sidekick keeps an AI coding agent and Neovim from overwriting each other.
//
// Package main turns the command line and the environment into calls of the
// workflow packages, and their errors into sentences and exit codes. It holds
// no policy. A command is one file, cmd_NAME.go.
//
// How the program speaks: stdout is the answer, stderr is prose. An error is
// one line "sidekick: ..." and zero or more lines "hint: ...". Exit codes: 0 it
// worked, 1 it did not, 2 the command line is wrong, and what a command's own
// text says beside these.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"sidekick/activity"
	"sidekick/internal/screen"
	"sidekick/internal/words"
)

// grammar is the command line. Each command's Run takes the world.
type grammar struct {
	Version kong.VersionFlag `help:"Show the version and exit."`

	Nvim nvimCmd `cmd:"" passthrough:"" aliases:"neovim" help:"Become Neovim, with a socket that the hook finds. Meant for: alias nvim='sidekick nvim'."`
	Hook hookCmd `cmd:"" help:"Answer one hook event of Claude Code on stdin. Claude Code calls it by itself."`

	Install   installCmd   `cmd:"" help:"Put the hook into Claude Code's settings."`
	Uninstall uninstallCmd `cmd:"" help:"Take the hook out of Claude Code's settings."`
	Doctor    doctorCmd    `cmd:"" help:"Check that you are protected, and say why not where you are not."`
	Status    statusCmd    `cmd:"" help:"Show every Neovim of yours, its state and its unsaved files."`
	Log       logCmd       `cmd:"" help:"Show what sidekick did and why."`
	Stats     statsCmd     `cmd:"" help:"Show what was protected this week, month and year."`
	Init      initCmd      `cmd:"" help:"Print the alias and the completion for your shell."`
	Man       manCmd       `cmd:"" help:"Print the manual page."`
	Complete  completeCmd  `cmd:"" hidden:"" help:"Answer a shell that completes a command line."`
	Demo      demoCmd      `cmd:"" help:"Play the main job in front of you, with a real Neovim in a folder of its own."`
}

const description = "Keeps an AI coding agent and Neovim from overwriting each other."

func main() {
	w := newWorld()
	// Under a umask like 0277 nobody could write to the folders that they have
	// just made: with ours, the owner may always.
	w.Umask = syscall.Umask(0o077)
	syscall.Umask(w.Umask &^ 0o700)
	os.Exit(run(w))
}

func run(w *world) int {
	// These two run while somebody waits, and building the grammar takes longer
	// than all the rest of them. Nor may a flag of Neovim be taken for ours.
	if filepath.Base(w.Program) == "nvim" { // a link or a copy in Neovim's place
		return report(w, runNvim(w, w.Args))
	}
	if len(w.Args) > 0 {
		switch {
		case w.Args[0] == "nvim" || w.Args[0] == "neovim":
			return report(w, runNvim(w, w.Args[1:]))
		case w.Args[0] == "hook" && !slices.Contains(w.Args, "--help") && !slices.Contains(w.Args, "-h"):
			// Whatever else stands there: exit status 2 would have the client refuse
			// every edit, for a word in its settings that we do not know.
			return report(w, runHook(w))
		}
	}
	out := &answer{Writer: w.Stdout}
	w.Stdout = out
	code := runCommand(w, out)
	// A command that prints line by line need not look at each: nobody shall take
	// half an answer, on a full disk, for the whole of it.
	if code == 0 {
		code = report(w, out.err)
	}
	return code
}

// answer is stdout. It knows whether all of it could be written.
type answer struct {
	io.Writer
	err error // the first one
}

func (a *answer) Write(p []byte) (int, error) {
	n, err := a.Writer.Write(p)
	if a.err == nil {
		a.err = err
	}
	return n, err
}

// runCommand parses the command line and runs its command. out is w.Stdout.
func runCommand(w *world, out *answer) int {
	parser, err := kong.New(&grammar{},
		kong.Name("sidekick"),
		kong.Description(description),
		kong.Writers(w.Stdout, w.Stderr),
		kong.Exit(func(code int) { // after --help and --version
			if code == 0 {
				code = report(w, out.err)
			}
			os.Exit(code)
		}),
		kong.Vars{"version": version(), "decisions": strings.Join(activity.Choices(), ",")},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 80}),
		kong.Bind(w),
	)
	if err != nil {
		return report(w, err)
	}
	args := w.Args
	if len(args) == 0 {
		args = []string{"--help"}
	}
	ctx, err := parser.Parse(args)
	if out.err != nil { // of the help that was asked for
		return report(w, out.err)
	}
	if err != nil {
		return report(w, usageError{words.WithHint(err, words.SeeHelp)})
	}
	return report(w, ctx.Run())
}

// report tells the person what went wrong and returns the exit code.
func report(w *world, err error) int {
	if err == nil {
		return 0
	}
	var coded interface {
		error
		ExitCode() int
	}
	code := 1
	if errors.As(err, &coded) {
		code = coded.ExitCode()
	}
	if text := err.Error(); text != "" {
		fmt.Fprintf(w.Stderr, "sidekick: %s\n", printable(text))
	}
	for _, hint := range words.Hints(err) {
		fmt.Fprintf(w.Stderr, "hint: %s\n", printable(hint))
	}
	return code
}

// printable keeps names in an error from acting on the terminal.
func printable(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = screen.Printable(line)
	}
	return strings.Join(lines, "\n")
}

// usageError is a command line that the grammar does not know.
type usageError struct{ error }

func (usageError) ExitCode() int   { return 2 }
func (e usageError) Unwrap() error { return e.error }

// version says what this binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "sidekick (no build information)"
	}
	text := "sidekick " + info.Main.Version
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if commit := settings["vcs.revision"]; commit != "" {
		text += fmt.Sprintf(" (commit %.12s, %s", commit, settings["vcs.time"])
		if settings["vcs.modified"] == "true" {
			text += ", modified"
		}
		text += ")"
	}
	return text + " " + info.GoVersion
}
