package shellcmd

import (
	"path"
	"slices"
	"strings"
)

// abs returns the absolute values of a word that names a file. Where its
// beginning is unknown, it must end in a certain name: "$f", "$f.go" and
// "$dir/*" could be any file and name none, "$dir/main.go" does.
func (in *interp) abs(st *state, w string) []string {
	w = strings.TrimPrefix(w, "file://")
	switch {
	case w == "" || w == anything || w == "-":
		return nil
	case w[0] == '/':
		return []string{clean(w)}
	case strings.HasPrefix(w, anything):
		return certainEnd(clean(w))
	}
	out := make([]string, 0, len(st.cwds))
	for _, cwd := range st.cwds {
		if cwd == "" {
			out = append(out, certainEnd(clean(anything+"/"+w))...)
			continue
		}
		out = append(out, clean(cwd+"/"+w))
	}
	return out
}

func certainEnd(w string) []string {
	if i := strings.LastIndexByte(w, '/'); i < 0 || i+1 == len(w) || open(w[i:]) {
		return nil
	}
	return []string{w}
}

// real resolves links in the part of a value that is certain.
func (in *interp) real(p string) string {
	if in.env.Real == nil || p == "" || p[0] != '/' {
		return p
	}
	if r, ok := in.reals[p]; ok {
		return r
	}
	r := p
	if i := strings.IndexByte(p, 0); i < 0 {
		r = in.env.Real(p)
	} else if i = strings.LastIndexByte(p[:i], '/'); i > 0 {
		if r = in.env.Real(p[:i]) + p[i:]; strings.HasPrefix(r, "//") {
			r = r[1:]
		}
	}
	in.reals[p] = r
	return r
}

// each calls f with every absolute value of the words, as written and with
// links resolved, until something is hit.
func (in *interp) each(st *state, args []arg, f func(p string)) {
	for _, a := range args {
		for _, w := range a {
			for _, p := range in.abs(st, w) {
				if !in.step() {
					return
				}
				in.bytes += len(p)
				f(p)
				if r := in.real(p); r != p && in.hit == nil {
					f(r)
				}
			}
		}
	}
}

func (in *interp) touch(file, by string, effect Effect, dir string) {
	if in.hit == nil {
		if open(dir) {
			dir = ""
		}
		in.hit = &Touch{File: file, By: by, Effect: effect, Dir: dir}
	}
}

// file records that a command changes exactly the files that the words name.
func (in *interp) file(st *state, by string, effect Effect, args ...arg) {
	in.each(st, args, func(p string) {
		for _, f := range in.files {
			if match(p, f) {
				in.touch(f, by, effect, "")
			}
		}
	})
}

// tree records that a command changes the files that the words name and all
// below the folders that they name.
func (in *interp) tree(st *state, by string, effect Effect, args ...arg) {
	in.treeIf(st, by, effect, nil, args...)
}

// treeIf is tree for those files below a folder for which keep holds. A file
// that a word names exactly is always taken. rel is the file below the folder.
func (in *interp) treeIf(st *state, by string, effect Effect, keep func(file, dir, rel string) bool, args ...arg) {
	in.each(st, args, func(p string) {
		for _, f := range in.files {
			switch {
			case match(p, f):
				in.touch(f, by, effect, "")
			case !strings.HasPrefix(p, anything) && below(p, f):
				dir, rel := p, ""
				if !open(p) {
					rel = strings.TrimPrefix(f[len(p):], "/")
				}
				if keep == nil || keep(f, dir, rel) {
					in.touch(f, by, effect, dir)
				}
			}
		}
	})
}

// into records that a command puts files with the names of sources (a folder's
// with all below it) into the folder or file dest.
func (in *interp) into(st *state, by string, sources []arg, dest arg, recursive bool) {
	in.file(st, by, Writes, dest)
	for _, src := range sources {
		for _, s := range src {
			if s == anything {
				continue
			}
			for _, d := range dest {
				if d == anything || strings.Trim(d, "/") == anything {
					continue // an unknown folder: most likely not the file's own
				}
				base := path.Base(s)
				switch contents := strings.HasSuffix(s, "/.") || s == "." || s == ".."; {
				case recursive && contents:
					in.overlay(st, by, s, d)
				case recursive:
					in.overlay(st, by, s, d+"/"+base)
					in.overlay(st, by, s, d)
				default:
					in.file(st, by, Writes, arg{d + "/" + base})
				}
			}
		}
	}
}

// overlay records that the tree src is laid over the tree dest: a file below
// dest is written where src has one of that name.
func (in *interp) overlay(st *state, by, src, dest string) {
	in.treeIf(st, by, Writes, func(_, _, rel string) bool {
		if open(src) || rel == "" {
			return true
		}
		return slices.ContainsFunc(in.abs(st, src), func(s string) bool { return in.exists(s + "/" + rel) })
	}, arg{dest})
}

// exists reports whether an absolute name is there, as far as is known.
func (in *interp) exists(p string) bool {
	if open(p) || below(justMade, p) {
		return true
	}
	if in.env.Exists != nil {
		return in.env.Exists(p)
	}
	return slices.ContainsFunc(in.files, func(f string) bool { return below(p, f) })
}

// read returns the text of the files that a word names, or nothing.
func (in *interp) read(st *state, names ...arg) stream {
	var b strings.Builder
	for _, a := range names {
		name, ok := a.lit()
		if !ok || len(st.cwds) != 1 || st.cwds[0] == "" && !path.IsAbs(name) {
			return stream{}
		}
		for _, p := range in.abs(st, name) {
			text, ok := in.drafts[p]
			if !ok && in.env.Read != nil {
				text, ok = in.env.Read(p)
			}
			if !ok {
				return stream{}
			}
			in.bytes += len(text)
			b.WriteString(strings.ReplaceAll(text, "\x00", ""))
		}
	}
	return stream{text: b.String(), known: true}
}

// draft remembers what this command line writes into a file: a later part of
// it may run that file.
func (in *interp) draft(st *state, names []arg, text string) {
	for _, a := range names {
		if name, ok := a.lit(); ok {
			for _, p := range in.abs(st, name) {
				in.drafts[p] = text
			}
		}
	}
}

// root returns the nearest folder, dir or above it, that holds one of the
// named entries, or "".
func (in *interp) root(dir string, entries ...string) string {
	for {
		for _, e := range entries {
			if in.env.Exists != nil && in.env.Exists(path.Join(dir, e)) {
				return dir
			}
		}
		if dir == "/" || dir == "." || dir == "" {
			return ""
		}
		dir = path.Dir(dir)
	}
}

// hasExt reports whether a file's name ends in one of the extensions (with
// their dots), or is one of them. No extensions: any name will do.
func hasExt(file string, exts []string) bool {
	return len(exts) == 0 || slices.ContainsFunc(exts, func(e string) bool {
		return strings.HasSuffix(file, e) || path.Base(file) == e
	})
}
