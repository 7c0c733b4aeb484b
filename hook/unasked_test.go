package hook_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sidekick/internal/nvim/nvimtest"
)

// A stopped Neovim answers nothing, but its swap file does.
func TestStoppedNeovimIsJudgedByItsSwapFile(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := s.Write(t, "notes.txt", "one\n")
		e := s.start(binary)
		e.Edit(path)
		e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
		waitForSwap(t, s, e, true)
		stop(t, e)
		wantDeny(t, s.run(edit(path)), path, "unsaved changes")
		wantDeny(t, s.run(bash("git checkout -- notes.txt")), path, "unsaved changes")
		wantSilentToModel(t, s.run(edit(s.Write(t, "other.txt", "a\n"))))
	})
}

// With no swap file the edit goes on, and the person is told, once.
func TestStoppedNeovimWithoutSwapFile(t *testing.T) {
	s := newScene(t)
	path := s.Write(t, "notes.txt", "one\n")
	e := s.start(nvimtest.Binary(t, "0.12"), "-n")
	e.Edit(path)
	stop(t, e)
	start := time.Now()
	first := s.run(edit(path))
	if took := time.Since(start); took > 10*time.Second { // the bound is 2 s; a loaded machine is slow
		t.Errorf("the hook took %s", took)
	}
	wantSilentToModel(t, first)
	if !strings.Contains(first.SystemMessage, "could not ask Neovim") {
		t.Errorf("the person is told %q", first.SystemMessage)
	}
	if want := fmt.Sprintf(`"unanswered":[%q]`, e.Address); !strings.Contains(s.log(), want) {
		t.Errorf("the journal does not hold %s:\n%s", want, s.log())
	}
	wantSilent(t, s.run(edit(path)))
	other := edit(path)
	other["session_id"] = "s2"
	if again := s.run(other); again.SystemMessage == "" {
		t.Error("another session's person is not told")
	}
}

// A stopped Neovim has the file, and its swap file says that all is saved.
func TestStoppedNeovimThatHasSaved(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := s.Write(t, "notes.txt", "one\n")
		e := s.Start(t, binary)
		e.Edit(path)
		id := pid(e)
		e.Lua(nil, `vim.fn.serverstart(...)`, filepath.Join(s.Runtime, fmt.Sprintf("nvim.%d.9", id)))
		waitForSwap(t, s, e, false)
		stop(t, e)
		wantSilent(t, s.run(edit(path)))
		if other := s.run(edit(s.Write(t, "other.txt", "a\n"))); !strings.Contains(other.SystemMessage, fmt.Sprintf("(pid %d)", id)) {
			t.Errorf("of a file without a swap file the person is told %q", other.SystemMessage)
		}
	})
}

// One that ends between being found and being asked could not be asked, and need
// not be: nobody is to look for an editor that is not there.
func TestNeovimThatEndsMeanwhile(t *testing.T) {
	tests := []struct {
		name    string
		asked   bool // it ends with the question in its hands
		crashed bool // it leaves its socket's file behind
	}{
		{name: "ended"},
		{name: "crashed", crashed: true},
		{name: "ended while it was asked", asked: true},
		{name: "crashed while it was asked", asked: true, crashed: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t)
			listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: s.FoundAddress(t)})
			if err != nil {
				t.Fatal(err)
			}
			listener.SetUnlinkOnClose(!test.crashed)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				defer listener.Close()
				for over := false; !over; { // the search connects, and says nothing
					conn, err := listener.Accept()
					if err != nil {
						return
					}
					n, _ := conn.Read(make([]byte, 1))
					over = n > 0 || !test.asked
					if over {
						listener.Close()
					}
					conn.Close()
				}
			}()
			wantSilent(t, s.run(edit(s.Write(t, "notes.txt", "one\n"))))
			listener.Close()
			<-ended
		})
	}
}

// `:set nomodified` leaves the swap file's mark; the editor's own word counts.
func TestSwapFileOfAnEditorThatAnswered(t *testing.T) {
	s := newScene(t)
	path := s.Write(t, "notes.txt", "one\n")
	e := s.start(nvimtest.Binary(t, "0.10"))
	e.Edit(path)
	e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
	waitForSwap(t, s, e, true)
	e.Command("set nomodified")
	wantSilent(t, s.run(edit(path)))
}

func TestPlainVim(t *testing.T) {
	s := newScene(t)
	path := s.Write(t, "notes.txt", "one\n")
	term := s.Terminal(t, []string{"vim", "--clean", path})
	term.WaitFor("one")
	wantSilent(t, s.run(edit(path)))
	term.Type("Otyped")
	term.WaitFor("typed")
	nvimtest.Eventually(t, "the edit is denied", func() error {
		if answer := s.run(edit(path)); answer.Output == nil {
			return fmt.Errorf("no deny")
		}
		return nil
	})
	term.Keys("Escape")
	term.Type(":w\r")
	term.WaitFor("written")
	nvimtest.Eventually(t, "the edit goes on", func() error {
		if answer := s.run(edit(path)); !answer.Silent() {
			return fmt.Errorf("still denied")
		}
		return nil
	})
}

