package review

import (
	"errors"
	"strings"
)

// replacement is one replacement of the Edit and MultiEdit tools.
type replacement struct {
	Old string `json:"old_string"`
	New string `json:"new_string"`
	All bool   `json:"replace_all"`
}

var (
	errNotFound  = errors.New("the text to replace is not in the file")
	errAmbiguous = errors.New("the text to replace is in the file more than once")
)

// apply does to text what Claude Code would do. exact is false where the client
// would find the place only by its own loose rules (curly quotes): its result
// may then differ from ours, so ours must be handed to it word for word.
func (r replacement) apply(text string) (result string, exact bool, err error) {
	if r.Old == "" {
		if text != "" {
			return "", false, errAmbiguous
		}
		return r.New, true, nil
	}
	old, replaced, exact := r.Old, r.New, true
	if !strings.Contains(text, old) {
		exact = false
		if old = findLoosely(text, r.Old); old == "" {
			return "", false, errNotFound
		}
		replaced = curlLike(old, r.New)
	}
	if !r.All && strings.Count(text, old) > 1 {
		return "", false, errAmbiguous
	}
	// A line that is replaced by nothing goes with its line feed.
	if replaced == "" && !strings.HasSuffix(old, "\n") && strings.Contains(text, old+"\n") {
		old += "\n"
	}
	count := 1
	if r.All {
		count = -1
	}
	return strings.Replace(text, old, replaced, count), exact, nil
}

var straight = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`)

// findLoosely returns the part of text that equals old when curly quotes count
// as straight ones, "" where there is none.
func findLoosely(text, old string) string {
	// Straightening changes byte offsets but no rune's position.
	flat := straight.Replace(text)
	at := strings.Index(flat, straight.Replace(old))
	if at < 0 {
		return ""
	}
	first := len([]rune(flat[:at]))
	count := len([]rune(old))
	return string([]rune(text)[first : first+count])
}

// curlLike gives the straight quotes of replaced the kind that found has.
func curlLike(found, replaced string) string {
	double := strings.ContainsAny(found, "“”")
	single := strings.ContainsAny(found, "‘’")
	out := []rune(replaced)
	for i, r := range out {
		opening := i == 0 || strings.ContainsRune(" \t\n\r([{—–", out[i-1])
		switch {
		case r == '"' && double && opening:
			out[i] = '“'
		case r == '"' && double:
			out[i] = '”'
		case r == '\'' && single && opening:
			out[i] = '‘'
		case r == '\'' && single:
			out[i] = '’'
		}
	}
	return string(out)
}

// hunk is the smallest replacement that turns before into after and whose old
// text is in before exactly once: whole lines, as few as possible, so that the
// client touches nothing else. before and after differ.
func hunk(before, after string) replacement {
	if before == "" {
		return replacement{New: after}
	}
	old, changed := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	first, last := 0, 0 // equal lines at the beginning, at the end
	for first < min(len(old), len(changed)) && old[first] == changed[first] {
		first++
	}
	for last < min(len(old), len(changed))-first && old[len(old)-1-last] == changed[len(changed)-1-last] {
		last++
	}
	for {
		r := replacement{
			Old: strings.Join(old[first:len(old)-last], ""),
			New: strings.Join(changed[first:len(changed)-last], ""),
		}
		// The client takes the line feed after an emptied part, too.
		greedy := r.New == "" && !strings.HasSuffix(r.Old, "\n") && strings.Contains(before, r.Old+"\n")
		// The client replaces the first place that it finds.
		start := len(strings.Join(old[:first], ""))
		unique := r.Old != "" && strings.Count(before, r.Old) == 1 && strings.Index(before, r.Old) == start
		if unique && !greedy || first+last == 0 {
			return r
		}
		if first > 0 {
			first--
		}
		if last > 0 {
			last--
		}
	}
}
