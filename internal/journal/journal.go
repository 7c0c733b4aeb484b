// Package journal keeps what sidekick did and why: one JSON object per line,
// appended to a file in the XDG state folder. Nothing in it is needed for the
// work itself, so a hook never waits for it and never fails because of it.
package journal

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

// MaxSize is the size in bytes at which the file becomes log.jsonl.1.
const MaxSize = 4 << 20

// Entry is one line. Zero fields are left out.
type Entry struct {
	Time       time.Time `json:"time"`
	Event      string    `json:"event"` // the hook event, "nvim", "install", ...
	Session    string    `json:"session,omitempty"`
	Tool       string    `json:"tool,omitempty"`
	File       string    `json:"file,omitempty"`
	Decision   string    `json:"decision,omitempty"` // deny, pass, reload, context, allow, reject, ignore
	Reason     string    `json:"reason,omitempty"`
	Lines      int       `json:"lines,omitempty"`      // lines changed by a reload
	Asked      int       `json:"asked,omitempty"`      // Neovims asked
	Unanswered []string  `json:"unanswered,omitempty"` // addresses of Neovims that gave no answer
	Error      string    `json:"error,omitempty"`
	Micros     int64     `json:"us,omitempty"` // duration in microseconds
}

// Journal appends to one file. The zero Journal drops everything.
type Journal struct{ path string }

// Path returns the file of the journal below an XDG state folder.
func Path(stateHome string) string {
	return filepath.Join(stateHome, "sidekick", "log.jsonl")
}

// Open returns the journal kept at path. The file is made when first needed.
func Open(path string) Journal { return Journal{path} }

// Add appends e. Concurrent writers do not mix their lines: each is one write
// to a file opened for appending.
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
	file, err := os.OpenFile(j.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > MaxSize {
		// Two writers may both rename; the second moves a short new file over
		// the old one, which loses old lines, never new ones.
		_ = os.Rename(j.path, j.path+".1")
	}
	_, err = file.Write(append(line, '\n'))
	return err
}
