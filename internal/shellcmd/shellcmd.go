// Package shellcmd answers one question about a command line that an agent is
// about to run: would it write, move, remove or replace one of these files?
// It is the only importer of mvdan.cc/sh.
//
// The command is parsed and walked, never run: variables, loops, functions,
// globs, cd, pipes and here-documents are followed as far as the text alone
// tells. A word that the text does not tell is a pattern (see pattern.go).
//
// The rule, in both directions: a command that names a listed file as
// something to write, or covers it by its nature (git checkout, a formatter
// over a folder, a file lister piped into sed -i), touches it. All else does
// not: readers, builds, tests, and programs that nobody can look into (make,
// npm run, a project's own scripts). Two things are taken on trust because the
// guard must not cry wolf: a variable without a known value, used alone,
// names no listed file; and inline code (python -c) touches a file only if it
// both names it (or walks folders) and writes.
//
// The world enters by [Env]; nothing here reads the disk except [Disk]'s Env.
package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Effect is what a command does to a file.
type Effect string

const (
	Writes   Effect = "writes"   // changes its text
	Removes  Effect = "removes"  // deletes it, or the folder that holds it
	Moves    Effect = "moves"    // gives it another name
	Replaces Effect = "replaces" // may replace any file below Touch.Dir
)

// Touch says which listed file a command would touch, and how.
type Touch struct {
	File   string // as listed
	By     string // the command's own name: "sed -i", ">", "git checkout"
	Effect Effect
	Dir    string // for a command that covers a folder: that folder; else ""
}

// Env is what a command line's meaning depends on. Only Cwd is required.
type Env struct {
	Cwd  string // absolute
	Home string // absolute, for ~ and $HOME

	// Var looks a variable of the environment up. nil: none is known.
	Var func(name string) (value string, ok bool)
	// Real maps an absolute, clean name to the name under which the file is
	// listed: links resolved, also where the last part does not exist. nil: as is.
	Real func(path string) string
	// Exists reports whether a name is there. nil: only listed files, and the
	// folders that hold them, are known to be.
	Exists func(path string) bool
	// Read returns the text of a small file that the command takes its input
	// from (a diff, a list of names, a throw-away script). nil: unknown.
	Read func(path string) (text string, ok bool)
}

// maxCommand is the longest text that is parsed, in bytes. A longer one is
// judged by its words only.
const maxCommand = 256 << 10

// Bash reports the first touch of one of files by a Bash (or zsh) command line.
// files are absolute real paths; a file may be listed under several names.
func Bash(command string, env Env, files []string) (Touch, bool) {
	return guarded(bash, command, env, files)
}

// guarded judges by words a command on which the analysis itself breaks: a
// program that dies in a hook would block the agent's command.
func guarded(f func(string, Env, []string) (Touch, bool), command string, env Env, files []string) (t Touch, touches bool) {
	defer func() {
		if recover() != nil {
			t, touches = byWordsOnly(command, env, files)
		}
	}()
	return f(command, env, files)
}

func bash(command string, env Env, files []string) (Touch, bool) {
	if len(files) == 0 || strings.TrimSpace(command) == "" {
		return Touch{}, false
	}
	in := newInterp(env, files)
	command = strings.ReplaceAll(command, "\x00", "")
	st := newState(env)
	if len(command) > maxCommand || nesting(command) > maxNesting || !in.script(st, command, stream{}) || in.lost {
		in.byWords(command)
	}
	if in.hit == nil {
		return Touch{}, false
	}
	return *in.hit, true
}

// script parses and runs text. It reports false where the text is no shell
// program; what came before the error has then been followed all the same.
func (in *interp) script(st *state, text string, input stream) bool {
	var out stream
	return in.scriptOut(st, text, input, &out)
}

func (in *interp) scriptOut(st *state, text string, input stream, out *stream) bool {
	if in.depth > maxDepth || nesting(text) > maxNesting {
		in.lost = true
		return true
	}
	in.depth++
	defer func() { in.depth-- }()
	var stmts []*syntax.Stmt
	var err error
	for _, lang := range []syntax.LangVariant{syntax.LangBash, syntax.LangZsh} {
		var file *syntax.File
		file, err = syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(text), "")
		if file != nil && len(file.Stmts) >= len(stmts) {
			stmts = file.Stmts
		}
		if err == nil {
			break
		}
	}
	*out = in.stmts(st, stmts, input)
	return err == nil
}

// maxNesting bounds the parser's recursion, whose stack overflow could not be
// caught and whose time is quadratic in nested if and while.
const maxNesting = 1000

// nesting returns how deep brackets or compound commands stand in each other
// at most, quotes not considered.
func nesting(text string) int {
	depth, most := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			depth++
			most = max(most, depth)
		case ')', '}', ']':
			depth = max(depth-1, 0)
		}
	}
	depth = 0
	begins := true // a command can begin here
	for word := range strings.FieldsSeq(text) {
		switch word {
		case "if", "while", "until", "for", "case", "select":
			if begins {
				depth++
				most = max(most, depth)
			}
		case "fi", "done", "esac", "fi;", "done;", "esac;":
			depth = max(depth-1, 0)
		case "then", "do", "else", "elif", "!", "time", "coproc", "{", "&&", "||", "|":
		default:
			begins = strings.HasSuffix(word, ";") || strings.HasSuffix(word, "&")
			continue
		}
		begins = true
	}
	return most
}
