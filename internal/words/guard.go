package words

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Span is a range of lines, counted from 1, both ends included.
type Span struct{ First, Last int }

// Unsaved is what is known about the text that an edit would hit.
type Unsaved struct {
	File   string // as the agent named it
	Editor string // "Neovim (pid 4711)", "Vim (pid 12)"
	Lines  int    // lines that differ from the disk; 0 where nobody could count
	Spans  []Span // where, in the editor's text
	Rule   string // the user's rule, from package config
	Dirty  bool   // has unsaved changes (else it is only shown)
}

// DenyEdit is what the agent is told when its edit is refused. "Hook error" is
// how the client labels it, so the text begins with the fact and says what
// unblocks it; a model that only reads "denied" tries the shell next.
func DenyEdit(u Unsaved) string {
	if !u.Dirty {
		return fmt.Sprintf("%s is open in a window of %s, and the user's rule is that files they look at are not edited. "+
			"The edit was not made. It goes through once they have closed or hidden the file; ask them to. "+
			"Do not change this file by other means (shell commands, scripts) meanwhile.", u.File, u.Editor)
	}
	return fmt.Sprintf("%s has unsaved changes in %s%s. The edit was not made, so that what the user typed is not lost. "+
		"It goes through once they save with :w or discard with :e!%s; ask them to, then try the same edit again. "+
		"Do not change this file by other means (shell commands, scripts) meanwhile.", u.File, u.Editor, u.where(), u.leave())
}

// DenyCommand is what the agent is told when a shell command is refused. how
// says what the command would do to the file, see [CommandTouches].
func DenyCommand(u Unsaved, how string) string {
	if !u.Dirty {
		return fmt.Sprintf("%s is open in a window of %s, and the user's rule is that files they look at are not changed. "+
			"The command was not run: %s. It can run once they have closed or hidden the file; ask them to.", u.File, u.Editor, how)
	}
	return fmt.Sprintf("%s has unsaved changes in %s%s. The command was not run, so that what the user typed is not lost: %s. "+
		"It can run once they save with :w or discard with :e!%s; ask them to, then try again. "+
		"Do not change this file by other means meanwhile.", u.File, u.Editor, u.where(), how, u.leave())
}

// leave is what else unblocks under the rule "current".
func (u Unsaved) leave() string {
	if u.Rule == "current" {
		return ", or turn to another buffer"
	}
	return ""
}

func (u Unsaved) where() string {
	if u.Lines == 0 || len(u.Spans) == 0 {
		return ""
	}
	const most = 5
	var spans []string
	for i, s := range u.Spans {
		if i == most {
			spans = append(spans, "...")
			break
		}
		if s.First == s.Last {
			spans = append(spans, fmt.Sprint(s.First))
		} else {
			spans = append(spans, fmt.Sprintf("%d-%d", s.First, s.Last))
		}
	}
	if u.Lines == 1 {
		return fmt.Sprintf(": 1 line differs from the disk (line %s)", spans[0])
	}
	return fmt.Sprintf(": %d lines differ from the disk (lines %s)", u.Lines, strings.Join(spans, ", "))
}

// HeldBack is the line that every Neovim with the file shows.
func HeldBack(file string, dirty bool) string {
	if dirty {
		return fmt.Sprintf("%s: Claude's edit held back until you save (:w)", filepath.Base(file))
	}
	return fmt.Sprintf("%s: Claude's edit held back, the file is shown here", filepath.Base(file))
}

// Waiting is the line shown while an edit waits for the person to save.
func Waiting(file, wait string) string {
	return fmt.Sprintf("%s: Claude waits %s for you to save (:w)", filepath.Base(file), wait)
}

// NoAnswer tells the person that a Neovim could not be asked.
func NoAnswer(neovim string) string {
	return fmt.Sprintf("sidekick could not ask %s about unsaved changes: it is stopped or busy. The edit went on. "+
		"Look there (fg, or CTRL-C) before you rely on it.", neovim)
}

// RecoveryPending tells the person that a crashed session left a swap file.
func RecoveryPending(file, swap string) string {
	return fmt.Sprintf("%s has unsaved changes of a crashed session in %s; open the file to recover them. The edit went on.", file, swap)
}

// BadConfig tells the person that a part of their configuration does not count.
func BadConfig(problem error) string {
	return "sidekick: " + problem.Error() + " (the default holds)"
}
