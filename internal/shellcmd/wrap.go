package shellcmd

import (
	"path"
	"strings"
)

// Programs that run another command.
func registerWrap() {
	simple := map[string]string{ // name: options that take a value
		"sudo": "u user g group C h p r t T U D chdir", "doas": "u C", "nice": "n adjustment", "ionice": "c n p",
		"nohup": "", "setsid": "", "stdbuf": "i o e", "chronic": "", "caffeinate": "t w", "builtin": "", "exec": "a",
		"time": "f o", "gtime": "f o", "unbuffer": "", "winpty": "", "noglob": "", "nocorrect": "", "busybox": "",
		"xvfb-run": "a s", "faketime": "", "dotenv": "e f", "rtk": "", "strace": "e o p s", "proxychains4": "f",
		"npx": "p package c call", "bunx": "", "pnpx": "", "uvx": "from with p python", "pipx": "",
	}
	for name, valued := range simple {
		register(func(in *interp, st *state, c *call) stream {
			rest := skipOptions(c.args, valued)
			if c.name == "pipx" && len(rest) > 0 && rest[0][0] == "run" {
				rest = rest[1:]
			}
			if s, ok := commandName(rest); ok && strings.Contains(s[1:], "@") {
				rest = append([]arg{{s[:1+strings.Index(s[1:], "@")]}}, rest[1:]...) // npx prettier@3
			}
			return in.run(st, rest, c.in)
		}, name)
	}
	register(func(in *interp, st *state, c *call) stream {
		if o := options(c.args, ""); o.has("v", "V") && len(c.args) > 0 && strings.HasPrefix(c.args[0][0], "-") {
			return stream{}
		}
		return in.run(st, skipOptions(c.args, ""), c.in)
	}, "command")
	register(func(in *interp, st *state, c *call) stream {
		if rest := skipOptions(c.args, "s signal k kill-after"); len(rest) > 1 {
			return in.run(st, rest[1:], c.in)
		}
		return stream{}
	}, "timeout", "gtimeout")
	register(func(in *interp, st *state, c *call) stream {
		if rest := skipOptions(c.args, "w timeout E"); len(rest) > 1 {
			if rest[1][0] == "-c" && len(rest) > 2 {
				return in.scripts(st.fork(), rest[2], c.in)
			}
			return in.run(st, rest[1:], c.in)
		}
		return stream{}
	}, "flock", "direnv")
	register(env, "env", "genv")
	register(xargs, "xargs", "gxargs")
	register(parallel, "parallel")
	register(shell, "bash", "sh", "zsh", "dash", "ksh", "ash", "fish", "su")
	// runner sub [options] command: uv run ruff, poetry run black, pnpm exec prettier
	runners := map[string]string{
		"uv": "run", "poetry": "run", "pipenv": "run", "hatch": "run", "pdm": "run", "rye": "run", "bundle": "exec",
		"pnpm": "exec dlx", "npm": "exec x", "yarn": "run exec dlx", "bun": "x", "mise": "exec x", "asdf": "exec",
		"nix": "develop shell", "devbox": "run", "conda": "run", "rbenv": "exec", "pyenv": "exec", "op": "run",
		"docker": "", "podman": "", "nix-shell": "", "ssh": "", "kubectl": "",
	}
	for name, subs := range runners {
		register(func(in *interp, st *state, c *call) stream {
			rest := skipOptions(c.args, "C prefix directory n name")
			if sub, ok := commandName(rest); ok && contains(subs, sub) {
				inner := skipOptions(rest[1:], "with from extra group p package python n name c command env-file")
				if sub == "develop" || sub == "shell" {
					inner = after(rest, "-c", "--command")
				}
				if len(inner) > 0 {
					return in.run(st, inner, c.in)
				}
			} else if ok && (name == "yarn" || name == "pnpm" || name == "bun") {
				if _, isTool := commands[sub]; isTool && !contains(managers()[name][0].subs, sub) {
					return in.run(st, rest, c.in)
				}
			}
			manifests(in, st, c.name, rest)
			return stream{}
		}, name)
	}
}