// A crashed session is no reason to deny; the person is told that a recovery is
// pending.
func TestCrashedSession(t *testing.T) {
	s := newScene(t)
	path := s.Write(t, "notes.txt", "one\n")
	e := s.start(nvimtest.Binary(t, "0.12"))
	e.Edit(path)
	e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
	waitForSwap(t, s, e, true)
	signal(t, e, syscall.SIGKILL)
	nvimtest.Eventually(t, "the person is told of the recovery", func() error {
		answer := s.run(edit(path))
		wantSilentToModel(t, answer)
		if !strings.Contains(answer.SystemMessage, "crashed session") {
			return fmt.Errorf("told %q", answer.SystemMessage)
		}
		return nil
	})
	wantSilent(t, s.run(edit(path)))
}

// The person saves within the time that they chose.
func TestWaitForSave(t *testing.T) {
	s := newScene(t)
	s.env["SIDEKICK_WAIT"] = "1m"
	s.Write(t, ".claude/settings.json", `{"hooks":{"PreToolUse":[{"matcher":"Edit","hooks":[
		{"type":"command","command":"/usr/local/bin/sidekick","args":["hook"],"timeout":70}]}]}}`)
	path := s.Write(t, "notes.txt", "one\n")
	e := s.start(nvimtest.Binary(t, "0.10"))
	e.Edit(path)
	e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
	done := make(chan bool)
	go func() {
		defer close(done)
		wantSilent(t, s.run(edit(path)))
	}()
	nvimtest.Eventually(t, "a line says that the agent waits", func() error {
		var messages string
		e.Lua(&messages, `return vim.fn.execute('messages')`)
		if !strings.Contains(messages, "waits 1m0s") {
			return fmt.Errorf("messages: %q", messages)
		}
		return nil
	})
	select {
	case <-done:
		t.Fatal("the hook did not wait")
	default:
	}
	e.Command("write")
	<-done

	e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
	s.env["SIDEKICK_WAIT"] = "300ms"
	wantDeny(t, s.run(edit(path)), path)
}

// The client ends a hook at its registered timeout and goes on with the edit, so
// a wait is never longer than that leaves.
func TestWaitEndsBeforeTheRegisteredTimeout(t *testing.T) {
	s := newScene(t)
	s.env["SIDEKICK_WAIT"] = "10m"
	s.Write(t, ".claude/settings.json", `{"hooks":{"PreToolUse":[{"matcher":"Edit","hooks":[
		{"type":"command","command":"/usr/local/bin/sidekick","args":["hook"],"timeout":4.2}]}]}}`)
	path := s.Write(t, "notes.txt", "one\n")
	e := s.start(nvimtest.Binary(t, "0.10"))
	e.Edit(path)
	e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
	wantDeny(t, s.run(edit(path)), path)
}

func pid(e *nvimtest.Editor) int {
	var pid int
	e.Lua(&pid, `return vim.fn.getpid()`)
	return pid
}

func signal(t *testing.T, e *nvimtest.Editor, sig syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid(e), sig); err != nil {
		t.Fatal(err)
	}
}

// stop freezes the editor until the test ends.
func stop(t *testing.T, e *nvimtest.Editor) {
	t.Helper()
	id := pid(e)
	signal(t, e, syscall.SIGSTOP)
	t.Cleanup(func() { _ = syscall.Kill(id, syscall.SIGCONT) })
}

// waitForSwap waits until the swap file on disk says whether there is unsaved
// work: Neovim writes it a moment later.
func waitForSwap(t *testing.T, s *scene, e *nvimtest.Editor, dirty bool) {
	t.Helper()
	var swap string
	e.Lua(&swap, `return vim.fn.swapname('%')`)
	nvimtest.Eventually(t, "the swap file says so", func() error {
		text, err := os.ReadFile(swap)
		if err != nil {
			return err
		}
		if len(text) < 1024 || (text[1007] == 0x55) != dirty {
			return fmt.Errorf("not yet: %s", filepath.Base(swap))
		}
		return nil
	})
}

func TestMain(m *testing.M) {
	nvimtest.ServeLSP() // as a language server of a test's Neovim
	if _, err := exec.LookPath("vim"); err != nil {
		fmt.Fprintln(os.Stderr, "vim is missing: run scripts/setup")
		os.Exit(1)
	}
	os.Exit(m.Run())
}
