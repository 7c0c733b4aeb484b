package shellcmd

import (
	"path"
	"strings"
)

// Programs that print file names, or pass on what they are given. None writes,
// but for find's actions.
func registerListers() {
	register(find, "find", "gfind")
	register(fd, "fd", "fdfind")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "e f m A B C include exclude exclude-dir max-count context d")
		dirs := o.rest
		if !o.has("e", "f") && len(dirs) > 0 {
			dirs = dirs[1:]
		}
		if !o.has("l", "L", "files-with-matches", "files-without-match", "r", "R") && len(dirs) == 0 {
			return c.in.shape() // a filter of names
		}
		if !o.has("l", "L", "files-with-matches", "files-without-match") {
			return stream{}
		}
		return stream{names: within(dirs, each(flat(o.values("include")), func(s string) string { return treeGlob(s, false) }))}
	}, "grep", "egrep", "fgrep", "ggrep", "zgrep")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "e f g glob iglob t type T type-not m A B C max-count context max-depth j replace r sort")
		dirs := o.rest
		if !o.has("files", "e", "f") && len(dirs) > 0 {
			dirs = dirs[1:]
		}
		if !o.has("l", "files-with-matches", "files-without-match", "files") {
			if len(dirs) == 0 {
				return c.in.shape()
			}
			return stream{}
		}
		var names arg
		for _, g := range flat(o.values("g", "glob", "iglob")) {
			if !strings.HasPrefix(g, "!") {
				names = append(names, anything+treeGlob(path.Base(g), false))
			}
		}
		for _, t := range flat(o.values("t", "type")) {
			for _, e := range typeExts(t) {
				names = append(names, star+e)
			}
		}
		return stream{names: within(dirs, names)}
	}, "rg", "ag", "ack", "ugrep")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "I w T ignore")
		if o.has("l") || len(o.rest) == 0 {
			return stream{names: arg{"./" + star}}
		}
		var out arg
		for _, s := range flat(o.rest) {
			out = append(out, s, s+"/"+star)
			if len(o.rest) == 1 {
				out = append(out, star) // printed without the folder
			}
		}
		return stream{names: out}
	}, "ls", "gls", "exa", "eza")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "n c lines bytes k f d t delimiter fields b characters l q query prompt preview m")
		return in.filter(st, c, o.rest)
	}, "cat", "head", "tail", "tac", "cut", "rev", "nl", "column", "shuf", "less", "more", "fzf", "bat", "paste")
	register(func(in *interp, st *state, c *call) stream { return c.in.shape() }, "tr", "jq", "fold", "expand")
	register(func(in *interp, st *state, c *call) stream {
		return stream{names: perWord(c.args, func(s string) string { return path.Base(strings.TrimSuffix(s, "/")) })}
	}, "basename")
	register(func(in *interp, st *state, c *call) stream {
		return stream{names: perWord(c.args, path.Dir)}
	}, "dirname")
	register(func(in *interp, st *state, c *call) stream {
		return stream{names: perWord(c.args, func(s string) string { return s })}
	}, "realpath", "readlink", "grealpath", "cygpath", "wslpath")
	register(func(in *interp, st *state, c *call) stream {
		return stream{names: arg{justMade}}
	}, "mktemp", "gmktemp", "tempfile")
	// Named here so that no option of theirs is taken for an output file.
	register(func(in *interp, st *state, c *call) stream { return stream{} },
		"ps", "ssh-keygen", "test", "[", "true", "false", ":", "date", "sleep", "wc", "diff", "cmp", "stat", "file",
		"touch", "mkdir", "rmdir", "chmod", "chown", "which", "type", "export", "kill", "make", "just", "id", "df", "du",
		"ulimit", "umask", "hash", "alias", "wait", "jobs", "return", "exit", "break", "continue", "lsof", "ssh")
}

// justMade stands for what mktemp makes: it is there, and nothing else is in it.
const justMade = "/tmp/_made_just_now_"

func flat(args []arg) arg {
	var out arg
	for _, a := range args {
		out = append(out, a...)
	}
	return out
}

func perWord(args []arg, f func(string) string) arg {
	return each(flat(options(args, "s suffix relative-to").rest), f)
}

// shape keeps of a stream which names it may hold, not the text.
func (s stream) shape() stream { return stream{names: s.words()} }

