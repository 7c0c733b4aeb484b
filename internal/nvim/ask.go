package nvim

import "time"

// patience is how long a call that usually takes microseconds is awaited before
// the blocked query is tried. Being wrong costs nothing: that query answers in
// every other state too.
const patience = 100 * time.Millisecond

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
	PID   int        `msgpack:"pid"` // 0 where it was blocked
	Files []OpenFile `msgpack:"files"`
	// Blocked means that it waits for a key or runs a command: Files then holds
	// names of modified buffers only, taken as visible and current, because
	// nobody can tell that they are not.
	Blocked bool `msgpack:"-"`
}

// OpenFiles asks which file buffers are modified, and with visible also which
// are shown. It is answered in every state but in a busy Lua loop and by a
// stopped process.
func (c *Client) OpenFiles(visible bool) (OpenFiles, error) {
	type result struct {
		files OpenFiles
		err   error
	}
	done := make(chan result, 1)
	go func() {
		mode, err := c.Mode()
		if err != nil || !mode.Answers() {
			done <- result{err: err, files: OpenFiles{Blocked: true}}
			return
		}
		files, err := Call[OpenFiles](c, "guard.files", map[string]any{"visible": visible})
		done <- result{files, err}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case got := <-done:
		if got.err == nil && !got.files.Blocked {
			return got.files, nil
		}
	case <-timer.C:
	}
	names, err := c.ModifiedNames()
	if err != nil {
		return OpenFiles{}, err
	}
	blocked := OpenFiles{Blocked: true}
	for _, name := range names {
		blocked.Files = append(blocked.Files, OpenFile{Name: name, Modified: true, Visible: true, Current: true})
	}
	return blocked, nil
}
