package install

import (
	"bytes"

	"github.com/tailscale/hujson"
	"sidekick/internal/claude"
)

// found is one handler in a settings file.
type found struct {
	claude.Entry
	plain bool // it has no other members than those of an entry of ours
}

// scan returns every handler in text for which match is true, in the file's
// order, those in members that a later one of the same name shadows too.
func scan(text []byte, match func(claude.Handler) bool) []found {
	var all []found
	body, _ := cutMark(text)
	root, err := hujson.Parse(body)
	if err != nil {
		return nil
	}
	prune(&root, func(event string, group *hujson.Object, handler *hujson.Object, text []byte) bool {
		h := claude.ParseHandler(text)
		if !match(h) {
			return false
		}
		f := found{Entry: claude.Entry{Event: event, Handler: h}, plain: true}
		if matcher, _ := find(group, "matcher"); matcher != nil {
			if s, ok := matcher.Value.(hujson.Literal); ok {
				f.Matcher = s.String()
			}
		}
		for i := range handler.Members {
			switch nameOf(&handler.Members[i]) {
			case "type", "command", "args", "timeout":
			default:
				f.plain = false
			}
		}
		all = append(all, f)
		return false
	})
	return all
}

// remove returns text without the handlers for which match is true, and without
// the groups, lists and objects that were there for them alone. Nothing else
// changes, not by a byte. exists is false where install had made the file and
// nothing else is in it now.
func remove(text []byte, match func(claude.Handler) bool) (rest []byte, exists bool) {
	body, mark := cutMark(text)
	root, err := hujson.Parse(body)
	if err != nil {
		return text, true
	}
	keep := prune(&root, func(_ string, _, _ *hujson.Object, text []byte) bool {
		return match(claude.ParseHandler(text))
	})
	switch {
	case keep.spaces == wasBlank && keep.lines:
		return append(mark, root.BeforeExtra...), true
	case keep.empty && keep.spaces == 0 && len(mark) == 0 && isOurFrame(root):
		return nil, false
	case keep.empty && keep.spaces == 0:
		// Somebody has written the file anew since: leave them an object.
		root.Value.(*hujson.Object).AfterExtra = nil
	}
	return append(mark, root.Pack()...), true
}

// isOurFrame reports whether what stands around the file's object is what add
// writes into nothing.
func isOurFrame(root hujson.Value) bool {
	return len(root.BeforeExtra) == 0 && string(root.AfterExtra) == "\n"
}

// emptied says what became of a list or object.
type emptied struct {
	empty  bool // it had something of ours in it, and now nothing at all
	spaces int  // then: the mark that add left, see wasEmpty
	lines  bool // and whether a line break followed it
}

// gone reports whether it was there for ours alone.
func (e emptied) gone() bool { return e.empty && e.spaces == 0 }

type dropFunc func(event string, group, handler *hujson.Object, text []byte) bool

// prune takes out the handlers for which drop is true. Whatever has another
// shape than hooks have is passed by.
func prune(root *hujson.Value, drop dropFunc) emptied {
	top, ok := root.Value.(*hujson.Object)
	if !ok {
		return emptied{}
	}
	return pruneMembers(top, func(name string, hooks *hujson.Value) bool {
		events, ok := hooks.Value.(*hujson.Object)
		if name != "hooks" || !ok {
			return false
		}
		return pruneMembers(events, func(event string, groups *hujson.Value) bool {
			list, ok := groups.Value.(*hujson.Array)
			if !ok {
				return false
			}
			return pruneElements(list, func(group *hujson.Value) bool {
				return pruneGroup(event, group, drop)
			}).gone()
		}).gone()
	})
}

// pruneGroup reports whether nothing but its matcher is left of a group.
func pruneGroup(event string, value *hujson.Value, drop dropFunc) bool {
	group, ok := value.Value.(*hujson.Object)
	if !ok {
		return false
	}
	gone, foreign := false, false
	for i := range group.Members {
		m := &group.Members[i]
		handlers, ok := m.Value.Value.(*hujson.Array)
		switch name := nameOf(m); {
		case name == "hooks" && ok:
			left := pruneElements(handlers, func(v *hujson.Value) bool {
				handler, ok := v.Value.(*hujson.Object)
				return ok && drop(event, group, handler, v.Pack())
			})
			gone = gone || left.empty
			foreign = foreign || len(handlers.Elements) > 0
		case name != "matcher":
			foreign = true
		}
	}
	return gone && !foreign
}

// pruneMembers takes out the members of o for which drop is true.
func pruneMembers(o *hujson.Object, drop func(name string, value *hujson.Value) bool) emptied {
	var first hujson.Extra
	if len(o.Members) > 0 {
		first = o.Members[0].Name.BeforeExtra
	}
	var kept []hujson.ObjectMember
	for i := range o.Members {
		if m := &o.Members[i]; !drop(nameOf(m), &m.Value) {
			kept = append(kept, *m)
		}
	}
	if len(kept) == len(o.Members) {
		return emptied{}
	}
	o.Members = kept
	if len(kept) > 0 {
		closeAfter(&kept[len(kept)-1].Value, &o.AfterExtra)
		return emptied{}
	}
	return reopen(first, &o.AfterExtra)
}

// pruneElements takes out the elements of a for which drop is true.
func pruneElements(a *hujson.Array, drop func(*hujson.Value) bool) emptied {
	var first hujson.Extra
	if len(a.Elements) > 0 {
		first = a.Elements[0].BeforeExtra
	}
	var kept []hujson.Value
	for i := range a.Elements {
		if !drop(&a.Elements[i]) {
			kept = append(kept, a.Elements[i])
		}
	}
	if len(kept) == len(a.Elements) {
		return emptied{}
	}
	a.Elements = kept
	if len(kept) > 0 {
		closeAfter(&kept[len(kept)-1], &a.AfterExtra)
		return emptied{}
	}
	return reopen(first, &a.AfterExtra)
}

// closeAfter moves the whitespace behind a value that has become the last one
// before the closing bracket: there hujson would take it for a trailing comma.
func closeAfter(last *hujson.Value, closing *hujson.Extra) {
	if last.AfterExtra != nil {
		*closing = append(last.AfterExtra, *closing...)
		last.AfterExtra = nil
	}
}

// reopen reads the mark in the whitespace before the first value of what is
// empty now, and restores what stood between its brackets.
func reopen(first hujson.Extra, closing *hujson.Extra) emptied {
	spaces := len(first) - len(bytes.TrimLeft(first, " "))
	if spaces == wasEmpty {
		*closing = nil
	}
	return emptied{true, spaces, bytes.IndexByte(first, '\n') >= 0}
}
