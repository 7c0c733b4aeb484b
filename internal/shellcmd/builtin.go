package shellcmd

import (
	"path"
	"slices"
	"strings"
)

func registerBuiltin() {
	register(cd, "cd", "chdir")
	register(func(in *interp, st *state, c *call) stream {
		if len(c.args) > 0 {
			st.stack = append(st.stack, st.cwds)
		}
		return cd(in, st, c)
	}, "pushd")
	register(func(in *interp, st *state, c *call) stream {
		if n := len(st.stack); n > 0 {
			st.cwds, st.stack = st.stack[n-1], st.stack[:n-1]
		}
		return stream{}
	}, "popd")
	register(func(in *interp, st *state, c *call) stream {
		args := c.args
		for len(args) > 0 && (args[0][0] == "-n" || args[0][0] == "-e" || args[0][0] == "-ne" || args[0][0] == "-en") {
			args = args[1:]
		}
		return text(plain(args))
	}, "echo", "print")
	register(func(in *interp, st *state, c *call) stream {
		if len(c.args) == 0 {
			return stream{}
		}
		format, ok := c.args[0].lit()
		if ok && len(c.args) == 1 {
			return text(arg{ansiC(format)})
		}
		if ok && strings.Trim(format, `%s\n0 `) == "" {
			return text(plain(c.args[1:]))
		}
		return text(plain(c.args))
	}, "printf")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "t d n N p u i a")
		for _, name := range append(o.rest, o.values("a")...) {
			if n, ok := name.lit(); ok {
				words := c.in.words()
				if words == nil {
					words = arg{anything}
				}
				st.set(n, value{alts: words}, false)
			}
		}
		return stream{}
	}, "read")
	register(func(in *interp, st *state, c *call) stream {
		if o := options(c.args, "d n O s u C c"); len(o.rest) > 0 {
			if n, ok := o.rest[0].lit(); ok {
				v := value{array: []arg{}}
				if words := c.in.words(); len(words) > 0 {
					v.array = []arg{words}
				}
				st.set(n, v, false)
			}
		}
		return stream{}
	}, "mapfile", "readarray")
	register(func(in *interp, st *state, c *call) stream {
		switch {
		case len(c.args) > 0 && c.args[0][0] == "--":
			st.pos = c.args[1:]
		case len(c.args) > 0 && !strings.HasPrefix(c.args[0][0], "-") && !strings.HasPrefix(c.args[0][0], "+"):
			st.pos = c.args
		}
		return stream{}
	}, "set")
	register(func(in *interp, st *state, c *call) stream {
		if len(st.pos) > 0 && st.weak == 0 {
			st.pos = st.pos[1:]
		}
		return stream{}
	}, "shift")
	register(func(in *interp, st *state, c *call) stream {
		for _, a := range c.args {
			if n, ok := a.lit(); ok && st.weak == 0 {
				delete(st.vars, n)
				delete(st.funcs, n)
			}
		}
		return stream{}
	}, "unset")
	register(func(in *interp, st *state, c *call) stream {
		return in.scripts(st, plain(c.args), stream{})
	}, "eval")
	register(func(in *interp, st *state, c *call) stream {
		if len(c.args) > 1 {
			in.scripts(st.fork(), c.args[0], stream{})
		}
		return stream{}
	}, "trap")
	register(func(in *interp, st *state, c *call) stream { // source: only what was just written
		if len(c.args) > 0 {
			if s, ok := in.throwaway(st, c.args[0]); ok {
				in.script(st, s, stream{})
			}
		}
		return stream{}
	}, "source", ".")
	register(func(in *interp, st *state, c *call) stream { return text(known(st.cwds)) }, "pwd")
}

func cd(in *interp, st *state, c *call) stream {
	o := options(c.args, "")
	var to []string
	switch {
	case len(c.args) > 0 && c.args[0][0] == "-":
		v, ok := st.vars["OLDPWD"]
		if !ok {
			return stream{}
		}
		to = slices.Clone(v.alts)
	case len(o.rest) == 0:
		to = []string{in.env.Home}
	default:
		for _, w := range o.rest[0] {
			ps := in.abs(st, w)
			if len(ps) == 0 && w != "" {
				ps = []string{""}
			}
			to = append(to, ps...)
		}
	}
	maybe := st.weak > 0
	for i, d := range to {
		if open(d) {
			to[i] = ""
			if d, ok := in.onlyFolder(d); ok {
				to[i] = d
			}
		} else if d != "" && !in.exists(d) {
			maybe = true // made by this command line, or the cd will fail
		}
	}
	old := st.cwds
	if maybe {
		to = append(slices.Clone(st.cwds), to...)
	}
	slices.Sort(to)
	to = slices.Compact(to)
	if len(to) > 16 {
		to = append(to[:15:15], "")
	}
	st.cwds = to
	st.vars["OLDPWD"] = value{alts: known(old)}
	return stream{}
}

// onlyFolder returns the folder that a cd to a glob means: the one above a
// listed file, where there is just one.
func (in *interp) onlyFolder(p string) (string, bool) {
	found := ""
	for _, f := range in.files {
		for d := path.Dir(f); len(d) > 1; d = path.Dir(d) {
			if match(p, d) {
				if found != "" && found != d {
					return "", false
				}
				found = d
			}
		}
	}
	return found, found != "" && p[0] == '/'
}

// scripts follows a text that a shell is told to run.
func (in *interp) scripts(st *state, alts arg, input stream) stream {
	var out stream
	for _, s := range alts {
		if in.done() {
			break
		}
		s = strings.ReplaceAll(s, anything, "_unknown_")
		for _, mark := range []string{"\x00*", star} {
			s = strings.ReplaceAll(s, mark, "*")
		}
		s = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(s, "\x00]", "]"), "\x00?", "?"), "\x00", "")
		in.bytes += len(s)
		if !in.scriptOut(st, s, input, &out) {
			in.byWords(s)
		}
	}
	return out
}
