package socket

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"lukechampine.com/blake3"
)

const (
	// maxPath is the longest path of a socket that every system binds: macOS
	// keeps 104 bytes with the final NUL, Linux 108.
	maxPath = 103
	// The name holds as much of the working directory's hash as fits.
	minHash, maxHash = 16, 32
	extension        = ".sock"
)

// ErrTooLong means that no socket's path in the folder would fit.
var ErrTooLong = errors.New("path is too long for a socket")

// Path returns the socket of the Neovim that process pid became in the working
// directory cwd (its real path): DIR/HASH-PID.sock, at most 103 bytes long.
// HASH is the start of cwd's blake3 hash in hex, 16 to 32 digits.
func Path(dir, cwd string, pid int) (string, error) {
	tail := "-" + strconv.Itoa(pid) + extension
	room := maxPath - len(filepath.Join(dir, tail)) // the separator is in
	if room < minHash {
		return "", fmt.Errorf("%q: %w", dir, ErrTooLong)
	}
	sum := blake3.Sum256([]byte(cwd))
	hash := hex.EncodeToString(sum[:])[:min(room, maxHash)]
	return filepath.Join(dir, hash+tail), nil
}

// What may be in the way of a socket.
var (
	ErrInUse     = errors.New("a running Neovim listens there")
	ErrNotSocket = errors.New("it is not a socket")
)

// Clear makes path free: it removes a socket that nobody listens on, as a killed
// Neovim leaves behind. Anything else in the way stays, with an error that
// wraps [ErrInUse] or [ErrNotSocket] or says why it could not be removed.
func Clear(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != os.ModeSocket:
		return fmt.Errorf("%q: %w", path, ErrNotSocket)
	case !dead(path):
		return fmt.Errorf("%q: %w", path, ErrInUse)
	}
	return os.Remove(path)
}

// dead reports whether nobody listens on the socket. Only a refused connection
// proves that: with a full queue a living Neovim cannot be connected to either.
func dead(path string) bool {
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		_ = conn.Close()
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

// Listens reports whether somebody listens on the socket at path.
func Listens(path string) bool {
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}
