package nvimtest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neovim/go-client/nvim"
)

// Editor is a running Neovim that the test can look into.
type Editor struct {
	Home
	Address string // of its socket
	RPC     *nvim.Nvim
	t       testing.TB
}

var socketCount atomic.Int64

// NewAddress returns a fresh socket path in the home.
func (h Home) NewAddress() string {
	return filepath.Join(h.Dir, fmt.Sprintf("s%d", socketCount.Add(1)))
}

// Start runs a headless Neovim in the home, with --clean and args, and ends it
// with the test.
func (h Home) Start(t testing.TB, binary string, args ...string) *Editor {
	t.Helper()
	return h.startAt(t, h.NewAddress(), binary, args)
}

// StartFound is Start with a socket in the folder where the hook looks.
func (h Home) StartFound(t testing.TB, binary string, args ...string) *Editor {
	t.Helper()
	return h.startAt(t, h.FoundAddress(t), binary, args)
}

// FoundAddress returns a fresh socket path in the folder where the hook looks.
func (h Home) FoundAddress(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(h.Runtime, "sidekick")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, filepath.Base(h.NewAddress())+".sock")
}

func (h Home) startAt(t testing.TB, address, binary string, args []string) *Editor {
	t.Helper()
	args = append([]string{"--headless", "--clean", "--listen", address}, args...)
	cmd := h.command(binary, args, nil)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	return h.start(t, cmd, address, &stderr)
}

func (h Home) start(t testing.TB, cmd *exec.Cmd, address string, stderr *bytes.Buffer) *Editor {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			t.Errorf("neovim %d did not end", cmd.Process.Pid)
		}
	})
	waitForSocket(t, address, func() error {
		select {
		case err := <-ended:
			ended <- err
			return fmt.Errorf("%w: %s", err, stderr)
		default:
			return nil
		}
	})
	return h.Attach(t, address)
}

// Attach connects the test to a Neovim that listens at address.
func (h Home) Attach(t testing.TB, address string) *Editor {
	t.Helper()
	e := &Editor{Home: h, Address: address, t: t}
	Eventually(t, "connect to "+address, func() (err error) {
		e.RPC, err = nvim.Dial(address, nvim.DialLogf(func(string, ...any) {}))
		return err
	})
	t.Cleanup(func() { _ = e.RPC.Close() })
	return e
}

// Lua runs code in Neovim and decodes what it returns into result (a pointer,
// or nil to drop it).
func (e *Editor) Lua(result any, code string, args ...any) {
	e.t.Helper()
	if result == nil {
		var drop any
		result = &drop
	}
	if err := e.RPC.ExecLua(code, result, args...); err != nil {
		e.t.Fatalf("lua %q: %v", code, err)
	}
}

// Command runs an Ex command.
func (e *Editor) Command(command string) {
	e.t.Helper()
	if err := e.RPC.Command(command); err != nil {
		e.t.Fatalf(":%s: %v", command, err)
	}
}

// Edit opens a file, whatever its name, in the current window.
func (e *Editor) Edit(path string) {
	e.t.Helper()
	e.Lua(nil, `vim.cmd('edit ' .. vim.fn.fnameescape(...))`, path)
}

// Type runs keys (in the notation of |key-notation|) as if typed, and waits for
// them to be processed.
func (e *Editor) Type(keys string) {
	e.t.Helper()
	e.Lua(nil, `vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(..., true, true, true), 'tx!', false)`, keys)
}

// Lines returns the text of the buffer that holds path.
func (e *Editor) Lines(path string) []string {
	e.t.Helper()
	var lines []string
	e.Lua(&lines, `
		for _, b in ipairs(vim.api.nvim_list_bufs()) do
			if vim.api.nvim_buf_get_name(b) == ... then return vim.api.nvim_buf_get_lines(b, 0, -1, false) end
		end
		error('no buffer named ' .. ...)`, path)
	return lines
}