func contains(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

func commandName(args []arg) (string, bool) {
	if len(args) == 0 {
		return "", false
	}
	s, ok := args[0].lit()
	return s, ok && s != ""
}

// after returns the arguments behind the first one that is one of marks.
func after(args []arg, marks ...string) []arg {
	for i, a := range args {
		for _, m := range marks {
			if a[0] == m {
				return args[i+1:]
			}
		}
	}
	return nil
}

func env(in *interp, st *state, c *call) stream {
	args := c.args
	st = st.fork()
	for len(args) > 0 {
		s := args[0][0]
		name, val, isVar := strings.Cut(s, "=")
		switch {
		case s == "-S" || s == "--split-string":
			if len(args) > 1 {
				return in.scripts(st, args[1], c.in)
			}
			return stream{}
		case (s == "-C" || s == "--chdir") && len(args) > 1:
			cd(in, st, &call{args: args[1:2]})
			args = args[2:]
		case (s == "-u" || s == "--unset") && len(args) > 1:
			args = args[2:]
		case strings.HasPrefix(s, "-"):
			args = args[1:]
		case isVar:
			st.vars[name] = value{alts: arg{val}}
			args = args[1:]
		default:
			return in.run(st, args, c.in)
		}
	}
	return stream{}
}

func xargs(in *interp, st *state, c *call) stream {
	words := c.in.words()
	replace := ""
	args := c.args
	for len(args) > 0 && strings.HasPrefix(args[0][0], "-") {
		s := args[0][0]
		args = args[1:]
		switch {
		case s == "-a" || s == "--arg-file":
			if len(args) > 0 {
				words = in.read(st, args[0]).words()
				args = args[1:]
			}
		case s == "-I" || s == "-J" || s == "--replace" || s == "-i":
			replace = "{}"
			if (s == "-I" || s == "-J") && len(args) > 0 {
				replace, args = args[0][0], args[1:]
			}
		case strings.HasPrefix(s, "-I"), strings.HasPrefix(s, "-J"):
			replace = s[2:]
		case strings.HasPrefix(s, "--replace="):
			replace = s[len("--replace="):]
		case contains("-n -P -L -s -d -E -R -S --max-args --max-procs --max-lines --max-chars --delimiter", s) && len(args) > 0:
			args = args[1:]
		}
	}
	if words == nil {
		words = arg{anything}
	}
	return in.run(st.fork(), placed(args, replace, words), stream{})
}

// placed puts names where a command wants them: in the place of mark, or last.
func placed(args []arg, mark string, names arg) []arg {
	found := false
	var out []arg
	for _, a := range args {
		s := a[0]
		if mark == "" || len(a) > 1 || !strings.Contains(s, mark) {
			out = append(out, a)
			continue
		}
		found = true
		before, behind, _ := strings.Cut(s, mark)
		filled := each(names, func(n string) string { return before + n + strings.ReplaceAll(behind, mark, n) })
		out = append(out, filled)
	}
	if !found && mark != "" && mark != "{}" {
		return out
	}
	if !found && len(names) > 0 {
		out = append(out, names)
	}
	return out
}

func parallel(in *interp, st *state, c *call) stream {
	words := c.in.words()
	args := skipOptions(c.args, "j jobs a colsep")
	for i, a := range args {
		if a[0] == ":::" {
			words = nil
			for _, w := range args[i+1:] {
				words = append(words, w...)
			}
			args = args[:i]
			break
		}
	}
	if len(args) == 1 { // parallel 'sed -i s/a/b/ {}' ::: files
		var out arg
		for _, w := range words {
			out = append(out, strings.ReplaceAll(args[0][0], "{}", w))
		}
		return in.scripts(st.fork(), out, stream{})
	}
	return in.run(st.fork(), placed(args, "{}", words), stream{})
}

// shell follows bash -c TEXT, bash SCRIPT and bash <<EOF.
func shell(in *interp, st *state, c *call) stream {
	st = st.fork()
	args := c.args
	for len(args) > 0 && (strings.HasPrefix(args[0][0], "-") || strings.HasPrefix(args[0][0], "+")) && args[0][0] != "-" {
		s := args[0][0]
		args = args[1:]
		switch {
		case s == "-o" || s == "+o" || s == "-O" || s == "--rcfile" || s == "--init-file":
			args = args[min(1, len(args)):]
		case !strings.HasPrefix(s, "--") && strings.Contains(s, "c") && len(args) > 0:
			if st.pos = nil; len(args) > 2 {
				st.pos = args[2:]
			}
			return in.scripts(st, args[0], c.in)
		}
	}
	if len(args) > 0 && args[0][0] != "-" {
		if s, ok := in.throwaway(st, args[0]); ok {
			st.pos = args[1:]
			in.script(st, s, c.in)
		}
		return stream{}
	}
	if c.in.known {
		in.script(st, c.in.text, stream{})
	}
	return stream{}
}

// throwaway returns the text of a script that the command line itself wrote,
// or that lies in a temporary folder, where agents put theirs. A project's own
// scripts are programs like others: nobody can look into them.
func (in *interp) throwaway(st *state, name arg) (string, bool) {
	s, ok := name.lit()
	if !ok {
		return "", false
	}
	for _, p := range in.abs(st, s) {
		if text, ok := in.drafts[p]; ok {
			return text, true
		}
		if in.temporary(p) && in.env.Read != nil {
			return in.env.Read(p)
		}
	}
	return "", false
}

func (in *interp) temporary(p string) bool {
	dirs := []string{"/tmp", "/private/tmp", "/var/folders", "/var/tmp"}
	if in.env.Var != nil {
		if d, ok := in.env.Var("TMPDIR"); ok && path.IsAbs(d) {
			dirs = append(dirs, path.Clean(d))
		}
	}
	for _, d := range dirs {
		// A project that lives in a temporary folder is a project.
		if below(d, p) && !below(in.env.Cwd, p) {
			return true
		}
	}
	return false
}

// shebang follows a throw-away script by its first line.
func (in *interp) shebang(st *state, text string, args []arg) {
	first, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(first, "#!") && !strings.Contains(first, "sh") {
		in.code(st, path.Base(strings.TrimSpace(first)), text, args)
		return
	}
	st = st.fork()
	st.pos = args
	in.script(st, text, stream{})
}
