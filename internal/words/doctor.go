package words

import (
	"fmt"
	"strings"
)

// The checks of `sidekick doctor`.
const (
	CheckSettings = "settings"
	CheckHooks    = "hooks"
	CheckBinary   = "binary"
	CheckNeovim   = "neovim"
	CheckShell    = "shell"
	CheckRuntime  = "runtime"
	CheckSockets  = "sockets"
	CheckSwap     = "swap"
	CheckConfig   = "config"
	CheckPeers    = "peers"
	CheckProbe    = "probe"
)

// The verdict.
const (
	Protected    = "You are protected: text that you have not saved is safe from Claude Code's edits."
	NotProtected = "You are NOT protected. The failed rows say what to do; sidekick doctor --fix does what it can."
)

// SettingsRead counts the files that Claude Code reads.
func SettingsRead(n int) string {
	return "Claude Code accepts " + count(n, "settings file") + " that count here"
}

// SettingsIgnored is for a file that Claude Code ignores whole.
func SettingsIgnored(name, file, problem string) string {
	return fmt.Sprintf("Claude Code ignores all of the %s settings in %s: %s", name, file, problem)
}

// NotStrict is for a file that is not JSON.
func NotStrict(err error) string { return fmt.Sprintf("not strict JSON: %v", err) }

// What is said of the hooks.
const (
	RepairSettingsFile = "repair the file; comments and trailing commas are not JSON"
	NotRegistered      = "Claude Code does not call sidekick from any settings that count here"
	RunInstall         = "sidekick install"
	TakeItOut          = "take disableAllHooks out of it"
	AskAdministrator   = "ask who manages this machine to add sidekick's hooks there"
	UseThePlugin       = "install sidekick's Claude Code plugin, see the README"
	KeepOne            = "keep one: sidekick uninstall (with --project or --local for those), or claude plugin disable"
)

// AllHooksOff is for disableAllHooks.
func AllHooksOff(file string) string {
	return fmt.Sprintf("disableAllHooks is true in %s: Claude Code calls no hook", file)
}

// ManagedOnly is for allowManagedHooksOnly.
func ManagedOnly(file string) string {
	return fmt.Sprintf("allowManagedHooksOnly is true in %s: Claude Code calls only the hooks in there", file)
}

// PluginsOnly is for strictPluginOnlyCustomization.
func PluginsOnly(file string) string {
	return fmt.Sprintf("strictPluginOnlyCustomization in %s shuts out the hooks of settings files", file)
}

// CalledFrom names one registration.
func CalledFrom(command string, from []string) string {
	return fmt.Sprintf("%s (%s)", command, strings.Join(from, ", "))
}

// EventsMissing lists events without sidekick.
func EventsMissing(events []string) string {
	const most = 4
	if len(events) > most {
		events = append(events[:most:most], fmt.Sprintf("%d more", len(events)-most))
	}
	return "Claude Code does not call sidekick for " + strings.Join(events, ", ")
}

// CalledTwice lists registrations that run side by side.
func CalledTwice(names []string) string {
	return "Claude Code calls more than one sidekick for the same event: " + strings.Join(names, "; ")
}

// Registered is the good case.
func Registered(name string) string { return "Claude Code calls " + name + " for every event" }

// What is said of the program that the settings name.
const ReplaceOther = "sidekick install --replace puts this sidekick in its place"

// BinaryGone is for a program that is not there.
func BinaryGone(command string) string {
	return fmt.Sprintf("the settings call %q, which does not exist: every edit goes through unasked", command)
}

// BinaryForeign is for a program that only a repository's settings name.
func BinaryForeign(command string) string {
	return fmt.Sprintf("the settings of this repository call %q, which is not this sidekick; it was not run", command)
}

// BinaryFails is for a program that does not answer.
func BinaryFails(command string, err error) string {
	return fmt.Sprintf("%q does not answer a hook event: %v", command, err)
}

// BinaryTalks is for a program that answers what it should keep silent on.
func BinaryTalks(command string) string {
	return fmt.Sprintf("%q answers an event that it should be silent on", command)
}

// BinaryAnswers is the good case.
func BinaryAnswers(command string) string { return command + " answers, and is this version" }

// OtherProgram is for a shell line with the name.
func OtherProgram(command string) string {
	return fmt.Sprintf("%q is a shell line that sidekick install did not write", command)
}

// OtherVersion is for another build.
func OtherVersion(command, theirs, ours string) string {
	return fmt.Sprintf("%q is %q, this is %q", command, theirs, ours)
}

// TookTooLong is for a program that was ended.
func TookTooLong(bound string) string { return "no answer within " + bound }

// NewerNvim is the hint for an old Neovim.
const NewerNvim = "install Neovim 0.7 or newer, or name one in SIDEKICK_NVIM"

// NoVersion is for a Neovim that does not tell its version.
func NoVersion(path string, err error) string {
	return fmt.Sprintf("%s --version does not say which Neovim it is: %v", path, err)
}

