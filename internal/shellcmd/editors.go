package shellcmd

import (
	"strings"
)

// Programs that edit files in place, by a script or as an editor.
func registerEditors() {
	register(sed, "sed", "gsed", "ssed")
	register(perl, "perl", "ruby")
	register(awk, "awk", "gawk", "mawk", "nawk")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "p prompt")
		in.file(st, c.name, Writes, o.rest...)
		return stream{}
	}, "ed", "red")
	register(vim, "vim", "nvim", "vi", "ex", "gvim")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "n max-replacements")
		if len(o.rest) > 2 && !o.has("p", "preview") { // sd FROM TO FILES
			in.file(st, c.name, Writes, o.rest[2:]...)
		}
		return stream{}
	}, "sd")
	register(func(in *interp, st *state, c *call) stream {
		if o := options(c.args, "o p I output-format input-format"); o.has("i", "inplace", "in-place") {
			in.file(st, c.name+" -i", Writes, o.rest...)
		}
		return stream{}
	}, "yq", "xq", "tomlq", "crudini", "dasel", "xmlstarlet")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "p pattern r rewrite l lang globs")
		if o.has("U", "update-all", "i", "interactive") {
			dirs := o.rest
			if len(dirs) > 0 && (dirs[0][0] == "run" || dirs[0][0] == "scan") {
				dirs = dirs[1:]
			}
			if len(dirs) == 0 {
				dirs = []arg{{"."}}
			}
			in.tree(st, c.name+" -U", Replaces, dirs...)
		}
		return stream{}
	}, "ast-grep", "sg")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "d e m extensions dir")
		dirs := o.values("d", "dir")
		if len(dirs) == 0 {
			dirs = []arg{{"."}}
		}
		if o.has("i", "in-place", "accept-all") || c.name != "comby" {
			in.tree(st, c.name, Replaces, dirs...)
		}
		return stream{}
	}, "comby", "fastmod", "codemod")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "e")
		if !o.has("n", "nono", "no-act") && len(o.rest) > 1 {
			in.file(st, c.name, Moves, o.rest[1:]...)
		}
		return stream{}
	}, "rename", "prename", "mmv")
}

// sedWrite finds the file that a sed script's w command or flag names.
var sedWrite = lazy(`(?:^|[/|,#;}{ \dgpI$])w +([^\n;}]+)`)

func sed(in *interp, st *state, c *call) stream {
	inplace, quiet := false, false
	var scripts, rest []arg
	for i := 0; i < len(c.args); i++ {
		a := c.args[i]
		s := a[0]
		takesNext := func(to *[]arg) {
			if i+1 < len(c.args) {
				i++
				*to = append(*to, c.args[i])
			}
		}
		switch {
		case len(a) > 1 || s == "-" || !strings.HasPrefix(s, "-"):
			rest = append(rest, a)
		case s == "--":
			rest = append(rest, c.args[i+1:]...)
			i = len(c.args)
		case strings.HasPrefix(s, "--in-place"):
			inplace = true
		case strings.HasPrefix(s, "--expression="), strings.HasPrefix(s, "--file="):
			scripts = append(scripts, arg{s[strings.IndexByte(s, '=')+1:]})
		case s == "--expression" || s == "--file":
			takesNext(&scripts)
		case s == "--line-length":
			i++
		case strings.HasPrefix(s, "--"):
			quiet = quiet || s == "--quiet" || s == "--silent"
		default:
		letters:
			for j := 1; j < len(s); j++ {
				switch s[j] {
				case 'i', 'I': // the rest is a suffix; a BSD sed wants it as a word of its own
					inplace = true
					if j+1 == len(s) && i+1 < len(c.args) {
						next := c.args[i+1][0]
						if next == "" || len(next) < 6 && strings.HasPrefix(next, ".") && !strings.ContainsAny(next, "/* ") {
							i++
						}
					}
					break letters
				case 'e', 'f':
					if j+1 < len(s) {
						scripts = append(scripts, arg{s[j+1:]})
					} else {
						takesNext(&scripts)
					}
					break letters
				case 'l':
					if j+1 == len(s) {
						i++
					}
					break letters
				}
			}
		}
	}
	files := rest
	if len(scripts) == 0 && len(rest) > 0 {
		scripts, files = rest[:1], rest[1:]
	}
	if inplace {
		in.file(st, "sed -i", Writes, files...)
		return stream{}
	}
	for _, script := range scripts {
		for _, s := range script {
			for _, m := range sedWrite().FindAllStringSubmatch(s, -1) {
				in.file(st, "sed w", Writes, arg{strings.TrimSpace(m[1])})
			}
		}
	}
	return in.filter(st, c, files)
}

