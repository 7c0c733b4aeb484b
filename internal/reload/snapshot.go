package reload

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"unicode/utf8"

	"lukechampine.com/blake3"
)

// Large is the size in bytes from which a file is diffed here and not in the
// editor. Below it, the editor does all by itself in about a millisecond.
const Large = 128 << 10

// snapshot is a file's text in one of its states.
type snapshot struct {
	stamp string
	text  content
}

// content is text as Neovim shows it: lines without their ends.
type content struct {
	lines []string
	eol   bool // the last line has its end
	dos   bool // lines end in CR LF
	usual bool // UTF-8 without byte order mark and NUL; the rest is Neovim's to read
	hash  string
}

// stamp tells one state of a file from the next. The runtime makes the same
// (disk.lua).
func stamp(info os.FileInfo) string {
	var inode uint64
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		inode = stat.Ino
	}
	m := info.ModTime()
	return fmt.Sprintf("%d:%d.%09d:%d", info.Size(), m.Unix(), m.Nanosecond(), inode)
}

// take reads the file at path. It reads again where the file changes meanwhile.
func take(path string) (snapshot, error) {
	file, err := os.Open(path)
	if err != nil {
		return snapshot{}, err
	}
	defer file.Close()
	before, err := file.Stat()
	if err != nil {
		return snapshot{}, err
	}
	if !before.Mode().IsRegular() {
		return snapshot{}, fmt.Errorf("read %q: not a regular file", path)
	}
	text := bytes.NewBuffer(make([]byte, 0, before.Size()+bytes.MinRead))
	if _, err := io.Copy(text, file); err != nil {
		return snapshot{}, err
	}
	after, err := os.Stat(path)
	if err != nil {
		return snapshot{}, err
	}
	if stamp(before) != stamp(after) {
		return snapshot{}, fmt.Errorf("read %q: it changed meanwhile", path)
	}
	return snapshot{stamp(after), decode(text.String())}, nil
}

// decode splits text into lines as Neovim does at its default 'fileformats'.
func decode(text string) content {
	c := content{usual: utf8.ValidString(text) && !strings.HasPrefix(text, "\ufeff") &&
		strings.IndexByte(text, 0) < 0}
	if text == "" {
		return c // Neovim shows an empty file in a way of its own
	}
	count := strings.Count(text, "\n")
	c.dos = count > 0 && strings.Count(text, "\r\n") == count
	c.eol = strings.HasSuffix(text, "\n")
	end := "\n"
	if c.dos {
		end = "\r\n"
		if strings.HasSuffix(text, "\r") || strings.HasSuffix(text, "\x1a") {
			c.usual = false
		}
	}
	c.lines = strings.Split(text, end)
	if c.eol {
		c.lines = c.lines[:len(c.lines)-1]
	}
	c.hash = hash(c.lines)
	return c
}

// hash names a text. Line ends and byte order marks are no part of it: the tool's
// payload has them in another form than the file.
func hash(lines []string) string {
	h := blake3.New(32, nil)
	buffer := make([]byte, 0, 64<<10)
	for _, line := range lines {
		buffer = append(append(buffer, line...), '\n')
		if len(buffer) > 60<<10 {
			h.Write(buffer)
			buffer = buffer[:0]
		}
	}
	h.Write(buffer)
	return hex.EncodeToString(h.Sum(nil)[:16])
}
