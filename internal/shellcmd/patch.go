package shellcmd

import (
	"path"
	"strconv"
	"strings"
)

func registerPatch() {
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "p strip d directory i input o output r reject-file D F fuzz B Y z V")
		if o.has("dry-run", "C", "check") {
			return stream{}
		}
		st = st.fork()
		if dirs := o.values("d", "directory"); len(dirs) > 0 {
			cd(in, st, &call{args: dirs[:1]})
		}
		if outs := o.values("o", "output"); len(outs) > 0 {
			in.file(st, "patch", Writes, outs...)
			return stream{}
		}
		if len(o.rest) > 0 { // patch FILE [DIFF]
			in.file(st, "patch", Writes, o.rest[0])
			return stream{}
		}
		diff := c.in
		if from := o.values("i", "input"); len(from) > 0 {
			diff = in.read(st, from[0])
		}
		if !diff.known {
			in.tree(st, "patch", Replaces, arg{"."})
			return stream{}
		}
		in.patched(st, "patch", diff.text, strip(o, -1))
		return stream{}
	}, "patch", "gpatch")
}

// diff returns the diff that git apply is given; input that nobody can see is
// not known.
func (g *gitCall) diff(files []arg) stream {
	if len(files) == 0 || files[0][0] == "-" {
		return g.input
	}
	return g.in.read(g.st, files...)
}

// strip returns the number of -p, or def.
func strip(o opts, def int) int {
	for _, a := range o.values("p", "strip") {
		if n, err := strconv.Atoi(a[0]); err == nil {
			return n
		}
	}
	return def
}

// patched records the files that a diff names. strip is the number of leading
// folders to leave out; below 0 both usual readings count.
func (in *interp) patched(st *state, by, diff string, strip int) {
	for line := range strings.Lines(diff) {
		name := ""
		for _, head := range []string{"--- ", "+++ ", "rename from ", "rename to ", "Index: "} {
			if rest, ok := strings.CutPrefix(line, head); ok {
				name, _, _ = strings.Cut(strings.TrimRight(rest, "\r\n"), "\t")
				if strings.HasPrefix(head, "rename") {
					in.file(st, by, Writes, arg{name})
				}
			}
		}
		if name == "" || name == "/dev/null" {
			continue
		}
		if s, err := strconv.Unquote(name); err == nil {
			name = s
		}
		parts := strings.Split(name, "/")
		switch {
		case strip < 0:
			in.file(st, by, Writes, arg{name, path.Base(name), path.Join(parts[min(1, len(parts)-1):]...)})
		case strip < len(parts):
			in.file(st, by, Writes, arg{path.Join(parts[strip:]...)})
		}
	}
}
