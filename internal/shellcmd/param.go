package shellcmd

import (
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// lookup returns a variable's value. ok is false where nothing is known of it.
func (in *interp) lookup(st *state, name string) (v value, ok bool) {
	if v, ok = st.vars[name]; ok {
		return v, true
	}
	if n, err := strconv.Atoi(name); err == nil {
		if n > 0 && n <= len(st.pos) {
			return value{alts: st.pos[n-1]}, true
		}
		return value{}, false
	}
	switch name {
	case "@", "*":
		return value{array: st.pos}, true
	case "PWD":
		return value{alts: known(st.cwds)}, true
	case "HOME":
		return value{alts: known([]string{in.env.Home})}, true
	}
	if in.env.Var != nil {
		if s, found := in.env.Var(name); found {
			return value{alts: arg{strings.ReplaceAll(s, "\x00", "")}}, true
		}
	}
	return value{}, false
}

// known puts "anything" in the place of unknown values.
func known(list []string) arg {
	out := make(arg, len(list))
	for i, s := range list {
		if out[i] = s; s == "" {
			out[i] = anything
		}
	}
	return out
}

func (in *interp) param(st *state, b *builder, p *syntax.ParamExp, whole, quoted bool) {
	if p.Param == nil || p.Length || p.Width || p.Excl || p.IsSet || p.NestedParam != nil {
		in.inner(st, p)
		in.add(b, arg{anything})
		return
	}
	v, ok := in.lookup(st, p.Param.Value)
	alts := v.alts
	if v.array != nil && alts == nil {
		all := p.Param.Value == "@" || p.Param.Value == "*"
		if p.Index != nil {
			if w, isWord := p.Index.(*syntax.Word); isWord {
				all = w.Lit() == "@" || w.Lit() == "*"
			}
		}
		if all && p.Exp == nil && p.Repl == nil {
			in.spread(b, v.array, whole || quoted)
			return
		}
		for _, e := range v.array { // one element, which one is not followed
			alts = union(alts, e)
		}
		ok = len(alts) > 0
	}
	if !ok {
		alts = arg{anything}
	}
	alts = in.modify(st, p, alts, ok)
	in.insert(b, alts, whole || quoted)
}

// spread adds an array's elements as fields of their own.
func (in *interp) spread(b *builder, list []arg, quoted bool) {
	for i, e := range list {
		if i > 0 && b.cur != nil {
			b.done, b.cur = append(b.done, b.cur), nil
		}
		in.insert(b, e, quoted)
	}
}

// modify applies ${v:-x}, ${v%x} and the like to a value's alternatives.
func (in *interp) modify(st *state, p *syntax.ParamExp, alts arg, set bool) arg {
	if p.Slice != nil {
		return arg{anything}
	}
	if p.Repl != nil {
		from, okF := in.value(st, p.Repl.Orig).lit()
		to := "" // ${v/x}: x goes away
		if p.Repl.With != nil {
			var ok bool
			to, ok = in.value(st, p.Repl.With).lit()
			okF = okF && ok
		}
		n := 1
		if p.Repl.All {
			n = -1
		}
		return each(alts, func(s string) string {
			if !okF || open(s) || from == "" || strings.ContainsAny(from[:1], "#%") {
				return anything
			}
			return strings.Replace(s, from, to, n)
		})
	}
	if p.Exp == nil {
		if len(p.Modifiers) > 0 || p.Flags != nil {
			return arg{anything}
		}
		return alts
	}
	word := in.value(st, p.Exp.Word)
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		switch {
		case !set:
			alts = word
		case len(alts) == 1 && alts[0] != "" && !open(alts[0]):
		default:
			alts = union(alts, word)
		}
		if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
			st.set(p.Param.Value, value{alts: alts}, false)
		}
		return alts
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return union(word, arg{""})
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return alts
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		if len(word) != 1 {
			return arg{anything}
		}
		pat := treeGlob(word[0], true)
		return each(alts, func(s string) string { return trim(s, pat, p.Exp.Op) })
	case syntax.UpperAll:
		return each(alts, strings.ToUpper)
	case syntax.LowerAll:
		return each(alts, strings.ToLower)
	}
	return arg{anything}
}

func each(alts arg, f func(string) string) arg {
	var out arg
	for _, s := range alts {
		out = append(out, f(s))
	}
	return out
}

// trim removes the shortest or longest part of s that fits pat from one end.
func trim(s, pat string, op syntax.ParExpOperator) string {
	if len(s) > 4096 {
		return anything
	}
	if open(s) { // "src/" + anything + ".js": the ends are known
		switch {
		case op == syntax.RemSmallSuffix && !open(pat):
			return strings.TrimSuffix(s, pat)
		case op == syntax.RemLargePrefix && pat == anything+"/":
			return path.Base(s)
		case op == syntax.RemSmallSuffix && pat == anything+"/"+anything, op == syntax.RemSmallSuffix && pat == "/"+anything:
			return path.Dir(s)
		case op == syntax.RemSmallSuffix:
			if i := strings.LastIndexByte(s, '.'); i > strings.LastIndexByte(s, 0) && pat == "."+anything {
				return s[:i]
			}
		case op == syntax.RemSmallPrefix && !open(pat):
			return strings.TrimPrefix(s, pat)
		}
		return anything
	}
	n := len(s)
	for i := 0; i <= n; i++ {
		switch op {
		case syntax.RemSmallSuffix:
			if match(pat, s[n-i:]) {
				return s[:n-i]
			}
		case syntax.RemLargeSuffix:
			if match(pat, s[i:]) {
				return s[:i]
			}
		case syntax.RemSmallPrefix:
			if match(pat, s[:i]) {
				return s[i:]
			}
		case syntax.RemLargePrefix:
			if match(pat, s[:n-i]) {
				return s[n-i:]
			}
		}
	}
	return s
}
