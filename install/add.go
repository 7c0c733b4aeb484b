package install

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
	"sidekick/internal/claude"
)

// How uninstall knows what was there before install. A marker field is no way:
// the client drops fields that it does not know. So the whitespace says it. A
// list or object that install makes begins at once or with a line break. One
// that was there, empty, gets spaces behind its opening bracket, before the
// line break, where nobody sees them:
const (
	wasEmpty  = 1 // `{}`
	wasSpaced = 2 // `{ }`: what stood inside stands before the closing bracket now
	wasBlank  = 3 // (the file's own object only) no JSON at all, nothing or whitespace
)

// byteOrderMark may begin a settings file; the client accepts it.
const byteOrderMark = "\ufeff"

// add returns text with the entries added, each in a group of its own behind
// those that are there. text is a settings file that was checked and has none of
// them, or blank; exists is false where there is no file yet.
func add(text []byte, exists bool, entries []claude.Entry) ([]byte, error) {
	body, mark := cutMark(text)
	if isBlank(body) {
		root := hujson.Value{Value: &hujson.Object{}}
		l := layoutOf(body, &root)
		root.BeforeExtra, root.AfterExtra = extra(string(body)), extra(l.newline)
		spaces := wasBlank
		if !exists {
			spaces = 0
		}
		addHooks(&root, l, entries, spaces)
		return append(mark, root.Pack()...), nil
	}
	root, err := hujson.Parse(body)
	if err != nil {
		return nil, err
	}
	addHooks(&root, layoutOf(body, &root), entries, wasEmpty)
	return append(mark, root.Pack()...), nil
}

// isBlank reports whether there is nothing in body but what JSON calls whitespace.
func isBlank(body []byte) bool { return len(bytes.Trim(body, " \t\r\n")) == 0 }

func cutMark(text []byte) (body, mark []byte) {
	if body, ok := bytes.CutPrefix(text, []byte(byteOrderMark)); ok {
		return body, []byte(byteOrderMark)
	}
	return text, nil
}

// addHooks adds entries to the file's object. spaces is how many mark it where
// it is empty.
func addHooks(root *hujson.Value, l layout, entries []claude.Entry, spaces int) {
	top := root.Value.(*hujson.Object)
	events := byEvent(l, entries)
	hooks, at := find(top, "hooks")
	if hooks == nil {
		var members []member
		for _, e := range events {
			members = append(members, member{e.name, l.list(e.groups...)})
		}
		l.addMember(top, place{lines: true}, member{"hooks", l.object(members...)}, spaces)
		return
	}
	for _, e := range events {
		inside := hooks.Value.(*hujson.Object)
		groups, where := find(inside, e.name)
		if groups == nil {
			l.addMember(inside, at, member{e.name, l.list(e.groups...)}, wasEmpty)
			continue
		}
		for _, g := range e.groups {
			l.addElement(groups.Value.(*hujson.Array), where, g)
		}
	}
}

type eventGroups struct {
	name   string
	groups []func(place) hujson.ValueTrimmed
}

// byEvent gathers the entries of an event, in the order of their first.
func byEvent(l layout, entries []claude.Entry) []eventGroups {
	var events []eventGroups
	for _, e := range entries {
		i := slices.IndexFunc(events, func(g eventGroups) bool { return g.name == e.Event })
		if i < 0 {
			i = len(events)
			events = append(events, eventGroups{name: e.Event})
		}
		events[i].groups = append(events[i].groups, l.group(e))
	}
	return events
}

// find returns a member's value and where it begins. Of a name given twice it
// is the last one, the one that counts for the client.
func find(o *hujson.Object, name string) (*hujson.Value, place) {
	for i := len(o.Members) - 1; i >= 0; i-- {
		if m := &o.Members[i]; nameOf(m) == name {
			return &m.Value, placeOf(m.Name.BeforeExtra)
		}
	}
	return nil, place{}
}

func nameOf(m *hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// addMember puts m behind the members of o, which begins at p.
func (l layout) addMember(o *hujson.Object, p place, m member, spaces int) {
	var gaps []hujson.Extra
	for i := range o.Members {
		gaps = append(gaps, o.Members[i].Name.BeforeExtra)
	}
	gap := l.join(gaps, &o.AfterExtra, p, spaces)
	o.Members = append(o.Members, l.member(gap, placeOf(extra(gap)), m))
}

// addElement puts a value behind those of a, which begins at p.
func (l layout) addElement(a *hujson.Array, p place, value func(place) hujson.ValueTrimmed) {
	var gaps []hujson.Extra
	for i := range a.Elements {
		gaps = append(gaps, a.Elements[i].BeforeExtra)
	}
	gap := l.join(gaps, &a.AfterExtra, p, wasEmpty)
	a.Elements = append(a.Elements, hujson.Value{BeforeExtra: extra(gap), Value: value(placeOf(extra(gap)))})
}

// join returns the whitespace before a new value behind those with these gaps.
// In an empty list or object it also sets what stands before the closing
// bracket, and marks that it was there.
func (l layout) join(gaps []hujson.Extra, closing *hujson.Extra, p place, spaces int) string {
	switch {
	case len(gaps) > 0:
		return l.after(gaps)
	case len(*closing) > 0:
		spaces = wasSpaced
	default:
		*closing = extra(l.last(p))
	}
	return strings.Repeat(" ", spaces) + l.first(p)
}