func perl(in *interp, st *state, c *call) stream {
	inplace := false
	var codes, rest []arg
	for i := 0; i < len(c.args); i++ {
		a := c.args[i]
		s := a[0]
		if len(a) > 1 || s == "-" || !strings.HasPrefix(s, "-") || s == "--" {
			if s == "--" {
				i++
			}
			rest = append(rest, c.args[min(i, len(c.args)):]...)
			break
		}
	letters:
		for j := 1; j < len(s); j++ {
			switch s[j] {
			case 'i':
				inplace = true
				break letters // the rest is a suffix
			case 'e', 'E':
				if j+1 < len(s) {
					codes = append(codes, arg{s[j+1:]})
				} else if i+1 < len(c.args) {
					i++
					codes = append(codes, c.args[i])
				}
				break letters
			case 'I', 'r':
				if j+1 == len(s) && s != "-pr" {
					i++
				}
				break letters
			case 'M', 'm', 'F', 'x', 'C', 'd', 'D', 'T':
				break letters
			}
		}
	}
	files := rest
	switch {
	case len(codes) > 0:
	case len(rest) > 0 && rest[0][0] != "-":
		files = rest[1:]
		if s, ok := in.throwaway(st, rest[0]); ok {
			in.code(st, c.name, s, files)
		}
	case c.in.known:
		in.code(st, c.name, c.in.text, files)
	}
	if inplace {
		in.file(st, c.name+" -i", Writes, files...)
		return stream{}
	}
	for _, code := range codes {
		for _, s := range code {
			in.code(st, c.name, s, files)
		}
	}
	return in.filter(st, c, files)
}

func awk(in *interp, st *state, c *call) stream {
	o := options(c.args, "i include f file v assign F field-separator e source")
	files := o.rest
	var programs []arg
	if !o.has("f", "file", "e", "source") && len(files) > 0 {
		programs, files = files[:1], files[1:]
	}
	for _, lib := range o.values("i", "include") {
		if lib[0] == "inplace" {
			in.file(st, "awk -i inplace", Writes, files...)
		}
	}
	for _, program := range append(programs, o.values("e", "source")...) {
		for _, s := range program {
			if strings.Contains(s, ">") || strings.Contains(s, "system(") {
				in.code(st, c.name, s, files)
			}
		}
	}
	return in.filter(st, c, files)
}

func vim(in *interp, st *state, c *call) stream {
	o := options(c.args, "c cmd S s T u U i w W l p-file t listen server startuptime V-file")
	if o.has("R", "M", "server", "remote", "remote-send", "remote-expr", "version", "help", "d") && c.name != "ex" {
		if !o.has("c", "cmd") {
			return stream{}
		}
	}
	var files []arg
	script := strings.Join(flat(o.values("c", "cmd")), "|")
	for _, a := range o.rest {
		if strings.HasPrefix(a[0], "+") {
			script += "|" + a[0][1:]
			continue
		}
		files = append(files, a)
	}
	in.code(st, "vim", script, nil)
	if !o.has("R", "M") {
		in.file(st, c.name, Writes, files...)
	}
	return stream{}
}
