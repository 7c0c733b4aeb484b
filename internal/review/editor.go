package review

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Client is the Claude Code process that asks, as a hook sees it from below.
type Client struct {
	ConfigDir string // $CLAUDE_CONFIG_DIR or ~/.claude
	StateFile string // .claude.json
	Port      string // $CLAUDE_CODE_SSE_PORT, "" where it is not set
	Pid       int    // of the hook: the client is among its parents
	Proc      string // /proc, where the system has it
}

// EditorShowsDiffs reports whether an editor (claudecode.nvim, VS Code, ...) is
// connected to the client and shows its diffs: then the question is asked there
// already.
//
// Linux tells whether the client holds a connection to the port that a lock
// file names. Elsewhere the port in the environment has to do; an editor that
// the person chose with /ide is not seen there.
func (c Client) EditorShowsDiffs() bool {
	ports := c.ports()
	if len(ports) == 0 || c.diffsInTerminal() {
		return false
	}
	inodes, ok := connections(c.Proc, ports)
	if !ok {
		return c.Port != "" && ports[c.Port]
	}
	if len(inodes) == 0 {
		return false
	}
	for pid := c.Pid; pid > 1; {
		if pid = parent(c.Proc, pid); pid > 1 && holdsAny(c.Proc, pid, inodes) {
			return true
		}
	}
	return false
}

// ports are those of the editors whose process is alive.
func (c Client) ports() map[string]bool {
	ports := map[string]bool{}
	locks, _ := filepath.Glob(filepath.Join(c.ConfigDir, "ide", "*.lock"))
	for _, path := range locks {
		var lock struct {
			Pid int `json:"pid"`
		}
		text, err := os.ReadFile(path)
		if err != nil || json.Unmarshal(text, &lock) != nil || !alive(lock.Pid) {
			continue
		}
		ports[strings.TrimSuffix(filepath.Base(path), ".lock")] = true
	}
	return ports
}

func alive(pid int) bool {
	if pid <= 0 {
		return true // a lock that names no process proves nothing
	}
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}

// diffsInTerminal reports whether the person has turned the editor's diffs off.
func (c Client) diffsInTerminal() bool {
	text, err := os.ReadFile(c.StateFile)
	if err != nil {
		return false
	}
	var state struct {
		DiffTool string `json:"diffTool"`
	}
	return json.Unmarshal(text, &state) == nil && state.DiffTool == "terminal"
}

// connections returns the inodes of the established TCP sockets that were
// connected to one of ports on this machine. ok is false where the system has
// no such list.
func connections(proc string, ports map[string]bool) (inodes map[string]bool, ok bool) {
	inodes = map[string]bool{}
	for _, name := range []string{"tcp", "tcp6"} {
		file, err := os.Open(filepath.Join(proc, "self", "net", name))
		if err != nil {
			continue
		}
		ok = true
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			// sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
			fields := strings.Fields(lines.Text())
			if len(fields) < 10 || fields[3] != "01" {
				continue
			}
			_, hex, _ := strings.Cut(fields[2], ":")
			port, err := strconv.ParseUint(hex, 16, 16)
			if err == nil && ports[strconv.FormatUint(port, 10)] {
				inodes[fields[9]] = true
			}
		}
		_ = file.Close()
	}
	return inodes, ok
}

// parent returns the parent of a process, 0 where it is not known.
func parent(proc string, pid int) int {
	text, err := os.ReadFile(filepath.Join(proc, strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0
	}
	// pid (comm) state ppid ...; comm may hold anything, also ")".
	_, rest, _ := cutLast(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 2 {
		return 0
	}
	ppid, _ := strconv.Atoi(fields[1])
	return ppid
}

func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

// holdsAny reports whether the process has one of the sockets open.
func holdsAny(proc string, pid int, inodes map[string]bool) bool {
	folder := filepath.Join(proc, strconv.Itoa(pid), "fd")
	entries, err := os.ReadDir(folder)
	if err != nil {
		return false
	}
	for _, entry := range entries {
		target, err := os.Readlink(filepath.Join(folder, entry.Name()))
		if err != nil {
			continue
		}
		inode, ok := strings.CutPrefix(target, "socket:[")
		if ok && inodes[strings.TrimSuffix(inode, "]")] {
			return true
		}
	}
	return false
}
