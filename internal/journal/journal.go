// Package journal keeps what sidekick did and why: one JSON object per line,
// appended to a file in the XDG state folder. Nothing in it is needed for the
// work itself, so a hook never waits for it and never fails because of it.
package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

const (
	// MaxSize is the size in bytes at which log.jsonl becomes log.jsonl.1, and
	// that log.jsonl.2 and so on.
	MaxSize = 4 << 20
	// Kept is how many older files there are beside log.jsonl.
	Kept = 4
)

// Decisions.
const (
	Deny    = "deny"    // an edit or a command was refused
	Pass    = "pass"    // it was let through
	Reload  = "reload"  // buffers were brought in line with the disk
	Context = "context" // the agent was told something
	Allow   = "allow"   // a person accepted a proposed edit
	Reject  = "reject"  // a person rejected it
	Ignore  = "ignore"  // there was something to say, and no room or right to say it
)

// Decisions lists them, for a person to choose from.
var Decisions = []string{Deny, Pass, Reload, Context, Allow, Reject, Ignore}

// Entry is one line. Zero fields are left out.
type Entry struct {
	Time       time.Time `json:"time"`
	Event      string    `json:"event"` // the hook event, "nvim", "install", ...
	Session    string    `json:"session,omitempty"`
	Tool       string    `json:"tool,omitempty"`
	File       string    `json:"file,omitempty"`
	Decision   string    `json:"decision,omitempty"` // one of Decisions
	Reason     string    `json:"reason,omitempty"`
	Lines      int       `json:"lines,omitempty"`      // lines changed by a reload
	Asked      int       `json:"asked,omitempty"`      // Neovims asked
	Unanswered []string  `json:"unanswered,omitempty"` // addresses of Neovims that gave no answer
	Error      string    `json:"error,omitempty"`
	Micros     int64     `json:"us,omitempty"` // duration in microseconds
}

// Journal appends to one file. The zero Journal drops everything.
type Journal struct{ path string }

// Path returns the file of the journal below an XDG state folder, "" where there
// is none.
func Path(stateHome string) string {
	if stateHome == "" {
		return ""
	}
	return filepath.Join(stateHome, "sidekick", "log.jsonl")
}

// Open returns the journal kept at path. The file is made when first needed.
func Open(path string) Journal { return Journal{path} }

// mode keeps others from reading: file names and errors are private.
const mode = 0o600

// Add appends e. Concurrent writers do not mix their lines: each is one write
// to a file opened for appending. It never waits: not for a lock, nor for the
// reader of a pipe that somebody put there.
func (j Journal) Add(e Entry) error {
	if j.path == "" {
		return nil
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(j.path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(j.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NONBLOCK, mode)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("journal %q is not a regular file", j.path)
	case info.Mode().Perm() != mode: // an odd umask, or somebody's chmod
		if err := file.Chmod(mode); err != nil {
			return err
		}
	}
	if _, err := file.Write(append(line, '\n')); err != nil {
		return err
	}
	if info.Size() > MaxSize {
		return j.rotate()
	}
	return nil
}

// rotate moves the files on, the oldest out. One writer does it; others go on
// writing to the file that they have open, whatever its name is by then.
func (j Journal) rotate() error {
	lock, err := os.OpenFile(j.path+".lock", os.O_RDWR|os.O_CREATE|syscall.O_NONBLOCK, mode)
	if err != nil {
		return err
	}
	defer lock.Close()
	err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil // somebody else is at it
	}
	if err != nil {
		return err
	}
	// It may have been done since the size was looked at.
	info, err := os.Stat(j.path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil // just now: nobody has written since
	case err != nil || info.Size() <= MaxSize:
		return err
	}
	for i := Kept - 1; i >= 1; i-- {
		if err := os.Rename(j.older(i), j.older(i+1)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return os.Rename(j.path, j.older(1))
}

// older is the name of the file that was rotated i times; 0 is the current one.
func (j Journal) older(i int) string {
	if i == 0 {
		return j.path
	}
	return j.path + "." + strconv.Itoa(i)
}
