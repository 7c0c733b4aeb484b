package shellcmd

import (
	"path"
	"slices"
	"strings"
)

func registerGit() {
	register(git, "git", "hub", "dotfiles")
	register(otherVCS, "gh", "hg", "svn", "jj", "sl")
}

// git follows one git command. Commands that are not named here leave the
// work tree alone: status, log, diff, add, commit, fetch, push, branch, tag...
func git(in *interp, st *state, c *call) stream {
	args := c.args
	st = st.fork()
	for len(args) > 0 && strings.HasPrefix(args[0][0], "-") {
		s := args[0][0]
		switch {
		case (s == "-C" || s == "--work-tree") && len(args) > 1:
			cd(in, st, &call{args: args[1:2]})
			args = args[1:]
		case strings.HasPrefix(s, "--work-tree="):
			cd(in, st, &call{args: []arg{{s[len("--work-tree="):]}}})
		case (s == "-c" || s == "--git-dir" || s == "--namespace" || s == "--exec-path") && len(args) > 1:
			args = args[1:]
		}
		args = args[1:]
	}
	sub, ok := commandName(args)
	if !ok {
		return stream{}
	}
	g := &gitCall{in: in, st: st, by: "git " + sub, args: args[1:], input: c.in}
	g.o = options(g.args, "b B c C orphan m message s strategy X strategy-option pathspec-from-file source conflict")
	if f, ok := gitCommands[sub]; ok {
		return f(g)
	}
	return stream{}
}

type gitCall struct {
	in   *interp
	st   *state
	by   string
	args []arg
	o    opts

	input stream
}

var gitCommands map[string]func(g *gitCall) stream

func registerGitSubcommands() {
	all := func(g *gitCall) stream { return g.everything() }
	unless := func(names ...string) func(g *gitCall) stream {
		return func(g *gitCall) stream {
			if g.o.has(names...) {
				return stream{}
			}
			return g.everything()
		}
	}
	gitCommands = map[string]func(g *gitCall) stream{
		"checkout": gitCheckout, "switch": gitSwitch, "restore": gitRestore, "reset": gitReset, "stash": gitStash,
		"clean": gitClean, "rm": gitRm, "mv": gitMv, "apply": gitApply, "worktree": gitWorktree,
		"merge": unless("quit"), "rebase": unless("quit", "show-current-patch", "edit-todo"), "pull": unless("dry-run"),
		"cherry-pick": unless("quit"), "revert": unless("quit"), "am": unless("quit", "show-current-patch"),
		"filter-branch": all, "filter-repo": all, "read-tree": all, "checkout-index": all, "mergetool": all,
		"sparse-checkout": all, "merge-file": gitMergeFile,
		"bisect": func(g *gitCall) stream {
			if len(g.o.rest) == 0 || contains("log view visualize terms", g.o.rest[0][0]) {
				return stream{}
			}
			return g.everything()
		},
		"submodule": func(g *gitCall) stream {
			if len(g.o.rest) > 0 && contains("update deinit foreach", g.o.rest[0][0]) {
				return g.tree(nil)
			}
			return stream{}
		},
		"lfs": func(g *gitCall) stream {
			if len(g.o.rest) > 0 && contains("pull checkout migrate", g.o.rest[0][0]) {
				return g.everything()
			}
			return stream{}
		},
		"subtree":   all,
		"rev-parse": func(g *gitCall) stream { return stream{names: known(g.roots())} },
		"ls-files": func(g *gitCall) stream {
			if len(g.o.rest) == 0 {
				return stream{names: arg{"./" + anything}}
			}
			return stream{names: each(flat(g.o.rest), func(s string) string { return below1(treeGlob(s, true)) })}
		},
		"grep": gitNames, "diff": gitNames, "diff-tree": gitNames, "diff-index": gitNames, "show": gitNames,
		"log": gitNames, "status": gitNames, "format-patch": gitNames,
	}
}

// below1 turns the folder of a pathspec into the files below it.
func below1(s string) string {
	if s == "." || strings.HasSuffix(s, "/") {
		return strings.TrimSuffix(s, "/") + "/" + anything
	}
	return s
}

// roots returns the tops of the work trees that the command may run in.
func (g *gitCall) roots() []string {
	var out []string
	for _, cwd := range g.st.cwds {
		if cwd == "" {
			out = append(out, "")
			continue
		}
		cwd = g.in.real(cwd)
		root := g.in.root(cwd, ".git")
		if root == "" {
			root = cwd
		}
		if !slices.Contains(out, root) {
			out = append(out, root)
		}
	}
	return out
}

