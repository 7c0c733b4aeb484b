package shellcmd

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of one analysis. Past them in.lost is set and the words decide.
const (
	maxDepth = 40       // functions, bash -c, eval, compound commands
	maxSteps = 20_000   // commands and words
	maxBytes = 32 << 20 // text put together by expansions
	maxAlts  = 2_000    // values that one word may have
)

// interp follows one command line.
type interp struct {
	env   Env
	files []string

	hit  *Touch
	lost bool // too much to follow

	depth, steps, bytes int
	reals               map[string]string
	drafts              map[string]string // files written by this command with known text
}

func newInterp(env Env, files []string) *interp {
	fillCommands()
	return &interp{env: env, files: files, reals: map[string]string{}, drafts: map[string]string{}}
}

// done reports that nothing more needs to be followed.
func (in *interp) done() bool { return in.hit != nil || in.lost }

func (in *interp) step() bool {
	if in.steps++; in.steps > maxSteps || in.bytes > maxBytes {
		in.lost = true
	}
	return !in.done()
}

// arg is one argument: the values that it may have.
type arg []string

// lit returns the argument's text where it is certain.
func (a arg) lit() (string, bool) {
	if len(a) == 1 && !open(a[0]) {
		return a[0], true
	}
	return "", false
}

// stream is what is known of the text on a pipe. names are the file names that
// it may list; they are patterns.
type stream struct {
	text  string
	known bool
	names arg
}

// words returns the names on a pipe.
func (s stream) words() arg {
	if s.known {
		return strings.Fields(s.text)
	}
	return s.names
}

// value is a variable's: alternatives of a scalar, or the elements of an array.
type value struct {
	alts  arg
	array []arg
}

// state is what a subshell inherits.
type state struct {
	cwds  []string // where the shell may be; "" is a place that nobody knows
	stack [][]string
	vars  map[string]value
	funcs map[string]*syntax.Stmt
	pos   []arg // $1, $2, ...
	weak  int   // >0: inside a branch; what is set may also not be set
}

func newState(env Env) *state {
	return &state{cwds: []string{path.Clean(env.Cwd)}, vars: map[string]value{}, funcs: map[string]*syntax.Stmt{}}
}

func (st *state) fork() *state {
	c := *st
	c.vars = make(map[string]value, len(st.vars))
	for k, v := range st.vars {
		c.vars[k] = v
	}
	c.funcs = make(map[string]*syntax.Stmt, len(st.funcs))
	for k, v := range st.funcs {
		c.funcs[k] = v
	}
	c.stack = slices.Clone(st.stack)
	return &c
}

func (st *state) set(name string, v value, add bool) {
	old, had := st.vars[name]
	switch {
	case add && (v.array != nil || old.array != nil):
		v.array = append(slices.Clone(old.array), v.array...)
	case add && had:
		v.alts = cross(old.alts, v.alts)
	}
	if st.weak > 0 && had {
		v.alts = union(old.alts, v.alts)
		if !add {
			v.array = append(slices.Clone(old.array), v.array...)
		}
	}
	st.vars[name] = v
}

