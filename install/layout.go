package install

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
	"sidekick/internal/claude"
)

// layout is how a file is written: what we add looks like its neighbours.
type layout struct {
	newline string // "\n" or "\r\n"
	unit    string // one step of indentation
	colon   string // between a colon and the value, and between values on one line
}

// place is where a value begins. On a line of its own, its members get lines of
// their own too; otherwise all stays on one line.
type place struct {
	lines  bool
	indent string
}

func layoutOf(text []byte, root *hujson.Value) layout {
	l := layout{newline: "\n", unit: "  ", colon: " "}
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		l.newline = "\r\n"
	}
	unit, colon := false, false
	var visit func(v *hujson.Value, at place)
	visit = func(v *hujson.Value, at place) {
		child := func(gap hujson.Extra, v *hujson.Value) {
			inner := placeOf(gap)
			if step, ok := strings.CutPrefix(inner.indent, at.indent); ok && inner.lines && at.lines && !unit {
				l.unit, unit = step, true
			}
			visit(v, inner)
		}
		switch v := v.Value.(type) {
		case *hujson.Object:
			for i := range v.Members {
				m := &v.Members[i]
				if gap := string(m.Value.BeforeExtra); !colon && !strings.ContainsAny(gap, "\r\n") {
					l.colon, colon = gap, true
				}
				child(m.Name.BeforeExtra, &m.Value)
			}
		case *hujson.Array:
			for i := range v.Elements {
				child(v.Elements[i].BeforeExtra, &v.Elements[i])
			}
		}
	}
	visit(root, place{lines: true})
	return l
}

// placeOf reads the whitespace before a value.
func placeOf(gap hujson.Extra) place {
	i := bytes.LastIndexByte(gap, '\n')
	if i < 0 {
		return place{}
	}
	return place{true, string(gap[i+1:])}
}

// first is the whitespace before the first value of a list or object at p.
func (l layout) first(p place) string {
	if !p.lines {
		return ""
	}
	return l.newline + p.indent + l.unit
}

// last is the whitespace before its closing bracket.
func (l layout) last(p place) string {
	if !p.lines {
		return ""
	}
	return l.newline + p.indent
}

// after is the whitespace before one more value behind those with these gaps.
func (l layout) after(gaps []hujson.Extra) string {
	last := gaps[len(gaps)-1]
	switch i := bytes.LastIndexByte(last, '\n'); {
	case i > 0 && last[i-1] == '\r':
		return string(last[i-1:])
	case i >= 0:
		return string(last[i:])
	case len(gaps) > 1:
		return string(last)
	}
	return l.colon
}

// inside is the place of the values of a list or object at p.
func (l layout) inside(p place) place {
	return place{p.lines, p.indent + l.unit}
}

type member struct {
	name  string
	value func(p place) hujson.ValueTrimmed
}

func (l layout) object(members ...member) func(place) hujson.ValueTrimmed {
	return func(p place) hujson.ValueTrimmed {
		o := &hujson.Object{AfterExtra: extra(l.last(p))}
		for i, m := range members {
			o.Members = append(o.Members, l.member(l.gap(i, p), l.inside(p), m))
		}
		return o
	}
}

func (l layout) list(values ...func(place) hujson.ValueTrimmed) func(place) hujson.ValueTrimmed {
	return func(p place) hujson.ValueTrimmed {
		a := &hujson.Array{AfterExtra: extra(l.last(p))}
		for i, v := range values {
			a.Elements = append(a.Elements, hujson.Value{BeforeExtra: extra(l.gap(i, p)), Value: v(l.inside(p))})
		}
		return a
	}
}

func (l layout) gap(i int, p place) string {
	if i > 0 && !p.lines {
		return l.colon
	}
	return l.first(p)
}

func (l layout) member(gap string, p place, m member) hujson.ObjectMember {
	return hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: extra(gap), Value: hujson.String(m.name)},
		Value: hujson.Value{BeforeExtra: extra(l.colon), Value: m.value(p)},
	}
}

func literal(v hujson.Literal) func(place) hujson.ValueTrimmed {
	return func(place) hujson.ValueTrimmed { return v }
}

// extra keeps "nothing" nil: to hujson an empty one is a trailing comma.
func extra(s string) hujson.Extra {
	if s == "" {
		return nil
	}
	return hujson.Extra(s)
}

// group is the group that holds one entry.
func (l layout) group(e claude.Entry) func(place) hujson.ValueTrimmed {
	var args []func(place) hujson.ValueTrimmed
	for _, arg := range e.Args {
		args = append(args, literal(hujson.String(arg)))
	}
	handler := l.object(
		member{"type", literal(hujson.String(e.Type))},
		member{"command", literal(hujson.String(e.Command))},
		member{"args", l.list(args...)},
		member{"timeout", literal(hujson.Int(int64(e.Timeout)))},
	)
	hooks := member{"hooks", l.list(handler)}
	if e.Matcher == "" {
		return l.object(hooks)
	}
	return l.object(member{"matcher", literal(hujson.String(e.Matcher))}, hooks)
}
