package nvim

import (
	"errors"
	"time"
)

// How long an answer is awaited that usually takes microseconds, before the
// blocked query is tried. Being wrong costs nothing: that query answers in every
// other state too.
const (
	modePatience  = 8 * time.Millisecond
	orderPatience = 10 * time.Millisecond // for our own goroutines' order
	callPatience  = time.Second           // once the mode says that calls are answered
)

// States of a Neovim, as a person would put them.
const (
	Ready    = "ready"
	Waiting  = "waiting for a key" // hit-enter, half a command, a dialog
	Busy     = "busy"              // runs a command
	Stopped  = "stopped"           // by a signal
	NoAnswer = "no answer"
)

// whenReady runs question if the editor is [Ready]. In the states [Waiting] and
// [Busy] only the blocked query answers, and modified holds what it said.
func whenReady[T any](c *Client, question func() (T, error)) (answer T, state string, modified []string, err error) {
	state = c.state()
	if state == Ready {
		type result struct {
			answer T
			err    error
		}
		done := make(chan result, 1)
		go func() {
			answer, err := question()
			done <- result{answer, err}
		}()
		select {
		case got := <-done:
			return got.answer, Ready, nil, got.err
		case <-time.After(callPatience):
			state = Busy // the person was faster
		}
	}
	modified, err = c.ModifiedNames()
	return answer, state, modified, err
}

// state finds out whether calls are answered now.
func (c *Client) state() string {
	type result struct {
		mode Mode
		err  error
	}
	done := make(chan result, 1)
	go func() {
		mode, err := c.Mode()
		done <- result{mode, err}
	}()
	judge := func(got result) string {
		switch {
		case got.err != nil:
			return NoAnswer
		case !got.mode.Answers():
			return Waiting
		}
		return Ready
	}
	select {
	case got := <-done:
		return judge(got)
	case <-time.After(modePatience):
	}
	// Slow, or busy? A Neovim that runs a command keeps the mode to itself and
	// answers the blocked query. One that was only slow may read both at once, and
	// then answers that query first and the mode next: before it reads another.
	for range 2 {
		if _, _, err := c.modifiedPage(0); err != nil && !errors.Is(err, ErrGarbled) {
			return NoAnswer
		}
	}
	select {
	case got := <-done:
		return judge(got)
	case <-time.After(orderPatience):
		return Busy
	}
}

// OpenFile is a buffer that matters to the guard.
type OpenFile struct {
	Buffer   int    `msgpack:"buffer"` // 0 where only the name is known
	Name     string `msgpack:"name"`   // as Neovim has it; "" = no name
	Modified bool   `msgpack:"modified"`
	Visible  bool   `msgpack:"visible"` // shown in a window of any tab page
	Current  bool   `msgpack:"current"`
}

// OpenFiles is the answer of one Neovim.
type OpenFiles struct {
	PID   int        `msgpack:"pid"` // 0 where it is not ready
	Files []OpenFile `msgpack:"files"`
	// State other than [Ready]: Files holds names of modified buffers only, taken
	// as visible and current, because nobody can tell that they are not.
	State string `msgpack:"-"`
}

// OpenFiles asks which file buffers are modified, and with visible also which
// are shown. It is answered in every state but in a busy Lua loop and by a
// stopped process.
func (c *Client) OpenFiles(visible bool) (OpenFiles, error) {
	open, state, modified, err := whenReady(c, func() (OpenFiles, error) {
		return Call[OpenFiles](c, "guard.files", map[string]any{"visible": visible})
	})
	open.State = state
	for _, name := range modified {
		open.Files = append(open.Files, OpenFile{Name: name, Modified: true, Visible: true, Current: true})
	}
	return open, err
}

// Tell shows a line in Neovim if it has the file, which is known by absolute
// names and, where it exists, by device and inode.
func (c *Client) Tell(names []string, dev, inode uint64, text string) error {
	_, err := Call[struct {
		Shown bool `msgpack:"shown"`
	}](c, "guard.tell", map[string]any{
		"file": map[string]any{"names": names, "dev": dev, "inode": inode},
		"text": text,
	})
	return err
}
