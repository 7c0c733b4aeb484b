package launcher

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// triedVar carries, along a chain of exec, the programs named nvim that are
// sidekick or may be: a script may be a wrapper that only calls sidekick again,
// and nothing in it tells for sure. It is not in the environment otherwise, and
// a Neovim that starts takes it out.
const triedVar = "SIDEKICK_TRIED"

// patience is how often one script is tried: a chain of scripts that ends in no
// Neovim must end.
const patience = 3

// binary is a program that may be Neovim.
type binary struct {
	path   string // to execute
	script bool   // not machine code: what it calls cannot be known
	info   os.FileInfo
}

// search looks for Neovim.
type search struct {
	path       string   // $PATH
	executable string   // this program
	tried      []string // from triedVar
	noScripts  bool     // pass scripts over
}

// find returns the first program called name on PATH that is not sidekick.
// Those that have been tried come last, and not at all when that was often
// enough. sidekick reports that something was passed over.
func (s search) find(name string) (found binary, ok, sidekick bool) {
	var again *binary
	for _, dir := range filepath.SplitList(s.path) {
		candidate := filepath.Join(dir, name)
		if !strings.Contains(candidate, "/") { // an empty entry is the working directory
			candidate = "./" + candidate
		}
		b, ok, itself := s.inspect(candidate)
		if !ok || b.script && s.noScripts {
			sidekick = sidekick || itself || ok
			continue
		}
		times := s.times(b)
		if times == 0 {
			return b, true, false
		}
		sidekick = true
		if b.script && times < patience && again == nil {
			again = &b
		}
	}
	if again != nil {
		return *again, true, false
	}
	return binary{}, false, sidekick
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
		if info, err := os.Stat(path); err == nil && os.SameFile(info, b.info) {
			n++
		}
	}
	return n
}

// inspect looks at one file. ok: it can be executed and is not this program;
// itself: it is, by whatever link, or a script that calls it.
func (s search) inspect(candidate string) (b binary, ok, itself bool) {
	info, err := os.Stat(candidate)
	if err != nil || !info.Mode().IsRegular() || unix.Access(candidate, unix.X_OK) != nil {
		return b, false, false
	}
	if self, err := os.Stat(s.executable); err == nil && os.SameFile(info, self) {
		return b, false, true
	}
	b = binary{path: candidate, info: info}
	head := readHead(candidate)
	b.script = len(head) > 0 && !machineCode(head)
	if b.script && callsSidekick(head) {
		return b, false, true
	}
	return b, true, false
}

// readHead returns the start of a file, nothing where it may not be read.
func readHead(path string) []byte {
	// Not os.Open, which starts the poller for a file: this runs at every start.
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	head := make([]byte, 4096)
	n, err := unix.Read(fd, head)
	if err != nil {
		return nil
	}
	return head[:n]
}

// machineCode tells ELF and Mach-O from text.
func machineCode(head []byte) bool {
	for _, magic := range []string{"\x7fELF", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe"} {
		if strings.HasPrefix(string(head[:min(4, len(head))]), magic) {
			return true
		}
	}
	return false
}

// callsSidekick reports whether a script has the words "sidekick nvim". Such a
// wrapper may clear the environment, and triedVar with it.
func callsSidekick(script []byte) bool {
	words := strings.FieldsFunc(string(script), func(r rune) bool {
		return strings.ContainsRune(" \t\n\"';&|", r)
	})
	for i, word := range words[:max(0, len(words)-1)] {
		if filepath.Base(word) == "sidekick" && (words[i+1] == "nvim" || words[i+1] == "neovim") {
			return true
		}
	}
	return false
}
