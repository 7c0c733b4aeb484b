//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"lukechampine.com/blake3"
)

// fleet is the Neovims of one person, in a home and on a machine of their own.
// The first of them has notes.txt open, unchanged, and dirty.txt with unsaved
// text.
type fleet struct {
	*namespace
	lab     *lab
	home    string
	editors []editor
	socket  string // of the first editor
}

// editor is a Neovim.
type editor struct {
	*exec.Cmd
	pid int // in its namespace
}

// size says what a fleet consists of.
type size struct {
	editors int // all that answer
	stopped int // by a signal
	blocked int // waiting for a shell command
	buffers int // loaded in the first editor, beside its two files
}

func (l *lab) newFleet(s size) (*fleet, error) {
	n, err := newNamespace()
	if err != nil {
		return nil, err
	}
	l.homes++
	f := &fleet{lab: l, namespace: n, home: filepath.Join(l.dir, fmt.Sprint(l.homes))}
	l.fleets = append(l.fleets, f)
	if err := errors.Join(os.Mkdir(f.home, 0o755), os.Mkdir(f.path("run"), 0o700)); err != nil {
		return nil, err
	}
	for _, name := range []string{"notes.txt", "dirty.txt"} {
		if err := os.WriteFile(f.path(name), []byte(strings.Repeat("a line of text\n", 200)), 0o644); err != nil {
			return nil, err
		}
	}
	if s.editors > 0 {
		loaded := fmt.Sprintf("for i in range(%d) | call bufload(bufadd('file'.i)) | endfor", s.buffers)
		// Also where a peer looks; a fleet has one home and folder, so it is found.
		peer := fmt.Sprintf("call serverstart('%s')", f.rustSocket("'.getpid().'"))
		err = f.start("set hidden", peer, loaded, "edit dirty.txt", "call setline(1, 'typed')", "edit notes.txt")
		if err != nil {
			return nil, err
		}
		f.socket = f.socketOf(f.editors[0])
	}
	for i := 1; i < s.editors; i++ {
		err = errors.Join(err, f.start(fmt.Sprintf("edit other%d.txt", i)))
	}
	for range s.stopped {
		err = errors.Join(err, f.start("enew"))
		if err == nil {
			err = f.editors[len(f.editors)-1].Process.Signal(syscall.SIGSTOP)
		}
	}
	for range s.blocked {
		err = errors.Join(err, f.start("let g:timer = timer_start(0, {-> system('exec sleep 100000')})"))
	}
	return f, err
}

func (f *fleet) path(name string) string { return filepath.Join(f.home, name) }

// start runs one Neovim, by `sidekick nvim`, and waits until it can be asked.
func (f *fleet) start(commands ...string) error {
	args := []string{"nvim", "--headless", "--clean", "-n"}
	for _, command := range commands {
		args = append(args, "-c", command)
	}
	ready := fmt.Sprint("ready", len(f.editors))
	write := fmt.Sprintf("call writefile([getpid()], '%[1]s.part') | call rename('%[1]s.part', '%[1]s')", ready)
	cmd := f.command(f.lab.sidekick, append(args, "-c", write)...)
	if err := f.do(cmd.Start); err != nil {
		return err
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if text, err := os.ReadFile(f.path(ready)); err == nil {
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			f.editors = append(f.editors, editor{cmd, pid})
			return err
		}
	}
	return errors.New("a Neovim did not start within 30 seconds")
}

// socketOf is the socket that sidekick gave an editor.
func (f *fleet) socketOf(e editor) string {
	found, _ := filepath.Glob(f.path(fmt.Sprintf("run/sidekick/*-%d.sock", e.pid)))
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// command prepares a process of this home.
func (f *fleet) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = f.home
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + f.home, "TMPDIR=" + f.home, "LANG=C.UTF-8",
		"XDG_RUNTIME_DIR=" + f.path("run"), "SIDEKICK_NVIM=" + f.lab.nvim,
	}
	return cmd
}

// payload is what Claude Code sends before it edits a file.
func (f *fleet) payload(name string) []byte {
	payload, _ := json.Marshal(map[string]any{
		"session_id": "bench", "transcript_path": f.path("transcript.jsonl"), "cwd": f.home,
		"permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Edit",
		"tool_input": map[string]any{
			"file_path": f.path(name), "old_string": "a line", "new_string": "the line", "replace_all": false,
		},
		"tool_use_id": "toolu_bench",
	})
	return payload
}

// mustDeny proves that a program's hook asks this fleet and hears it.
func (f *fleet) mustDeny(program string) error {
	cmd := f.command(program, "hook")
	cmd.Stdin = bytes.NewReader(f.payload("dirty.txt"))
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := f.do(cmd.Run); err != nil {
		return err
	}
	if !strings.Contains(out.String(), `"permissionDecision":"deny"`) {
		return fmt.Errorf("%s hook does not deny an edit of unsaved text: %q", program, out.String())
	}
	return nil
}

// rustSocket is where the Rust sidekick looks for an editor of this home.
func (f *fleet) rustSocket(pid string) string {
	return fmt.Sprintf("/tmp/%x-%s.sock", blake3.Sum256([]byte(f.home)), pid)
}

// addDeadSockets leaves sockets that nobody listens at, as crashed Neovims do.
func (f *fleet) addDeadSockets(count int) error {
	hour := time.Now().Add(-time.Hour)
	for i := range count {
		path := f.path(fmt.Sprintf("run/sidekick/%016x-%d.sock", i, 4_000_000+i))
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err != nil {
			return err
		}
		listener.SetUnlinkOnClose(false)
		if err := errors.Join(listener.Close(), os.Chtimes(path, hour, hour)); err != nil {
			return err
		}
	}
	return nil
}
