// Package lua holds the part of sidekick that runs inside Neovim.
package lua

import (
	"embed"
	"encoding/hex"
	"io"
	"io/fs"
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
	r := Runtime{Version: Version(), Modules: map[string]string{}}
	must(walk(func(path string) error {
		text, err := FS.ReadFile(path)
		if path == "_sidekick/boot.lua" {
			r.Boot = string(text)
		} else {
			r.Modules[moduleName(path)] = string(text)
		}
		return err
	}))
	return r
})

// Version returns the content hash of the tree. It is what most calls need of
// the runtime, so it copies no source: every page of memory that a process
// touches for the first time counts in the time that it takes to start.
var Version = sync.OnceValue(func() string {
	hash := blake3.New(32, nil)
	buffer := make([]byte, 1<<10) // one chunk of blake3: more at once starts goroutines
	must(walk(func(path string) error {
		file, err := FS.Open(path)
		if err != nil {
			return err
		}
		hash.Write([]byte(path + "\x00"))
		_, err = io.CopyBuffer(hash, file, buffer)
		hash.Write([]byte{0})
		return err
	}))
	return hex.EncodeToString(hash.Sum(nil)[:8])
})

// walk visits the Lua files in the order of their names.
func walk(visit func(path string) error) error {
	return fs.WalkDir(FS, "_sidekick", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".lua") {
			return err
		}
		return visit(path)
	})
}

// must ends the program: the tree is part of this binary.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// moduleName turns "_sidekick/a/b.lua" into "_sidekick.a.b".
func moduleName(path string) string {
	name := strings.ReplaceAll(strings.TrimSuffix(path, ".lua"), "/", ".")
	return strings.TrimSuffix(name, ".init")
}