func union(a, b arg) arg {
	out := slices.Clone(a)
	for _, s := range b {
		if len(out) < maxAlts && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// cross joins every value of a with every value of b.
func cross(a, b arg) arg {
	if len(a) == 0 {
		return b
	}
	if len(a)*len(b) > maxAlts {
		return arg{anything}
	}
	out := make(arg, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}

func (in *interp) stmts(st *state, list []*syntax.Stmt, input stream) stream {
	var out stream
	for i, s := range list {
		if in.done() {
			break
		}
		o := in.stmt(st, s, input)
		if i == 0 {
			out = o
			continue
		}
		out = stream{text: out.text + o.text, known: out.known && o.known, names: union(out.words(), o.words())}
		in.bytes += len(out.text)
	}
	return out
}

// branch runs statements that may also not run.
func (in *interp) branch(st *state, list []*syntax.Stmt, input stream) stream {
	st.weak++
	defer func() { st.weak-- }()
	return in.stmts(st, list, input)
}

func (in *interp) stmt(st *state, s *syntax.Stmt, input stream) stream {
	if s == nil || !in.step() {
		return stream{}
	}
	if in.depth++; in.depth > 4*maxDepth {
		in.lost = true
	}
	defer func() { in.depth-- }()
	if s.Background || s.Coprocess {
		st = st.fork()
	}
	var outs []arg
	for _, r := range s.Redirs {
		if in.redirect(st, r, &input) {
			outs = append(outs, in.value(st, r.Word))
		}
	}
	out := in.command(st, s.Cmd, input)
	if len(outs) > 0 {
		if out.known {
			in.draft(st, outs, out.text)
		}
		return stream{known: true}
	}
	return out
}

// redirect follows one redirection. It reports whether the redirection takes
// the command's output away.
func (in *interp) redirect(st *state, r *syntax.Redirect, input *stream) (takes bool) {
	switch r.Op {
	case syntax.RdrIn:
		for _, p := range r.Word.Parts {
			if ps, ok := p.(*syntax.ProcSubst); ok {
				*input = in.stmts(st.fork(), ps.Stmts, stream{})
				return false
			}
		}
		*input = in.read(st, in.value(st, r.Word))
	case syntax.Hdoc, syntax.DashHdoc:
		*input = text(in.hereDoc(st, r))
	case syntax.WordHdoc:
		*input = text(in.value(st, r.Word))
	case syntax.DplIn:
	case syntax.DplOut:
		if lit := r.Word.Lit(); lit == "-" || lit != "" && strings.Trim(lit, "0123456789") == "" {
			return false
		}
		fallthrough
	default:
		in.file(st, r.Op.String(), Writes, in.value(st, r.Word))
		return r.N == nil || r.N.Value == "1"
	}
	return false
}

// hereDoc expands a here-document. Its globs mean nothing, and where the
// delimiter is quoted, neither does anything else.
func (in *interp) hereDoc(st *state, r *syntax.Redirect) arg {
	if r.Hdoc == nil {
		return arg{""}
	}
	raw := false
	for _, p := range r.Word.Parts {
		if lit, ok := p.(*syntax.Lit); !ok || strings.Contains(lit.Value, "\\") {
			raw = true
		}
	}
	var b builder
	for _, p := range r.Hdoc.Parts {
		if lit, ok := p.(*syntax.Lit); ok && raw {
			in.add(&b, arg{lit.Value})
			continue
		}
		in.part(st, &b, p, true, true)
	}
	return b.cur
}

func text(a arg) stream {
	if s, ok := a.lit(); ok {
		return stream{text: s, known: true}
	}
	var names arg
	for _, s := range a {
		names = append(names, strings.Fields(s)...)
	}
	return stream{names: names}
}

func (in *interp) command(st *state, cmd syntax.Command, input stream) stream {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		return in.call(st, c, input)
	case *syntax.BinaryCmd:
		return in.binary(st, c, input)
	case *syntax.Block:
		return in.stmts(st, c.Stmts, input)
	case *syntax.Subshell:
		return in.stmts(st.fork(), c.Stmts, input)
	case *syntax.IfClause:
		var out stream
		for ; c != nil; c = c.Else {
			in.stmts(st, c.Cond, input)
			o := in.branch(st, c.Then, input)
			out = stream{names: union(out.words(), o.words())}
		}
		return out
	case *syntax.WhileClause:
		in.stmts(st, c.Cond, input)
		in.branch(st, c.Do, input)
		return in.branch(st, c.Do, input) // once more: what one turn sets, the next one uses
	case *syntax.ForClause:
		if w, ok := c.Loop.(*syntax.WordIter); ok && w.Name != nil {
			var alts arg
			items := in.fields(st, w.Items)
			if !w.InPos.IsValid() {
				items = st.pos
			}
			for _, item := range items {
				alts = append(alts, item...)
			}
			st.set(w.Name.Value, value{alts: alts}, false)
		} else if c.Loop != nil {
			in.inner(st, c.Loop)
		}
		in.branch(st, c.Do, input)
		return in.branch(st, c.Do, input)
	case *syntax.CaseClause:
		in.value(st, c.Word)
		var out stream
		for _, item := range c.Items {
			o := in.branch(st, item.Stmts, input)
			out = stream{names: union(out.words(), o.words())}
		}
		return out
	case *syntax.FuncDecl:
		if c.Name != nil {
			st.funcs[c.Name.Value] = c.Body
		}
		for _, n := range c.Names {
			st.funcs[n.Value] = c.Body
		}
	case *syntax.DeclClause:
		in.assigns(st, c.Args)
	case *syntax.TimeClause:
		return in.stmt(st, c.Stmt, input)
	case *syntax.CoprocClause:
		return in.stmt(st.fork(), c.Stmt, input)
	case nil:
	default: // tests and arithmetic: only the commands inside them act
		in.inner(st, c)
	}
	return stream{}
}

// inner runs the command substitutions below a node that does nothing itself.
func (in *interp) inner(st *state, n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			in.stmts(st.fork(), n.Stmts, stream{})
			return false
		case *syntax.ProcSubst:
			in.stmts(st.fork(), n.Stmts, stream{})
			return false
		}
		return !in.done()
	})
}

func (in *interp) binary(st *state, c *syntax.BinaryCmd, input stream) stream {
	switch c.Op {
	case syntax.Pipe, syntax.PipeAll:
		out := in.stmt(st.fork(), c.X, input)
		return in.stmt(st.fork(), c.Y, out)
	case syntax.OrStmt:
		x := in.stmt(st, c.X, input)
		y := in.branch(st, []*syntax.Stmt{c.Y}, input)
		return stream{names: union(x.words(), y.words())}
	}
	return in.stmts(st, []*syntax.Stmt{c.X, c.Y}, input)
}

func (in *interp) assigns(st *state, list []*syntax.Assign) {
	for _, a := range list {
		if a.Name == nil || a.Naked {
			continue
		}
		var v value
		switch {
		case a.Array != nil:
			v.array = []arg{}
			for _, e := range a.Array.Elems {
				if e.Value != nil {
					v.array = append(v.array, in.fields(st, []*syntax.Word{e.Value})...)
				}
			}
		case a.Value != nil:
			v.alts = in.value(st, a.Value)
		default:
			v.alts = arg{""}
		}
		if a.Index != nil { // one element: the others stay
			st.vars[a.Name.Value] = value{array: append(slices.Clone(st.vars[a.Name.Value].array), v.alts)}
			continue
		}
		st.set(a.Name.Value, v, a.Append)
	}
}
