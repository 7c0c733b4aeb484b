package shellcmd

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// fields expands words to arguments, as a command gets them.
func (in *interp) fields(st *state, words []*syntax.Word) []arg {
	var out []arg
	for _, w := range words {
		if !in.step() {
			return out
		}
		for _, b := range braces(w, 0) {
			out = append(out, in.word(st, b, false)...)
			if len(out) > maxAlts {
				in.lost = true
				return out
			}
		}
	}
	return out
}

// value expands a word that is not split: an assignment's, a redirection's, a
// here-document's.
func (in *interp) value(st *state, w *syntax.Word) arg {
	if w == nil || !in.step() {
		return nil
	}
	args := in.word(st, w, true)
	if len(args) == 0 {
		return arg{""}
	}
	out := args[0]
	for _, a := range args[1:] { // "$@": one string
		out = in.cross(cross(out, arg{" "}), a)
	}
	return out
}

func (in *interp) cross(a, b arg) arg {
	out := cross(a, b)
	for _, s := range out {
		in.bytes += len(s)
	}
	return out
}

// builder puts the parts of a word together to fields.
type builder struct {
	done []arg
	cur  arg // nil: no field has begun
}

func (in *interp) word(st *state, w *syntax.Word, whole bool) []arg {
	var b builder
	for i, p := range w.Parts {
		if i == 0 {
			if lit, ok := p.(*syntax.Lit); ok && strings.HasPrefix(lit.Value, "~") {
				in.tilde(st, &b, lit.Value)
				continue
			}
		}
		in.part(st, &b, p, whole, false)
		if in.lost {
			break
		}
	}
	if b.cur != nil {
		b.done = append(b.done, b.cur)
	}
	return b.done
}

// add appends a part to the field. Every field has a value: one that nobody
// knows where the part has none.
func (in *interp) add(b *builder, a arg) {
	if len(a) == 0 {
		a = arg{anything}
	}
	b.cur = in.cross(b.cur, a)
}

func (in *interp) tilde(st *state, b *builder, lit string) {
	name, rest, slash := strings.Cut(lit[1:], "/")
	home := anything
	switch name {
	case "":
		if home = in.env.Home; home == "" {
			home = anything
		}
	case "+":
		home = st.cwds[0]
	}
	if slash {
		rest = "/" + rest
	}
	in.add(b, arg{home + glob(unescape(rest, false))})
}

// unescape takes a shell's backslashes away and turns on the globs that they
// did not protect.
func unescape(s string, quoted bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case c == '\n':
		case quoted && !strings.ContainsRune("$`\"\\", rune(c)):
			b.WriteString("\\" + string(c))
		case !quoted && strings.IndexByte("*?[", c) >= 0:
			b.WriteString("\x00[" + string(c) + "\x00]") // stays itself when globbed
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func (in *interp) part(st *state, b *builder, p syntax.WordPart, whole, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		s := p.Value
		in.bytes += len(s)
		if quoted {
			in.add(b, arg{unescape(s, true)})
		} else {
			in.add(b, arg{glob(unescape(s, false))})
		}
	case *syntax.SglQuoted:
		s := p.Value
		if p.Dollar {
			s = ansiC(s)
		}
		in.bytes += len(s)
		in.add(b, arg{s})
	case *syntax.DblQuoted:
		in.add(b, arg{""})
		for _, q := range p.Parts {
			in.part(st, b, q, whole, true)
		}
	case *syntax.ParamExp:
		in.param(st, b, p, whole, quoted)
	case *syntax.CmdSubst:
		out := in.stmts(st.fork(), p.Stmts, stream{})
		switch {
		case out.known:
			in.insert(b, arg{strings.TrimRight(out.text, "\n")}, whole || quoted)
		case len(out.names) > 0:
			in.insert(b, out.names, whole || quoted)
		default:
			in.add(b, arg{anything})
		}
	case *syntax.ArithmExp:
		in.inner(st, p)
		in.add(b, arg{star})
	case *syntax.ProcSubst:
		in.stmts(st.fork(), p.Stmts, stream{})
		in.add(b, arg{"/dev/fd/63"})
	case *syntax.ExtGlob:
		in.add(b, arg{star})
	case *syntax.BraceExp: // inside a word that braces() did not take apart
		in.add(b, arg{anything})
	}
}

