package install

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"sidekick/internal/claude"
)

// content is a settings file's text, or its absence.
type content struct {
	text   []byte
	exists bool
}

func (c content) equal(other content) bool {
	return c.exists == other.exists && bytes.Equal(c.text, other.text)
}

// withHooks returns before with exactly the entries of the table for binary, and
// without the shell-form ones. Where they stand there already, nothing changes;
// older ones of ours are taken out first. Errors are faults of ours: the result
// is checked, and must lead back to what was there.
func withHooks(before content, binary string, table []Registration) (content, error) {
	var want []claude.Entry
	for _, r := range table {
		want = append(want, r.entry(binary))
	}
	ours := isOurs(binary)
	base := before
	if len(scan(base.text, isShellForm)) > 0 {
		base.text, base.exists = remove(base.text, isShellForm)
		if !base.exists {
			base = content{[]byte("{}\n"), true} // it was never our file
		}
	}
	if complete(base.text, ours, want) {
		return base, nil
	}
	if len(scan(base.text, ours)) > 0 {
		base.text, base.exists = remove(base.text, ours)
	}
	text, err := add(base.text, base.exists, want)
	if err != nil {
		return before, fmt.Errorf("add the hooks: %w", err)
	}
	after := content{text, true}
	if err := verify(base, after, ours, want); err != nil {
		return before, err
	}
	return after, nil
}

// withoutHooks returns before without any entry of ours.
func withoutHooks(before content, binary string) content {
	ours := isOurs(binary)
	if len(scan(before.text, ours)) == 0 {
		return before
	}
	text, exists := remove(before.text, ours)
	return content{text, exists}
}

// complete reports whether the entries of ours in text are those wanted, in the
// client's eyes and with nothing else to them.
func complete(text []byte, ours func(claude.Handler) bool, want []claude.Entry) bool {
	all := scan(text, ours)
	if len(all) != len(want) || slices.ContainsFunc(all, func(f found) bool { return !f.plain }) {
		return false
	}
	body, _ := cutMark(text)
	left := slices.Clone(want)
	for _, e := range claude.Entries(body) {
		if !ours(e.Handler) {
			continue
		}
		i := slices.IndexFunc(left, func(w claude.Entry) bool { return reflect.DeepEqual(w, e) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return len(left) == 0
}

// verify is the last look before a file is written: one entry that the client
// does not accept would disable all that the person has configured.
func verify(base, after content, ours func(claude.Handler) bool, want []claude.Entry) error {
	if err := checkSyntax("the new settings", after.text); err != nil {
		return err
	}
	if err := checkRules("the new settings", after.text); err != nil {
		return err
	}
	if !complete(after.text, ours, want) {
		return errors.New("the new settings would not hold the hooks as meant; nothing was written")
	}
	text, exists := remove(after.text, ours)
	if !base.equal(content{text, exists}) {
		return errors.New("the new settings could not be undone exactly; nothing was written")
	}
	return nil
}