// filter is the output of a program that prints the files it is given, or its
// input, whole or in part. Names only go through: they are not made up.
func (in *interp) filter(st *state, c *call, files []arg) stream {
	if len(files) == 0 {
		if c.name == "cat" {
			return c.in
		}
		return c.in.shape()
	}
	out := in.read(st, files...)
	if c.name == "cat" || !out.known {
		return out
	}
	return out.shape()
}

// within returns the names below folders whose last part fits one of names.
func within(dirs []arg, names arg) arg {
	roots := flat(dirs)
	if len(roots) == 0 {
		roots = arg{"."}
	}
	if len(names) == 0 {
		names = arg{""}
	}
	var out arg
	for _, r := range roots {
		for _, n := range names {
			if n == "" {
				out = append(out, r, r+"/"+anything)
				continue
			}
			out = append(out, r+"/"+anything+"/"+n, r+"/"+n)
		}
	}
	return out
}

func find(in *interp, st *state, c *call) stream {
	args := c.args
	var roots []arg
	for len(args) > 0 && (!strings.HasPrefix(args[0][0], "-") || contains("-H -L -P -E", args[0][0])) && args[0][0] != "!" && args[0][0] != "(" {
		if !strings.HasPrefix(args[0][0], "-") {
			roots = append(roots, args[0])
		}
		args = args[1:]
	}
	var names arg
	not := false
	for i := 0; i < len(args); i++ {
		s := args[i][0]
		negated := not
		not = s == "!" || s == "-not"
		if i+1 < len(args) && !negated {
			switch s {
			case "-name", "-iname":
				names = append(names, each(args[i+1], func(s string) string { return treeGlob(s, false) })...)
			case "-path", "-wholename", "-ipath", "-regex", "-iregex":
				if i++; strings.HasPrefix(s, "-i") || strings.HasSuffix(s, "regex") || i > 0 && s == "-path" && in.prunes(args[i:]) {
					continue
				}
				for _, p := range args[i] {
					names = append(names, treeGlob(path.Base(p), false))
				}
			}
		}
	}
	found := within(roots, names)
	for i := 0; i < len(args); i++ {
		switch s := args[i][0]; s {
		case "-delete":
			in.file(st, "find -delete", Removes, found)
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			if i+1 < len(args) {
				in.file(st, "find "+s, Writes, args[i+1])
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			end := i + 1
			for end < len(args) && args[end][0] != ";" && args[end][0] != "+" {
				end++
			}
			if inner := args[i+1 : min(end, len(args))]; len(inner) > 0 {
				in.run(st.fork(), filled(inner, found), stream{})
			}
			i = end
		}
	}
	return stream{names: found}
}

// prunes reports whether a find test only cuts a folder off.
func (in *interp) prunes(rest []arg) bool { return len(rest) > 1 && rest[1][0] == "-prune" }

// filled is placed without adding names where the mark is missing.
func filled(args []arg, names arg) []arg {
	for _, a := range args {
		if strings.Contains(a[0], "{}") {
			return placed(args, "{}", names)
		}
	}
	return args
}

func fd(in *interp, st *state, c *call) stream {
	args := c.args
	var run []arg
	for i, a := range args {
		if contains("-x -X --exec --exec-batch", a[0]) {
			run, args = args[i+1:], args[:i]
			break
		}
	}
	o := options(args, "e extension t type E exclude d max-depth c j S changed-within")
	var names arg
	for _, e := range flat(o.values("e", "extension")) {
		names = append(names, star+"."+strings.TrimPrefix(e, "."))
	}
	dirs := o.rest
	if len(dirs) > 0 {
		dirs = dirs[1:] // the first operand is the pattern
	}
	found := within(dirs, names)
	if len(run) > 0 {
		in.run(st.fork(), placed(run, "{}", found), stream{})
	}
	return stream{names: found}
}

// typeExts returns the extensions of ripgrep's most used types.
func typeExts(t string) []string {
	switch t {
	case "ts", "typescript":
		return []string{".ts", ".tsx", ".mts", ".cts"}
	case "js", "javascript":
		return []string{".js", ".jsx", ".mjs", ".cjs"}
	case "py", "python":
		return []string{".py", ".pyi"}
	case "rust":
		return []string{".rs"}
	case "md", "markdown":
		return []string{".md", ".markdown", ".mdx"}
	case "yaml":
		return []string{".yml", ".yaml"}
	case "cpp", "c":
		return []string{".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh"}
	case "ruby":
		return []string{".rb"}
	case "sh":
		return []string{".sh", ".bash", ".zsh"}
	}
	return []string{"." + t, ""}
}
