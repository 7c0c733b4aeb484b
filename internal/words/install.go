package words

import (
	"fmt"
	"strings"
)

// Why a settings file is left alone, and what to do.
const (
	NotUTF8         = "this is not UTF-8 text; nothing was changed"
	SaveAsUTF8      = "save the file as UTF-8 (in Neovim: :set fileencoding=utf-8 | w)"
	ConflictMarker  = "this is a conflict marker of git; nothing was changed"
	ResolveConflict = "resolve the merge first; Claude Code ignores the whole file until then"
	NotStrictJSON   = "comments and trailing commas are not JSON; nothing was changed"
	RemoveComments  = "take them out; Claude Code ignores the whole file while they are there"
	RepairJSON      = "repair the file; Claude Code ignores all of it as it is"
	RepairSettings  = "repair the file: Claude Code ignores all of it as it is; nothing was changed"

	NotAFile      = "sidekick writes to regular files and to links that lead to one"
	FileChanged   = "run the same command again; nothing was written"
	FileTooLarge  = "that is no settings file; is the path right?"
	CannotRead    = "look at the path with ls -l: Claude Code, run by you, cannot read it either"
	SettingsOwner = "who owns the file and its folder? sidekick writes a new file beside it and renames that"

	SetHome    = "set HOME, or CLAUDE_CONFIG_DIR to the folder of Claude Code's settings.json"
	MoveBinary = "put sidekick, or a link to it, into a folder with a plain name"
	BuildFirst = "build it first: go build -o ~/.local/bin/sidekick ."
)

// NotJSON is for a file that a JSON parser stumbles over.
func NotJSON(err error) string {
	return fmt.Sprintf("not JSON: %v; nothing was changed", err)
}

// OtherSidekick names the entries of the sidekick written in Rust.
func OtherSidekick(file string, entries []string) string {
	return fmt.Sprintf("%s calls another sidekick already (%s); two of them would both answer for every edit",
		file, strings.Join(entries, ", "))
}

// ReplaceThem is the hint when nobody can be asked, and the question when somebody can.
const (
	ReplaceThem     = "sidekick install --replace puts this one in its place; nothing was changed"
	ReplaceQuestion = "Replace it by this one? [y/N] "
)

// Installed says what install did, or would do.
func Installed(file, outcome string, dry bool) string {
	switch {
	case outcome == "unchanged":
		return file + " has the hooks of this sidekick already"
	case dry:
		return fmt.Sprintf("%s would be %s; nothing was written", file, outcome)
	}
	return fmt.Sprintf("%s %s: Claude Code now asks sidekick before and after every edit", file, outcome)
}

// Uninstalled says what uninstall did, or would do.
func Uninstalled(file, outcome string, dry bool) string {
	switch {
	case outcome == "unchanged":
		return file + " has no hooks of sidekick"
	case dry:
		return fmt.Sprintf("%s would be %s; nothing was written", file, outcome)
	case outcome == "removed":
		return file + " removed: it held nothing but sidekick's hooks"
	}
	return fmt.Sprintf("%s %s: Claude Code does not call sidekick from there any more", file, outcome)
}

// ReplacedSidekick says which entries of another sidekick have gone.
func ReplacedSidekick(entries []string) string {
	return "replaced another sidekick: " + strings.Join(entries, ", ")
}

// What the person should know beside the result.
const (
	HooksAreOff = "disableAllHooks is true in this file: Claude Code calls no hook until it is taken out"
	SharedFile  = "this file goes with the repository and names a path of this machine; sidekick install --local is for this machine only"
	TakenUp     = "running sessions of Claude Code take it up within seconds; /hooks lists it"
)
