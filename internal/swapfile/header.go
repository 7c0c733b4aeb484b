package swapfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// header is the start of block 0, the same in Vim and every Neovim.
type header struct {
	PID      int
	User     string
	Host     string // cut at 39 bytes
	Name     string // as the person opened it; ~USER/ for the home; cut at 897 bytes
	Inode    uint32 // low half; 0 where the file did not exist
	Modified bool
}

// Offsets and sizes in block 0.
const (
	atVersion   = 2
	atInode     = 20
	atPID       = 24
	atUser      = 28
	atHost      = 68
	atName      = 108
	atModified  = 1007
	headerSize  = 1008
	isModified  = 0x55
	maxHost     = atName - atHost - 1
	maxName     = 897
	versionText = "VIM "
)

var errNotSwap = errors.New("not a swap file")

// parse reads the start of block 0. Numbers have the low byte first on every
// machine.
func parse(block []byte) (header, error) {
	if len(block) < headerSize || block[0] != 'b' || !bytes.ContainsRune([]byte("0cCd"), rune(block[1])) ||
		!bytes.HasPrefix(block[atVersion:], []byte(versionText)) {
		return header{}, errNotSwap
	}
	return header{
		PID:      int(binary.LittleEndian.Uint32(block[atPID:]) & 0x7fffffff),
		User:     text(block[atUser:atHost]),
		Host:     text(block[atHost:atName]),
		Name:     text(block[atName : atName+maxName+1]),
		Inode:    binary.LittleEndian.Uint32(block[atInode:]),
		Modified: block[atModified] == isModified,
	}, nil
}

// text returns the bytes up to the first NUL.
func text(field []byte) string {
	before, _, _ := bytes.Cut(field, []byte{0})
	return string(before)
}

// read reads the header of a regular file. It never follows a link, and never
// waits: not for a pipe's other end, nor for a device.
func read(path string) (header, os.FileInfo, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return header{}, nil, fmt.Errorf("open %q: %w", path, err)
	}
	file := os.NewFile(uintptr(fd), path)
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return header{}, nil, err
	}
	if !info.Mode().IsRegular() {
		return header{}, nil, fmt.Errorf("%q: %w", path, errNotSwap)
	}
	var block [headerSize]byte
	n, err := file.ReadAt(block[:], 0)
	if n < len(block) {
		return header{}, nil, fmt.Errorf("read %q: %w", path, err)
	}
	h, err := parse(block[:])
	if err != nil {
		return header{}, nil, fmt.Errorf("%q: %w", path, err)
	}
	return h, info, nil
}
