package reload

// State is what became of a buffer.
type State string

const (
	Unchanged  State = "unchanged"  // it was the file already
	Reloaded   State = "reloaded"   // it is the file now
	Modified   State = "modified"   // it holds unsaved text and was left alone
	Deferred   State = "deferred"   // the person is in the middle of something; Neovim catches up by itself
	Deleted    State = "deleted"    // the file is gone; the buffer was kept
	Unreadable State = "unreadable" // the file is a folder or may not be read; the buffer was kept
	Failed     State = "failed"     // see Error; Neovim tries again by itself

	large State = "large" // left to us by the runtime
	again State = "again" // the buffer or the file has moved on
)

// Buffer is what became of one buffer.
type Buffer struct {
	Number int    `msgpack:"buf"`
	Name   string `msgpack:"name"` // as Neovim has it: absolute
	State  State  `msgpack:"state"`
	Lines  int    `msgpack:"lines"` // how many changed
	Error  string `msgpack:"error"`

	Tick  int    `msgpack:"tick"`
	Hash  string `msgpack:"hash"`
	Stamp string `msgpack:"stamp"`
	DOS   bool   `msgpack:"dos"`
}

// Result is what became of a file in one Neovim. Blocked means that Neovim waits
// for a key or is busy: it was asked to catch up by itself, and Buffers is empty.
type Result struct {
	Buffers []Buffer `msgpack:"buffers"`
	Blocked bool     `msgpack:"-"`
}
