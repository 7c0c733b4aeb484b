// Package session remembers small things between the hooks of one Claude Code
// session: each hook is a process of its own. A session's notes are files in a
// folder of the XDG state folder; they go when the session ends, or by age.
package session

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"lukechampine.com/blake3"
)

// maxAge is how long the notes of a session that never ended are kept.
const maxAge = 7 * 24 * time.Hour

// Notes are what one session has noted. The zero Notes note nothing.
type Notes struct {
	root string // of all sessions
	dir  string // of this one
}

// Open returns the notes of the session with that id, below an XDG state
// folder. Nothing is made before something is noted. Without a state folder
// ("", a person without a home) nothing can be noted.
func Open(stateHome, id string) Notes {
	if stateHome == "" {
		return Notes{}
	}
	root := filepath.Join(stateHome, "sidekick", "sessions")
	return Notes{root: root, dir: filepath.Join(root, hash(id))}
}

// First reports whether key is new to this session, and notes it. Two hooks
// that ask at once do not both get true.
func (n Notes) First(key string) (bool, error) {
	if err := n.makeDir(); err != nil {
		return false, err
	}
	file, err := os.OpenFile(n.path(key), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("note %q: %w", key, err)
	}
	return true, file.Close()
}

// Get returns what was last put under key, "" where nothing was.
func (n Notes) Get(key string) string {
	if n.dir == "" {
		return ""
	}
	text, err := os.ReadFile(n.path(key))
	if err != nil {
		return ""
	}
	return string(text)
}

// Put notes text under key, whole or not at all.
func (n Notes) Put(key, text string) error {
	if err := n.makeDir(); err != nil {
		return err
	}
	temp, err := os.CreateTemp(n.dir, ".new-*")
	if err != nil {
		return fmt.Errorf("note %q: %w", key, err)
	}
	defer os.Remove(temp.Name()) // fails once it has been renamed
	_, err = temp.WriteString(text)
	if err = errors.Join(err, temp.Close()); err != nil {
		return fmt.Errorf("note %q: %w", key, err)
	}
	return os.Rename(temp.Name(), n.path(key))
}

// Remove forgets key.
func (n Notes) Remove(key string) {
	if n.dir != "" {
		_ = os.Remove(n.path(key))
	}
}

// End forgets the session, and others that are older than a week.
func (n Notes) End() {
	if n.dir == "" {
		return
	}
	_ = os.RemoveAll(n.dir)
	entries, err := os.ReadDir(n.root)
	if err != nil {
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && time.Since(info.ModTime()) > maxAge {
			_ = os.RemoveAll(filepath.Join(n.root, entry.Name()))
		}
	}
}

func (n Notes) makeDir() error {
	if n.dir == "" {
		return errors.New("session notes: no state folder, since there is no home folder")
	}
	if err := os.MkdirAll(n.dir, 0o700); err != nil {
		return fmt.Errorf("session notes: %w", err)
	}
	return nil
}

func (n Notes) path(key string) string { return filepath.Join(n.dir, hash(key)) }

// hash makes a file name of any text: ids and keys come from outside.
func hash(text string) string {
	sum := blake3.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