// TooOld is for an old Neovim.
func TooOld(path, version string) string {
	return fmt.Sprintf("%s is %s; sidekick needs 0.7", path, version)
}

// NvimFound is the good case.
func NvimFound(path, version string) string { return fmt.Sprintf("%s is %s", path, version) }

// AddAlias is the hint where nvim is not ours in a shell.
func AddAlias(shell string) string {
	const optional = "the guard finds every Neovim without it; for a private socket of your own, add "
	switch shell {
	case "fish":
		return optional + "sidekick init fish | source to ~/.config/fish/config.fish"
	case "bash", "zsh":
		return fmt.Sprintf(optional+`eval "$(sidekick init %s)" to ~/.%src`, shell, shell)
	}
	return optional + "alias nvim='sidekick nvim'"
}

// ShellHasAlias is the good case.
func ShellHasAlias(shell string) string { return fmt.Sprintf("in %s, nvim is sidekick nvim", shell) }

// ShellHasNone is for a shell without the alias.
func ShellHasNone(shell string) string { return fmt.Sprintf("in %s, nvim is not sidekick nvim", shell) }

// ShellUnknown is for a shell that cannot be asked.
func ShellUnknown(shell string) string {
	return fmt.Sprintf("SHELL=%q is not one that sidekick can ask what nvim is", shell)
}

// ShellSilent is for a shell that gave no answer.
func ShellSilent(shell string, err error) string {
	return fmt.Sprintf("%s did not say what nvim is: %v", shell, err)
}

// What is said of sockets.
const (
	RepairRuntime = "look at that folder: it must be yours alone (ls -ld); remove it, and sidekick makes it anew"
	WakeThem      = "sidekick status names them; wake them with fg or CTRL-C"
	SwapOn        = ":set swapfile there: swap files tell what is unsaved in a Neovim that cannot be asked"
)

// RuntimeFine is the good case.
func RuntimeFine(dir string) string { return dir + " is private" }

// RuntimeSecond is for a folder that is only the second choice.
func RuntimeSecond(dir string, err error) string { return fmt.Sprintf("%s is used: %v", dir, err) }

// NeovimsAnswer counts the Neovims.
func NeovimsAnswer(n, dead int) string {
	return count(n, "Neovim") + " found, all answer" + deadOnes(dead)
}

// NeovimsSilent counts those that do not answer.
func NeovimsSilent(silent, n, dead int) string {
	return fmt.Sprintf("%d of %s cannot be asked%s", silent, count(n, "Neovim"), deadOnes(dead))
}

func deadOnes(dead int) string {
	if dead == 0 {
		return ""
	}
	return "; " + count(dead, "dead socket") + " removed"
}

// SwapFine is the good case.
func SwapFine(n int) string {
	if n == 0 {
		return "no Neovim is running that could have them off"
	}
	return "no running Neovim has them off"
}

// SwapOff counts Neovims without swap files.
func SwapOff(n int) string { return count(n, "running Neovim") + " with swap files off" }

// What is said of the configuration and of other programs.
const (
	ConfigFine    = "nothing in config.toml or SIDEKICK_* is in doubt"
	ConfigDefault = "the default holds until it is right"
	NoPeers       = "no program is known here that would undo the protection"
	PeerChoose    = "switch that off there, or take it out"
	PeerEdits     = "it reloads with :edit!, which throws unsaved text away"
	PeerReloads   = "it always reloads a file that changed, unsaved text or not"
	PeerAsks      = "its hook answers ask to every edit; a refusal by sidekick still counts"
	PeerChecks    = "it runs :checktime on a timer, which asks you (W12) about files with unsaved text"
)

// PeerFound names one of them.
func PeerFound(name, where, does string) string { return fmt.Sprintf("%s (%s): %s", name, where, does) }

// What is said of the probe.
const (
	NotDenied   = "the edit of unsaved text was not refused"
	RunDemo     = "sidekick demo plays the same, step by step; sidekick log --decision error says what went wrong"
	SlowMachine = "is the machine busy? the hook waits two seconds for an answer at most"
)

// NotLetThrough is for an edit that nothing stands in the way of.
func NotLetThrough(answer string) string {
	return "the edit of saved text was refused: " + strings.TrimSpace(answer)
}

// ProbeFine is the good case.
func ProbeFine(took string) string {
	return "an edit of unsaved text was refused, one of saved text reloaded (" + took + ")"
}

// ProbeSlow is for a probe that worked and took long.
func ProbeSlow(took string) string {
	return "an edit of unsaved text was refused, one of saved text reloaded, but it took " + took
}

// ProbeFailed is for a probe that did not work.
func ProbeFailed(err error) string { return "tried in a Neovim of its own: " + err.Error() }

// What --fix says.
const (
	ApplyQuestion  = "Apply this change? [y/N] "
	NothingToFix   = "There is nothing that sidekick doctor --fix could change."
	FixNeedsPerson = "--fix asks before it changes a file, and nobody is at the terminal"
	FixByHand      = "run it in a terminal, or do what the hints say"
)
