package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// Reader reads a journal from its oldest line to its newest, and then on, while
// others write to it and rotate it.
type Reader struct {
	journal Journal
	last    os.FileInfo // the file that was read last, nil at first
	offset  int64       // of the first byte in it that was not
}

// Reader returns a reader that has read nothing yet.
func (j Journal) Reader() *Reader { return &Reader{journal: j} }

// Next returns the entries that were added since it was last called, oldest
// first. What is no entry is skipped: a line that a full disk cut, a line by
// somebody else. A journal that does not exist is empty. Errors name the file.
func (r *Reader) Next() ([]Entry, error) {
	if r.journal.path == "" {
		return nil, nil
	}
	files, err := r.open()
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, f := range files {
			_ = f.Close()
		}
	}()
	var entries []Entry
	for _, f := range files { // oldest first
		info, err := f.Stat()
		if err != nil {
			return entries, err
		}
		offset := int64(0)
		if r.last != nil && os.SameFile(info, r.last) && info.Size() >= r.offset {
			offset = r.offset
		}
		text, err := io.ReadAll(io.NewSectionReader(f, offset, info.Size()-offset))
		if err != nil {
			return entries, fmt.Errorf("read %q: %w", f.Name(), err)
		}
		whole := bytes.LastIndexByte(text, '\n') + 1 // what follows is still being written
		entries = append(entries, parse(text[:whole])...)
		r.last, r.offset = info, offset+int64(whole)
	}
	return entries, nil
}

// open returns the files that may hold something new, oldest first. The newest
// is opened first: a rotation meanwhile shows a file twice, and hides none.
func (r *Reader) open() (files []*os.File, err error) {
	var infos []os.FileInfo
	for i := 0; i <= Kept; i++ {
		// A pipe in its place must not hold up the reader.
		f, err := os.OpenFile(r.journal.older(i), os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			closeAll(files)
			return nil, err
		}
		info, err := f.Stat()
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("journal %q is not a regular file", f.Name())
		}
		if err != nil {
			_ = f.Close()
			closeAll(files)
			return nil, err
		}
		if seen(infos, info) {
			_ = f.Close()
			continue
		}
		infos = append(infos, info)
		files = append([]*os.File{f}, files...)
		if r.last != nil && os.SameFile(info, r.last) {
			break // all before it was read
		}
	}
	if r.last != nil && len(files) > 0 && !os.SameFile(infos[len(infos)-1], r.last) {
		// What was read last has gone: somebody removed it. Go on with the newest.
		closeAll(files[:len(files)-1])
		files = files[len(files)-1:]
	}
	return files, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

func seen(infos []os.FileInfo, info os.FileInfo) bool {
	for _, other := range infos {
		if os.SameFile(info, other) {
			return true
		}
	}
	return false
}

// start is how every line begins.
var start = []byte(`{"time":`)

func parse(text []byte) []Entry {
	var entries []Entry
	for line := range bytes.Lines(text) {
		var e Entry
		err := json.Unmarshal(line, &e)
		// A disk that was full for a moment leaves the head of a line, and the
		// next one stands right behind it.
		if i := bytes.LastIndex(line, start); err != nil && i > 0 {
			e = Entry{}
			err = json.Unmarshal(line[i:], &e)
		}
		if err == nil && !e.Time.IsZero() {
			entries = append(entries, e)
		}
	}
	return entries
}