// tree covers the files below each root for which keep holds. Git's own files
// and those of a repository inside the repository are not git's to replace.
func (g *gitCall) tree(keep func(root, file string) bool) stream {
	for _, root := range g.roots() {
		if root == "" {
			continue
		}
		for _, f := range g.in.files {
			if !below(root, f) || below(root+"/.git", f) || keep != nil && !keep(root, f) {
				continue
			}
			g.in.touch(f, g.by, Replaces, root)
		}
	}
	return stream{}
}

func (g *gitCall) everything() stream {
	return g.tree(func(root, f string) bool {
		own := g.in.root(path.Dir(f), ".git")
		return own == "" || own == root
	})
}

// paths covers the files that pathspecs name: files, folders, globs that cross
// slashes, from the top with a leading ":/".
func (g *gitCall) paths(effect Effect, specs []arg) stream {
	for _, spec := range specs {
		for _, s := range spec {
			st := g.st
			switch {
			case strings.HasPrefix(s, ":!"), strings.HasPrefix(s, ":^"), strings.HasPrefix(s, ":(exclude)"):
				continue
			case strings.HasPrefix(s, ":/"), strings.HasPrefix(s, ":(top)"):
				s = strings.TrimPrefix(strings.TrimPrefix(s, ":/"), ":(top)")
				st = st.fork()
				st.cwds = g.roots()
				if s == "" {
					s = "."
				}
			case strings.HasPrefix(s, ":(glob)"):
				s = s[len(":(glob)"):]
			}
			g.in.tree(st, g.by, effect, arg{treeGlob(strings.TrimSuffix(s, "/"), true)})
		}
	}
	return stream{}
}

// dashed splits operands at "--". found is false where there is none.
func (g *gitCall) dashed() (before, after []arg, found bool) {
	for i, a := range g.args {
		if a[0] == "--" {
			return options(g.args[:i], "b B orphan s source conflict").rest, g.args[i+1:], true
		}
	}
	return g.o.rest, nil, false
}

func gitCheckout(g *gitCall) stream {
	before, after, dashed := g.dashed()
	switch {
	case g.o.has("b", "B", "orphan"):
		if len(before) == 0 && !g.o.has("f", "force") {
			return stream{} // a new branch here: nothing changes
		}
		return g.everything()
	case dashed && len(after) > 0:
		return g.paths(Replaces, after)
	case g.o.has("pathspec-from-file"):
		return g.everything()
	case len(before) == 0:
		if g.o.has("f", "force", "m", "merge") {
			return g.everything()
		}
		return stream{}
	case len(before) == 1:
		if s, ok := before[0].lit(); ok && !g.isPath(s) {
			return g.everything() // a branch
		}
		return g.paths(Replaces, before)
	}
	g.paths(Replaces, before[1:])
	if s, ok := before[0].lit(); ok && !g.isPath(s) {
		return stream{} // git checkout BRANCH FILE
	}
	return g.paths(Replaces, before)
}

// isPath reports whether git would take a lone operand for a path.
func (g *gitCall) isPath(s string) bool {
	if s == "." || s == ".." || strings.HasPrefix(s, ":") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") {
		return true
	}
	return slices.ContainsFunc(g.in.abs(g.st, s), g.in.exists)
}

func gitSwitch(g *gitCall) stream {
	if g.o.has("c", "C", "create", "force-create", "orphan") {
		start := len(g.o.rest)
		if g.o.has("create", "force-create") {
			start-- // with two dashes the name is an operand to options()
		}
		if start <= 0 && !g.o.has("f", "force", "discard-changes", "orphan") {
			return stream{}
		}
	}
	return g.everything()
}

func gitRestore(g *gitCall) stream {
	if g.o.has("staged", "S") && !g.o.has("worktree", "W") {
		return stream{}
	}
	o := options(g.args, "s source conflict pathspec-from-file")
	if o.has("pathspec-from-file") {
		return g.everything()
	}
	return g.paths(Replaces, o.rest)
}

func gitReset(g *gitCall) stream {
	if g.o.has("hard", "merge", "keep") {
		return g.everything()
	}
	return stream{}
}

