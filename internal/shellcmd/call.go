package shellcmd

import (
	"path"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// call is one simple command after expansion.
type call struct {
	name string // without its folder
	args []arg
	in   stream
}

// command is how one program acts: it records what is touched and returns
// what it prints.
type command func(in *interp, st *state, c *call) stream

// commands holds every program that is known. It is filled by the register
// functions beside the programs, since wrappers lead back into it, and only when
// a command is judged: most hooks judge none.
var commands = map[string]command{}

var fillCommands = sync.OnceFunc(func() {
	registerArchive()
	registerBuiltin()
	registerCode()
	registerCoreutils()
	registerEditors()
	registerFormatters()
	registerGit()
	registerGitSubcommands()
	registerListers()
	registerManifests()
	registerPatch()
	registerWrap()
})

func register(f command, names ...string) {
	for _, n := range names {
		commands[n] = f
	}
}

func (in *interp) call(st *state, c *syntax.CallExpr, input stream) stream {
	if len(c.Args) == 0 {
		in.assigns(st, c.Assigns)
		for _, a := range c.Assigns { // x=$(cmd): cmd was run by assigns
			if a.Array != nil {
				in.inner(st, a.Array)
			}
		}
		return stream{known: true}
	}
	for _, a := range c.Assigns {
		in.value(st, a.Value) // their commands run; the values are for the program
	}
	return in.run(st, in.fields(st, c.Args), input)
}

// run follows a command given as arguments.
func (in *interp) run(st *state, args []arg, input stream) stream {
	if len(args) == 0 || !in.step() {
		return stream{}
	}
	args = slices.Clone(args)
	for i, a := range args {
		if len(a) == 0 {
			args[i] = arg{anything}
		}
	}
	if in.depth++; in.depth > 4*maxDepth {
		in.lost = true
	}
	defer func() { in.depth-- }()
	name, ok := args[0].lit()
	if !ok {
		if len(args[0]) != 1 { // "$tool" with several values: each in turn
			for _, alt := range args[0] {
				if !open(alt) {
					in.run(st, append([]arg{{alt}}, args[1:]...), input)
				}
			}
		}
		return stream{}
	}
	c := &call{name: path.Base(name), args: args[1:], in: input}
	if body, ok := st.funcs[name]; ok && in.depth < maxDepth {
		saved := st.pos
		st.pos = c.args
		out := in.stmt(st, body, input)
		st.pos = saved
		return out
	}
	if f, ok := commands[c.name]; ok {
		return f(in, st, c)
	}
	return in.unknown(st, name, c)
}

// unknown follows a program that is in no table. It is stopped only where it
// is told by a usual option to write its output to a listed file, or where it
// is a script that this very command line wrote, or a throw-away one.
func (in *interp) unknown(st *state, name string, c *call) stream {
	o := options(c.args, "o output out outfile output-file out-file")
	in.file(st, c.name, Writes, o.values("o", "output", "out", "outfile", "output-file", "out-file")...)
	if strings.Contains(name, "/") {
		if s, ok := in.throwaway(st, arg{name}); ok {
			in.shebang(st, s, c.args)
		}
	}
	return stream{}
}

// opts is a command line taken apart.
type opts struct {
	on   map[string][]arg // options, with their values if they take one
	rest []arg            // operands
}

func (o opts) has(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { _, ok := o.on[n]; return ok })
}

func (o opts) values(names ...string) []arg {
	var out []arg
	for _, n := range names {
		out = append(out, o.on[n]...)
	}
	return out
}

// options takes args apart the way getopt_long does. valued lists the options,
// short and long, that take a value. A long option with one dash (terraform,
// find) is found by its letters only.
func options(args []arg, valued string) opts {
	o := opts{on: map[string][]arg{}}
	takes := func(name string) bool {
		return slices.Contains(strings.Fields(valued), name)
	}
	for i := 0; i < len(args); i++ {
		s := args[i][0]
		switch {
		case len(args[i]) > 1 || s == "-" || !strings.HasPrefix(s, "-"):
			o.rest = append(o.rest, args[i])
		case s == "--":
			o.rest = append(o.rest, args[i+1:]...)
			return o
		case strings.HasPrefix(s, "--"):
			name, val, has := strings.Cut(s[2:], "=")
			switch {
			case has:
				o.on[name] = append(o.on[name], arg{val})
			case takes(name) && i+1 < len(args):
				i++
				o.on[name] = append(o.on[name], args[i])
			default:
				o.on[name] = append(o.on[name], nil...)
			}
		default:
			for j := 1; j < len(s); j++ {
				name := s[j : j+1]
				if !takes(name) {
					o.on[name] = append(o.on[name], nil...)
					continue
				}
				if j+1 < len(s) {
					o.on[name] = append(o.on[name], arg{s[j+1:]})
				} else if i+1 < len(args) {
					i++
					o.on[name] = append(o.on[name], args[i])
				}
				break
			}
		}
	}
	return o
}

// skipOptions returns what follows a wrapper's own options. valued are the
// options that take the next word.
func skipOptions(args []arg, valued string) []arg {
	for i := 0; i < len(args); i++ {
		s := args[i][0]
		switch {
		case s == "--":
			return args[i+1:]
		case !strings.HasPrefix(s, "-") || s == "-":
			return args[i:]
		case slices.Contains(strings.Fields(valued), strings.TrimLeft(s, "-")):
			i++
		}
	}
	return nil
}

// plain joins arguments to the text that echo or eval make of them.
func plain(args []arg) arg {
	out := arg{""}
	for i, a := range args {
		if i > 0 {
			out = cross(out, arg{" "})
		}
		out = cross(out, a)
	}
	return out
}
