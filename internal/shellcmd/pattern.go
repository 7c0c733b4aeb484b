package shellcmd

import (
	"path"
	"strings"
)

// A word's value is text in which a NUL marks what the command line leaves
// open. No command line and no file name can hold a NUL.
//
//	NUL A   anything, slashes too: an unknown value
//	NUL G   the same, where it is meant: ** of a glob, a folder's whole tree
//	NUL *   a shell's *: within one part, no dot at its beginning
//	NUL s   find's and git's *: within one part
//	NUL ?   one character
//	NUL [ ... NUL ]   a class, as between the brackets of a glob
const (
	anything = "\x00A"
	deep     = "\x00G"
	star     = "\x00s"
)

func open(s string) bool { return strings.IndexByte(s, 0) >= 0 }

// glob turns the * ? [ ] of unquoted text into marks.
func glob(s string) string {
	if !strings.ContainsAny(s, "*?[") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case 0:
			b.WriteByte(c)
			if i++; i < len(s) {
				b.WriteByte(s[i])
			}
		case '*':
			if strings.HasPrefix(s[i:], "**/") {
				b.WriteString(deep)
				i += 2
			} else if strings.HasPrefix(s[i:], "**") {
				b.WriteString(deep)
				i++
			} else {
				b.WriteString("\x00*")
			}
		case '?':
			b.WriteString("\x00?")
		case '[':
			end := strings.IndexByte(s[min(i+2, len(s)):], ']')
			if end < 0 {
				b.WriteByte(c)
				continue
			}
			end += min(i+2, len(s))
			b.WriteString("\x00[" + s[i+1:end] + "\x00]")
			i = end
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// treeGlob is glob for find -name, git pathspecs and the like, whose * takes
// a leading dot, and in git also slashes.
func treeGlob(s string, slashes bool) string {
	by := star
	if slashes {
		by = deep
	}
	return strings.ReplaceAll(glob(s), "\x00*", by)
}

// match reports whether the whole of s fits pattern p.
func match(p, s string) bool {
	if !open(p) {
		return p == s
	}
	at := make([]bool, len(s)+1) // at[i]: the pattern so far can have eaten s[:i]
	at[0] = true
	next := make([]bool, len(s)+1)
	for len(p) > 0 {
		clear(next)
		kind, arg, n := byte(0), p[:1], 1
		if p[0] == 0 && len(p) > 1 {
			kind, n = p[1], 2
			if kind == '[' {
				end := strings.Index(p, "\x00]")
				if end < 0 {
					return false
				}
				arg, n = p[2:end], end+2
			}
		}
		some := false
		for i, ok := range at {
			if !ok {
				continue
			}
			switch kind {
			case 'A', 'G', 's', '*':
				for j := i; ; j++ {
					next[j], some = true, true
					if j == len(s) || (kind != 'A' && kind != 'G' && s[j] == '/') ||
						(kind == '*' && s[j] == '.' && (j == 0 || s[j-1] == '/')) {
						break
					}
					if j > i && at[j] {
						break // the later start covers the rest
					}
				}
			default:
				if i < len(s) && eats(kind, arg, s[i]) {
					next[i+1], some = true, true
				}
			}
		}
		if !some {
			return false
		}
		at, next, p = next, at, p[n:]
	}
	return at[len(s)]
}

func eats(kind byte, arg string, c byte) bool {
	switch kind {
	case 0:
		return arg[0] == c
	case '?':
		return c != '/'
	}
	not := len(arg) > 0 && (arg[0] == '!' || arg[0] == '^')
	if not {
		arg = arg[1:]
	}
	if strings.Contains(arg, "[:") {
		return c != '/' // a named class: close enough
	}
	in := false
	for i := 0; i < len(arg); i++ {
		if i+2 < len(arg) && arg[i+1] == '-' {
			in = in || (arg[i] <= c && c <= arg[i+2])
			i += 2
		} else {
			in = in || arg[i] == c
		}
	}
	return in != not && c != '/'
}

// clean is path.Clean for values: a ".." that follows something unknown leaves
// only what comes after it.
func clean(p string) string {
	if !open(p) {
		return path.Clean(p)
	}
	if i := strings.LastIndex(p, "/../"); i >= 0 && strings.IndexByte(p, 0) < i {
		return anything + "/" + p[i+len("/../"):]
	}
	var keep []string
	for i, part := range strings.Split(p, "/") {
		switch {
		case part == "." || part == "" && i > 0:
		case part == ".." && len(keep) > 1:
			keep = keep[:len(keep)-1]
		default:
			keep = append(keep, part)
		}
	}
	return strings.Join(keep, "/")
}

// below reports whether file is p or lies in the folder p.
func below(p, file string) bool {
	if !open(p) {
		return p == "/" || file == p || (len(file) > len(p) && file[len(p)] == '/' && file[:len(p)] == p)
	}
	for i := 1; i <= len(file); i++ {
		if (i == len(file) || file[i] == '/') && match(p, file[:i]) {
			return true
		}
	}
	return false
}
