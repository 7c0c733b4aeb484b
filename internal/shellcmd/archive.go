package shellcmd

import (
	"path"
	"strings"
)

// Archives and compressed files.
func registerArchive() {
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "d x P")
		if o.has("l", "t", "v", "Z", "p", "c") {
			return stream{}
		}
		in.unpack(st, c.name, o.values("d"), nil)
		return stream{}
	}, "unzip")
	register(tar, "tar", "gtar", "bsdtar")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "S suffix b T")
		if o.has("c", "stdout", "to-stdout", "l", "list", "t", "test") {
			return stream{}
		}
		for _, a := range o.rest {
			in.file(st, c.name, Writes, each(a, func(s string) string { return strings.TrimSuffix(s, path.Ext(s)) }))
			if !o.has("k", "keep") && !strings.HasPrefix(c.name, "zstd") && !strings.HasPrefix(c.name, "unzstd") {
				in.file(st, c.name, Removes, a)
			}
		}
		return stream{}
	}, "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "lzma", "zstd", "unzstd", "uncompress", "compress")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "")
		if len(o.rest) > 0 && (o.rest[0][0] == "x" || o.rest[0][0] == "e") {
			dest := arg{"."}
			for _, a := range c.args {
				if d, ok := strings.CutPrefix(a[0], "-o"); ok && d != "" {
					dest = arg{d}
				}
			}
			in.unpack(st, c.name, []arg{dest}, nil)
		}
		return stream{}
	}, "7z", "7za", "7zz", "unrar")
	register(func(in *interp, st *state, c *call) stream {
		o := options(c.args, "")
		if len(o.rest) > 0 { // zip out.zip files
			in.file(st, c.name, Writes, o.rest[0])
			if o.has("m", "move") {
				in.tree(st, "zip -m", Removes, o.rest[1:]...)
			}
		}
		return stream{}
	}, "zip")
}

// unpack records that an archive is unpacked into a folder. What it holds is
// not known, so everything below may be replaced, or what is named.
func (in *interp) unpack(st *state, by string, dirs, members []arg) {
	if len(dirs) == 0 {
		dirs = []arg{{"."}}
	}
	if len(members) == 0 {
		in.tree(st, by, Replaces, dirs...)
		return
	}
	for _, d := range dirs {
		for _, m := range members {
			in.tree(st, by, Replaces, cross(cross(d, arg{"/"}), m))
		}
	}
}

func tar(in *interp, st *state, c *call) stream {
	args := c.args
	if len(args) > 0 && !strings.HasPrefix(args[0][0], "-") { // tar xzf a.tgz
		args = append([]arg{{"-" + args[0][0]}}, args[1:]...)
	}
	o := options(args, "f file C directory T files-from X exclude exclude-from transform strip-components b I use-compress-program")
	switch {
	case o.has("x", "extract", "get"):
		if !o.has("O", "to-stdout", "k", "keep-old-files") {
			members := o.rest
			if o.has("strip-components", "transform") {
				members = nil
			}
			in.unpack(st, "tar x", o.values("C", "directory"), members)
		}
	case o.has("c", "create", "r", "u", "append", "update"):
		in.file(st, "tar", Writes, o.values("f", "file")...)
		if o.has("remove-files") {
			in.tree(st, "tar --remove-files", Removes, o.rest...)
		}
	}
	return stream{}
}
