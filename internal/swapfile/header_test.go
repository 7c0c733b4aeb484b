package swapfile

import (
	"encoding/binary"
	"strings"
	"testing"
)

// block0 is the start of a swap file of PID 4242, as Neovim 0.12 writes it.
func block0() []byte {
	b := make([]byte, 4096)
	copy(b, "b0VIM 8.1\x00")
	binary.LittleEndian.PutUint32(b[12:], 4096)
	binary.LittleEndian.PutUint32(b[atInode:], 77)
	binary.LittleEndian.PutUint32(b[atPID:], 4242)
	copy(b[atUser:], "me")
	copy(b[atHost:], "here")
	copy(b[atName:], "/home/me/a%b c.txt")
	b[atModified] = isModified
	return b
}

func TestParse(t *testing.T) {
	got, err := parse(block0())
	want := header{PID: 4242, User: "me", Host: "here", Name: "/home/me/a%b c.txt", Inode: 77, Modified: true}
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for _, kind := range "0cCd" { // encrypted ones have the same header
		b := block0()
		b[1] = byte(kind)
		if _, err := parse(b); err != nil {
			t.Errorf("b%c: %v", kind, err)
		}
	}
	for name, b := range map[string][]byte{
		"empty": nil, "cut": block0()[:headerSize-1], "other": []byte(strings.Repeat("b0", 2048)), "undo": append([]byte("Vim\x9fUnDo"), block0()...),
	} {
		if h, err := parse(b); err == nil {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(block0())
	f.Add(block0()[:headerSize])
	f.Add([]byte("b0VIM 9.0"))
	full := block0()
	for i := atUser; i < atModified; i++ {
		full[i] = 0xff
	}
	f.Add(full)
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := parse(b)
		if err != nil {
			return
		}
		if h.PID < 0 || len(h.Host) > maxHost+1 || len(h.Name) > maxName+1 || strings.ContainsRune(h.User+h.Host+h.Name, 0) {
			t.Errorf("%+v", h)
		}
		if h.Modified != (b[atModified] == isModified) {
			t.Errorf("modified: %v", h.Modified)
		}
	})
}
