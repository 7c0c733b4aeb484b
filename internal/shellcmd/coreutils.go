package shellcmd

import (
	"path"
	"strings"
)

func registerCoreutils() {
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "")
		in.file(st, "tee", Writes, o.rest...)
		if c.in.known {
			in.draft(st, o.rest, c.in.text)
		}
		return c.in
	}, "tee")
	register(func(in *interp, st *state, c *call) stream {
		in.file(st, c.name, Writes, options(c.args, "").rest...)
		return stream{}
	}, "sponge", "dos2unix", "unix2dos", "mac2unix", "nano", "emacs", "micro")
	register(func(in *interp, st *state, c *call) stream {
		in.file(st, c.name, Writes, options(c.args, "s size r reference io-blocks").rest...)
		return stream{}
	}, "truncate")
	register(func(in *interp, st *state, c *call) stream {
		in.file(st, c.name, Removes, options(c.args, "n iterations s size random-source").rest...)
		return stream{}
	}, "shred", "unlink", "srm")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "")
		if o.has("r", "R", "recursive") || c.name != "rm" {
			in.tree(st, c.name, Removes, o.rest...)
		} else {
			in.file(st, c.name, Removes, o.rest...)
		}
		return stream{}
	}, "rm", "trash", "trash-put", "gio", "rimraf", "del-cli")
	register(move, "mv", "gmv")
	register(copyFiles, "cp", "gcp", "install", "ginstall", "ditto")
	register(link, "ln")
	register(func(in *interp, st *state, c *call) stream {
		for _, a := range c.args {
			for _, s := range a {
				if of, ok := strings.CutPrefix(s, "of="); ok {
					in.file(st, "dd", Writes, arg{of})
				}
			}
		}
		return stream{}
	}, "dd")
	register(rsync, "rsync", "scp")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "o output k key t S T field-separator buffer-size temporary-directory")
		in.file(st, "sort -o", Writes, o.values("o", "output")...)
		return in.filter(st, c, o.rest)
	}, "sort", "gsort")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "f s w skip-fields skip-chars check-chars")
		if len(o.rest) > 1 {
			in.file(st, "uniq", Writes, o.rest[1])
		}
		return in.filter(st, c, o.rest[:min(1, len(o.rest))])
	}, "uniq")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "o output d data H header X request u user A user-agent e b c cookie cookie-jar m max-time w write-out F form T dump-header D x output-dir retry connect-timeout data-raw data-binary")
		in.file(st, "curl -o", Writes, o.values("o", "output", "D", "dump-header", "c", "cookie-jar")...)
		if o.has("O", "remote-name") {
			for _, url := range o.rest {
				in.file(st, "curl -O", Writes, urlNames(url)...)
			}
		}
		return stream{}
	}, "curl")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "O output-document o output-file a P directory-prefix header t T timeout tries U user password e Q post-data")
		in.file(st, "wget -O", Writes, o.values("O", "output-document", "o", "output-file", "a")...)
		if !o.has("O", "output-document") && o.has("N", "timestamping", "nc") {
			for _, url := range o.rest { // without -N, wget picks a free name
				in.file(st, "wget", Writes, urlNames(url)...)
			}
		}
		return stream{}
	}, "wget")
}

func urlNames(url arg) []arg {
	return []arg{each(url, func(u string) string {
		u, _, _ = strings.Cut(u, "?")
		return path.Base(u)
	})}
}

// split returns the sources and the target of a mv or cp.
func split(o opts) (sources []arg, dest arg, ok bool) {
	if t := o.values("t", "target-directory"); len(t) > 0 {
		return o.rest, t[0], len(o.rest) > 0
	}
	n := len(o.rest)
	if n == 1 && len(o.rest[0]) > 1 { // "$@" and the like, put together
		return o.rest, o.rest[0], true
	}
	if n < 2 {
		return nil, nil, false
	}
	return o.rest[:n-1], o.rest[n-1], true
}

func move(in *interp, st *state, c *call) stream {
	o := options(c.args, "t target-directory S suffix")
	sources, dest, ok := split(o)
	if !ok {
		return stream{}
	}
	in.tree(st, c.name, Moves, sources...)
	if !o.has("n", "no-clobber") {
		in.into(st, c.name, sources, dest, false)
	}
	return stream{}
}

func copyFiles(in *interp, st *state, c *call) stream {
	o := options(c.args, "t target-directory S suffix m mode o owner g group")
	if c.name == "install" && o.has("d", "directory") {
		return stream{}
	}
	sources, dest, ok := split(o)
	if !ok || o.has("n", "no-clobber") {
		return stream{}
	}
	in.into(st, c.name, sources, dest, o.has("r", "R", "a", "recursive", "archive") || c.name == "ditto")
	if len(sources) == 1 {
		if s := in.read(st, sources[0]); s.known {
			in.draft(st, []arg{dest}, s.text)
		}
	}
	return stream{}
}

func link(in *interp, st *state, c *call) stream {
	o := options(c.args, "t target-directory S suffix")
	if !o.has("f", "force") {
		return stream{} // refuses an existing name
	}
	if len(o.rest) == 1 && !o.has("t", "target-directory") {
		in.file(st, "ln -f", Writes, each(o.rest[0], path.Base))
		return stream{}
	}
	if sources, dest, ok := split(o); ok {
		in.into(st, "ln -f", sources, dest, false)
	}
	return stream{}
}

func rsync(in *interp, st *state, c *call) stream {
	o := options(c.args, "e rsh f filter exclude include exclude-from include-from files-from out-format log-file T temp-dir B M P i c F S l p chmod chown timeout bwlimit")
	if c.name == "rsync" { // -P and the like take nothing in rsync
		o = options(c.args, "e rsh f filter exclude include exclude-from include-from files-from out-format log-file T temp-dir B M chmod chown timeout bwlimit")
		if o.has("n", "dry-run", "list-only") {
			return stream{}
		}
	}
	if o.has("remove-source-files") && len(o.rest) > 1 {
		in.tree(st, c.name, Removes, o.rest[:len(o.rest)-1]...)
	}
	n := len(o.rest)
	if n < 2 {
		return stream{}
	}
	for _, dest := range o.rest[n-1] {
		if i := strings.IndexByte(dest, ':'); i > 0 && !strings.Contains(dest[:i], "/") {
			continue // another machine
		}
		for _, src := range o.rest[:n-1] {
			for _, s := range src {
				switch i := strings.IndexByte(s, ':'); {
				case i > 0 && !strings.Contains(s[:i], "/"), o.has("delete", "delete-after", "delete-during", "delete-before"):
					in.tree(st, c.name, Writes, arg{dest}) // what it holds is not known here
				case strings.HasSuffix(s, "/") || s == ".":
					in.overlay(st, c.name, s, dest)
				default:
					in.overlay(st, c.name, s, dest+"/"+path.Base(s))
					in.file(st, c.name, Writes, arg{dest})
				}
			}
		}
	}
	return stream{}
}
