package shellcmd

import (
	"slices"
	"strings"
)

// psWord is one word of a PowerShell command.
type psWord struct {
	text     string // quotes and escapes taken away
	single   bool   // '...': no variables
	quoted   bool
	block    bool // { ... }: text is what is inside
	redirect bool // > >> 2> *>
}

// psStatement is one command of a pipeline; piped says that it reads the
// output of the one before.
type psStatement struct {
	words []psWord
	piped bool
}

// psStatements splits a PowerShell text. Parentheses begin a command of their
// own; the words inside { } of a keyword do, too.
func psStatements(text string) []psStatement {
	var out []psStatement
	var cur psStatement
	end := func(piped bool) {
		if len(cur.words) > 0 {
			out = append(out, cur)
		}
		cur = psStatement{piped: piped}
	}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == ',':
			i++
		case c == '`' && i+1 < len(text) && text[i+1] == '\n':
			i += 2
		case c == '\n' || c == ';' || c == '(' || c == ')' || c == '}':
			end(false)
			i++
		case c == '|' || c == '&':
			n := 1
			for i+n < len(text) && text[i+n] == c {
				n++
			}
			end(c == '|' && n == 1)
			i += n
		case c == '#':
			if j := strings.IndexByte(text[i:], '\n'); j >= 0 {
				i += j
			} else {
				i = len(text)
			}
		case c == '{':
			inner, n := psBlock(text[i:])
			i += n
			if len(cur.words) > 0 && !slices.Contains(psKeyword, strings.ToLower(cur.words[0].text)) {
				cur.words = append(cur.words, psWord{text: inner, block: true})
				continue
			}
			end(false)
			i -= n - 1 // a keyword's block: its commands are the text's own
		default:
			w, n := psNext(text[i:])
			i += n
			cur.words = append(cur.words, w)
		}
	}
	end(false)
	return out
}

// psBlock returns the inside of the { } that text begins with, and its length.
func psBlock(text string) (inner string, n int) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[1:i], i + 1
			}
		}
	}
	return text[1:], len(text)
}

// psNext reads one word.
func psNext(text string) (w psWord, n int) {
	for _, op := range []string{"*>>", "2>>", "1>>", ">>", "*>", "2>", "1>", ">"} {
		if strings.HasPrefix(text, op) {
			if strings.HasPrefix(text[len(op):], "&") { // 2>&1
				return psWord{text: op}, min(len(op)+2, len(text))
			}
			return psWord{redirect: true}, len(op)
		}
	}
	for _, quote := range []string{"'", `"`} { // @' ... '@
		if strings.HasPrefix(text, "@"+quote) {
			if j := strings.Index(text, "\n"+quote+"@"); j >= 0 {
				return psWord{text: text[2:j], single: quote == "'", quoted: true}, j + 3
			}
		}
	}
	var b strings.Builder
	i := 0
scan:
	for i < len(text) {
		switch c := text[i]; c {
		case '\'', '"':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				b.WriteString(text[i+1:])
				i = len(text)
				break scan
			}
			b.WriteString(text[i+1 : i+1+end])
			w.quoted, w.single = true, c == '\''
			i += end + 2
		case '`':
			if i+1 < len(text) {
				b.WriteByte(text[i+1])
			}
			i += 2
		case ' ', '\t', '\r', '\n', ';', '|', '(', ')', '{', '}', ',', '>':
			if i == 0 { // not a word's beginning: take it, to get on
				b.WriteByte(c)
				i++
			}
			break scan
		default:
			b.WriteByte(c)
			i++
		}
	}
	w.text = b.String()
	return w, min(i, len(text))
}

func psSlashes(s string) string { return strings.ReplaceAll(s, `\`, "/") }

// psValue expands a word's variables and makes its backslashes slashes.
func (in *interp) psValue(st *state, w psWord) arg {
	out := arg{""}
	text := psSlashes(w.text)
	if w.single || strings.IndexByte(text, '$') < 0 {
		if strings.HasPrefix(text, "~/") && in.env.Home != "" {
			text = in.env.Home + text[1:]
		}
		return arg{text}
	}
	for text != "" {
		before, rest, found := strings.Cut(text, "$")
		out = in.cross(out, arg{before})
		if text = rest; !found {
			break
		}
		n := 0
		if strings.HasPrefix(text, "{") {
			n = strings.IndexByte(text, '}') + 1
		} else {
			for n < len(text) && (wordByte(text[n]) && text[n] != '-' || text[n] == ':') {
				n++
			}
		}
		name := strings.ToLower(strings.Trim(text[:n], "{}"))
		text = text[n:]
		for _, property := range []string{".FullName", ".Name", ".PSPath", ".Path"} {
			text = strings.TrimPrefix(text, property)
		}
		v, ok := st.vars[name]
		if !ok && name == "pwd" {
			v, ok = value{alts: known(st.cwds)}, true
		}
		if !ok && (name == "home" || name == "env:userprofile") {
			v, ok = value{alts: known([]string{in.env.Home})}, true
		}
		if !ok && strings.HasPrefix(name, "env:") {
			v, ok = in.lookup(st, strings.ToUpper(name[4:]))
		}
		if !ok || len(v.alts) == 0 {
			v.alts = arg{anything}
		}
		out = in.cross(out, v.alts)
	}
	return out
}
