package launcher

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// triedVar carries, from one sidekick to the next in the same chain of exec,
// which scripts named nvim have been tried. A script may be a wrapper that only
// calls sidekick again, and nothing in it tells for sure. A Neovim that starts
// takes the variable out of its environment.
const triedVar = "SIDEKICK_TRIED"

// patience is how often one script is tried: a chain of scripts that ends in no
// Neovim must end.
const patience = 3

// binary is a program that may be Neovim.
type binary struct {
	path   string // to execute
	script bool   // not machine code: what it calls cannot be known
}

// search looks for Neovim on PATH.
type search struct {
	path       string   // $PATH
	executable string   // this program
	tried      []string // from triedVar
	noScripts  bool     // pass scripts over
}

// find returns the first program called name on PATH that is not sidekick
// itself. Scripts that have been tried are put last, and left out when they have
// been tried often enough. isSidekick reports that there were programs of that
// name, all of them sidekick.
func (s search) find(name string) (found binary, ok, isSidekick bool) {
	var again *binary
	for _, dir := range filepath.SplitList(s.path) {
		if dir == "" {
			dir = "."
		}
		candidate := filepath.Join(dir, name)
		if !strings.Contains(candidate, "/") {
			candidate = "./" + candidate
		}
		b, ok, ours := s.inspect(candidate)
		isSidekick = isSidekick || ours || b.script && s.noScripts
		if !ok || b.script && s.noScripts {
			continue
		}
		times := s.times(b)
		if times == 0 {
			return b, true, false
		}
		isSidekick = true
		if times < patience && again == nil {
			again = &b
		}
	}
	if again != nil {
		return *again, true, false
	}
	return binary{}, false, isSidekick
}

// named returns the program of $SIDEKICK_NVIM, a path or a name to look for.
func (s search) named(value string) (found binary, ok bool) {
	if !strings.Contains(value, "/") {
		found, ok, _ = s.find(value)
		return found, ok
	}
	found, ok, _ = s.inspect(value)
	return found, ok
}

// times is how often b has been tried in this chain.
func (s search) times(b binary) int {
	n := 0
	for _, path := range s.tried {
		if b.script && path == b.path {
			n++
		}
	}
	return n
}

// inspect looks at one file. ok: it can be executed and is not sidekick; ours:
// it is sidekick, by a link or as a copy.
func (s search) inspect(candidate string) (b binary, ok, ours bool) {
	info, err := os.Stat(candidate)
	if err != nil || !info.Mode().IsRegular() || unix.Access(candidate, unix.X_OK) != nil {
		return b, false, false
	}
	if self, err := os.Stat(s.executable); err == nil && os.SameFile(info, self) {
		return b, false, true
	}
	b.path = candidate
	file, err := os.Open(candidate)
	if err != nil { // executable, but not to be read: no script then
		return b, true, false
	}
	defer file.Close()
	magic := make([]byte, 4)
	_, _ = io.ReadFull(file, magic)
	if isSidekick(file, magic) {
		return b, false, true
	}
	b.script = !machineCode(magic)
	return b, true, false
}

// machineCode tells ELF and Mach-O from text.
func machineCode(magic []byte) bool {
	for _, known := range []string{
		"\x7fELF", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe",
	} {
		if bytes.Equal(magic, []byte(known)) {
			return true
		}
	}
	return false
}

// isSidekick tells a copy of sidekick, of any version, from another program.
func isSidekick(file *os.File, magic []byte) bool {
	if !machineCode(magic) {
		return false
	}
	// buildinfo searches a program that has no such section from end to end,
	// which for Neovim takes longer than all the rest of the start.
	if f, err := elf.NewFile(file); err == nil && f.Section(".go.buildinfo") == nil {
		return false
	}
	info, err := buildinfo.Read(file)
	return err == nil && path.Base(info.Path) == "sidekick"
}
