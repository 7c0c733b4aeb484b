package hook_test

import (
	"testing"
	"time"

	"sidekick/internal/cputest"
	"sidekick/internal/nvim/nvimtest"
)

// Eight stopped, eight at a hit-enter prompt and one live: one question to all.
func TestManyThatDoNotAnswer(t *testing.T) {
	s := newScene(t)
	path := s.Write(t, "notes.txt", "one\n")
	binary := nvimtest.Binary(t, "0.10")
	for range 8 {
		stop(t, s.start(binary, "-n"))
	}
	for range 8 {
		address := s.FoundAddress(t)
		term := s.Terminal(t, []string{binary, "--clean", "-n", "--listen", address})
		s.Attach(t, address)
		term.Type(":echo 'a' | echo 'b'\r")
		term.WaitFor("Press ENTER")
	}
	live := s.start(binary, "-n")
	live.Edit(path)
	live.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)

	before := cputest.Used(t)
	start := time.Now()
	wantDeny(t, s.run(edit(path)), path, "1 line differs")
	took := time.Since(start)
	// The hook's own bound is two seconds, in which nothing is computed; what a
	// loaded machine adds is not its fault.
	if busy := cputest.Used(t) - before; busy > time.Second || took > 2*time.Second+10*busy+3*time.Second {
		t.Errorf("took %s, %s of computing", took, busy)
	}
}

// One that cannot be asked in time costs the bound once, not once for each.
func TestBusyLoopsCostTheBoundOnce(t *testing.T) {
	s := newScene(t)
	path := s.Write(t, "notes.txt", "one\n")
	for range 3 {
		e := s.start(nvimtest.Binary(t, "0.12"), "-n")
		stop(t, e)
	}
	start := time.Now()
	wantSilentToModel(t, s.run(edit(path)))
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("three that do not answer took %s", took)
	}
}
