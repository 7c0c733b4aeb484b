package socket

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sidekick/internal/process"
)

// World is what discovery sees of the machine.
type World struct {
	Env
	Nvim          string         // $NVIM: the Neovim whose terminal or job we run in
	ListenAddress string         // $NVIM_LISTEN_ADDRESS
	Proc          string         // where procfs is mounted: "/proc"
	Now           time.Time      // to tell a dead socket from one that was just bound
	Processes     *process.Table // may be nil; shared with others who look at them
}

// Found is a Neovim that can be asked.
type Found struct {
	Address  string // absolute path of a Unix socket, or a loopback "host:port"
	PID      int    // of the process that listens, 0 where not known
	Launched bool   // at a socket that `sidekick nvim` made
	Stopped  bool   // by a signal (CTRL-Z on 0.7, kill -STOP): it cannot answer
}

// Find returns the Neovims of this user, whoever started them, each once where
// the system tells which sockets belong to one process. Ours come first, then
// by address.
//
// On Linux the kernel's table of listening sockets is the main source: it has
// a person's own --listen wherever it is, and needs no connection to tell who
// lives. Folders are read for what the table cannot show (another network
// namespace, another system), and a socket found only there is connected to
// once. Dead sockets of ours are removed on the way.
//
// A socket counts when it and its folder belong to the user and no link that
// others could have made leads to it. Whoever connects must still call
// [CheckPeer]: between the two the path can change hands.
func Find(w World) []Found {
	if w.Processes == nil {
		w.Processes = &process.Table{Proc: w.Proc}
	}
	w.Processes.Refresh()
	f := finder{World: w, byAddress: map[string]int{}}
	listed, complete := f.listening()
	for _, found := range listed {
		f.add(found)
	}
	f.addFolders(complete)
	f.addNamed(w.Nvim)
	f.addNamed(w.ListenAddress)
	return f.once()
}

// finder collects candidates.
type finder struct {
	World
	found     []Found
	byAddress map[string]int   // index into found
	dirs      map[string]error // folders that were checked
	links     int              // followed so far
}

func (f *finder) has(address string) bool {
	_, ok := f.byAddress[address]
	return ok
}

// add takes a Neovim that is known to live.
func (f *finder) add(found Found) {
	if f.has(found.Address) || f.trusted(found.Address) != nil {
		return
	}
	found.Launched = f.launched(found.Address)
	f.byAddress[found.Address] = len(f.found)
	f.found = append(f.found, found)
}

// addNamed takes an address that the environment names.
func (f *finder) addNamed(address string) {
	switch {
	case address == "" || f.has(address):
	case filepath.IsAbs(address):
		f.addUnlisted(filepath.Clean(address), 0)
	case f.loopback(address):
		f.byAddress[address] = len(f.found)
		f.found = append(f.found, Found{Address: address})
	}
}

// once drops all but the best address of each process and of each file.
func (f *finder) once() []Found {
	slices.SortStableFunc(f.found, func(a, b Found) int {
		if a.Launched != b.Launched {
			return map[bool]int{true: -1, false: 1}[a.Launched]
		}
		return cmp.Compare(a.Address, b.Address)
	})
	var infos []os.FileInfo
	pids := map[int]bool{}
	return slices.DeleteFunc(f.found, func(found Found) bool {
		if found.PID != 0 && pids[found.PID] {
			return true
		}
		info, err := os.Lstat(found.Address)
		if err == nil && slices.ContainsFunc(infos, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
			return true
		}
		infos = append(infos, info)
		pids[found.PID] = true
		return false
	})
}

// launched reports whether address is in a runtime dir of ours, or is one that
// the Rust sidekick would have made.
func (f *finder) launched(address string) bool {
	dir, name := filepath.Split(address)
	dir = filepath.Clean(dir)
	if slices.Contains(f.Dirs(), dir) {
		return true
	}
	return dir == "/tmp" && isRustName(name)
}

// isRustName reports whether name is that of a socket of the Rust sidekick:
// 64 hex digits, "-", pid, ".sock".
func isRustName(name string) bool {
	hash, rest, ok := strings.Cut(name, "-")
	pid, isSock := strings.CutSuffix(rest, ".sock")
	if !ok || !isSock || len(hash) != 64 || strings.Trim(hash, "0123456789abcdef") != "" {
		return false
	}
	_, err := strconv.ParseUint(pid, 10, 31)
	return err == nil
}