func gitStash(g *gitCall) stream {
	sub := "push"
	rest := g.args
	if len(rest) > 0 && !strings.HasPrefix(rest[0][0], "-") {
		sub, rest = rest[0][0], rest[1:]
	}
	switch sub {
	case "list", "show", "drop", "clear", "create", "store":
		return stream{}
	case "push":
		g.by = "git stash"
		if paths := options(rest, "m message pathspec-from-file").rest; len(paths) > 0 {
			return g.paths(Replaces, paths)
		}
	default:
		g.by += " " + sub
	}
	return g.everything()
}

func gitClean(g *gitCall) stream {
	o := options(g.args, "e exclude")
	if !o.has("f", "force") || o.has("n", "dry-run") {
		return stream{}
	}
	if len(o.rest) > 0 {
		return g.paths(Removes, o.rest)
	}
	g.in.treeIf(g.st, g.by, Removes, func(f, dir, _ string) bool { return !below(dir+"/.git", f) }, arg{"."})
	return stream{}
}

func gitRm(g *gitCall) stream {
	if g.o.has("cached", "n", "dry-run") {
		return stream{}
	}
	return g.paths(Removes, g.o.rest)
}

func gitMv(g *gitCall) stream {
	if sources, dest, ok := split(g.o); ok && !g.o.has("n", "dry-run") {
		g.in.tree(g.st, g.by, Moves, sources...)
		g.in.into(g.st, g.by, sources, dest, false)
	}
	return stream{}
}

func gitMergeFile(g *gitCall) stream {
	o := options(g.args, "L")
	if len(o.rest) > 0 && !o.has("p", "stdout") {
		g.in.file(g.st, g.by, Writes, o.rest[0])
	}
	return stream{}
}

func gitWorktree(g *gitCall) stream {
	if len(g.o.rest) > 1 && contains("remove move", g.o.rest[0][0]) {
		g.in.tree(g.st, g.by, Removes, g.o.rest[1])
	}
	return stream{}
}

// gitNames is for the commands that only print.
func gitNames(g *gitCall) stream {
	g.in.file(g.st, g.by, Writes, g.o.on["output"]...)
	if g.by == "git diff" || g.by == "git show" || g.by == "git log" || g.by == "git format-patch" {
		o := options(g.args, "o output-directory output")
		g.in.file(g.st, g.by, Writes, o.values("output")...)
	}
	if g.by == "git grep" && g.o.has("l", "files-with-matches") {
		return stream{names: arg{"./" + anything}}
	}
	if g.o.has("name-only", "name-status", "short", "porcelain", "s") {
		var names arg
		for _, root := range known(g.roots()) {
			names = append(names, root+"/"+anything)
		}
		return stream{names: names}
	}
	return stream{}
}

func gitApply(g *gitCall) stream {
	o := options(g.args, "p C directory exclude include whitespace build-fake-ancestor")
	if (o.has("check", "stat", "numstat", "summary") && !o.has("apply")) || o.has("cached") {
		return stream{}
	}
	diff := g.diff(o.rest)
	if !diff.known {
		return g.everything()
	}
	st := g.st.fork()
	if dirs := o.values("directory"); len(dirs) > 0 {
		cd(g.in, st, &call{args: dirs[:1]})
	}
	g.in.patched(st, g.by, diff.text, strip(o, 1))
	return stream{}
}

// otherVCS knows of other version control the commands that replace files.
func otherVCS(in *interp, st *state, c *call) stream {
	o := options(c.args, "R b r m")
	sub, ok := commandName(o.rest)
	if !ok {
		return stream{}
	}
	by := c.name + " " + sub
	if c.name == "gh" && len(o.rest) > 1 {
		sub += "-" + o.rest[1][0]
		by += " " + o.rest[1][0]
	}
	replaces := map[string]string{
		"gh": "pr-checkout pr-co co repo-sync", "jj": "edit new restore abandon rebase squash undo split",
		"hg":  "update up checkout co revert pull merge rebase graft import shelve unshelve histedit backout purge",
		"svn": "update up revert switch patch merge", "sl": "goto revert rebase graft pull shelve unshelve uncommit",
	}
	if contains(replaces[c.name], sub) {
		g := &gitCall{in: in, st: st, by: by}
		for _, cwd := range st.cwds {
			root := in.root(in.real(cwd), ".git", ".hg", ".svn", ".jj", ".sl")
			if root == "" {
				root = cwd
			}
			g.in.tree(st, by, Replaces, arg{root})
		}
	}
	return stream{}
}