// insert adds an expansion's value: unquoted, it is split at white space and
// its globs count.
func (in *interp) insert(b *builder, alts arg, quoted bool) {
	if quoted {
		in.add(b, alts)
		return
	}
	if len(alts) > 1 {
		var all arg
		for _, s := range alts {
			for f := range strings.FieldsSeq(s) {
				all = append(all, glob(f))
			}
		}
		if len(all) > 0 {
			in.add(b, all)
		}
		return
	}
	for _, s := range alts {
		fields := strings.Fields(s)
		if len(fields) > maxAlts {
			in.lost = true
			return
		}
		if b.cur != nil && (len(s) > 0 && (s[0] == ' ' || s[0] == '\n' || s[0] == '\t')) {
			b.done, b.cur = append(b.done, b.cur), nil
		}
		for i, f := range fields {
			if i > 0 {
				b.done, b.cur = append(b.done, b.cur), nil
			}
			in.add(b, arg{glob(f)})
		}
	}
}

// braces takes a word's {a,b} and {1..3} apart.
func braces(w *syntax.Word, depth int) []*syntax.Word {
	if depth == 0 {
		found := false
		for _, p := range w.Parts {
			if lit, ok := p.(*syntax.Lit); ok && strings.IndexByte(lit.Value, '{') >= 0 {
				found = true
			}
		}
		if !found {
			return []*syntax.Word{w}
		}
		w = &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
		syntax.SplitBraces(w)
	}
	for i, p := range w.Parts {
		br, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		var out []*syntax.Word
		for _, elem := range elems(br) {
			parts := append([]syntax.WordPart(nil), w.Parts[:i]...)
			parts = append(append(parts, elem.Parts...), w.Parts[i+1:]...)
			out = append(out, braces(&syntax.Word{Parts: parts}, depth+1)...)
			if len(out) > maxAlts {
				break
			}
		}
		return out
	}
	return []*syntax.Word{w}
}

// elems returns a brace expression's members. A long sequence has one, which
// is left open.
func elems(br *syntax.BraceExp) []*syntax.Word {
	if !br.Sequence || len(br.Elems) < 2 {
		return br.Elems
	}
	wordOf := func(s string) *syntax.Word {
		return &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: s}}}
	}
	from, to := br.Elems[0].Lit(), br.Elems[1].Lit()
	a, err1 := strconv.Atoi(from)
	z, err2 := strconv.Atoi(to)
	text := strconv.Itoa
	if (err1 != nil || err2 != nil) && len(from) == 1 && len(to) == 1 {
		a, z, err1, err2 = int(from[0]), int(to[0]), nil, nil
		text = func(i int) string { return string(rune(i)) }
	}
	if a > z {
		a, z = z, a
	}
	if err1 != nil || err2 != nil || z-a > 200 || (len(from) > 1 && from[0] == '0') {
		return []*syntax.Word{wordOf("*")}
	}
	var out []*syntax.Word
	for i := a; i <= z; i++ {
		out = append(out, wordOf(text(i)))
	}
	return out
}

// ansiC resolves the escapes of $'...' that file names use.
func ansiC(s string) string {
	r := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\\`, `\`, `\'`, `'`, `\"`, `"`, `\r`, "\r", `\e`, "\x1b")
	s = r.Replace(s)
	for {
		i := strings.Index(s, `\x`)
		if i < 0 || i+4 > len(s) {
			return s
		}
		n, err := strconv.ParseUint(s[i+2:i+4], 16, 8)
		if err != nil || n == 0 {
			return s
		}
		s = s[:i] + string([]byte{byte(n)}) + s[i+4:]
	}
}
