// Package lua holds the part of sidekick that runs inside Neovim.
package lua

import (
	"embed"
	"encoding/hex"
	"io/fs"
	"sort"
	"strings"
	"sync"

	"lukechampine.com/blake3"
)

// FS is the Lua tree as a runtime path's lua/ folder has it.
//
//go:embed all:_sidekick
var FS embed.FS

// Runtime is the tree as it travels to a Neovim.
type Runtime struct {
	Version string            // content hash, 16 hex digits
	Boot    string            // source of boot.lua, which loads the rest
	Modules map[string]string // module name ("_sidekick.reload") -> source
}

// Load returns the embedded runtime. It is computed once.
var Load = sync.OnceValue(func() Runtime {
	r := Runtime{Modules: map[string]string{}}
	var names []string
	sources := map[string]string{}
	err := fs.WalkDir(FS, "_sidekick", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".lua") {
			return err
		}
		text, err := FS.ReadFile(path)
		names = append(names, path)
		sources[path] = string(text)
		return err
	})
	if err != nil {
		panic(err) // the tree is part of this binary
	}
	sort.Strings(names)
	hash := blake3.New(32, nil)
	for _, path := range names {
		hash.Write([]byte(path + "\x00" + sources[path] + "\x00"))
		if path == "_sidekick/boot.lua" {
			r.Boot = sources[path]
			continue
		}
		r.Modules[moduleName(path)] = sources[path]
	}
	r.Version = hex.EncodeToString(hash.Sum(nil)[:8])
	return r
})

// moduleName turns "_sidekick/a/b.lua" into "_sidekick.a.b".
func moduleName(path string) string {
	name := strings.ReplaceAll(strings.TrimSuffix(path, ".lua"), "/", ".")
	return strings.TrimSuffix(name, ".init")
}
