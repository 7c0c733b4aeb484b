package nvim

import "time"

// patience is how long a call that usually takes microseconds is awaited before
// the blocked query is tried. Being wrong costs nothing: that query answers in
// every other state too.
const patience = 100 * time.Millisecond

// States of a Neovim, as a person would put them.
const (
	Ready    = "ready"
	Waiting  = "waiting for a key" // hit-enter, half a command, a dialog
	Busy     = "busy"              // runs a command
	Stopped  = "stopped"           // by a signal
	NoAnswer = "no answer"
)

// whenReady runs question if the editor is [Ready], and reports its state. In
// the states [Waiting] and [Busy] only the blocked query answers.
func whenReady[T any](c *Client, question func() (T, error)) (answer T, state string, err error) {
	type result struct {
		answer T
		state  string
		err    error
	}
	done := make(chan result, 1)
	go func() {
		mode, err := c.Mode()
		if err == nil && !mode.Answers() {
			done <- result{state: Waiting}
			return
		}
		if err != nil {
			done <- result{state: NoAnswer, err: err}
			return
		}
		answer, err := question()
		done <- result{answer, Ready, err}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case got := <-done:
		return got.answer, got.state, got.err
	case <-timer.C:
		return answer, Busy, nil
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
	open, state, err := whenReady(c, func() (OpenFiles, error) {
		return Call[OpenFiles](c, "guard.files", map[string]any{"visible": visible})
	})
	open.State = state
	if state == Ready && err == nil {
		return open, nil
	}
	names, err := c.ModifiedNames()
	for _, name := range names {
		open.Files = append(open.Files, OpenFile{Name: name, Modified: true, Visible: true, Current: true})
	}
	return open, err
}
