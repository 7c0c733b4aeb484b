// Package safefile is the door to other people's files: it replaces one whole
// and at once, through symbolic links, with its mode and owner, and not at all
// where somebody else has written to it meanwhile.
package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// MaxSize is the longest file that is read, in bytes.
const MaxSize = 16 << 20

var (
	// ErrNotRegular means that the path leads to a folder, a pipe, a device or a
	// socket. It was not opened.
	ErrNotRegular = errors.New("not a regular file")
	// ErrChanged means that the file is not what it was when it was read. Nothing
	// was written.
	ErrChanged = errors.New("changed by somebody else meanwhile")
	// ErrTooLarge means that the file is longer than [MaxSize].
	ErrTooLarge = errors.New("longer than 16 MB")
)

// File is what was found at a path, and the right to replace exactly that.
type File struct {
	Name   string // the path as asked for
	Path   string // the real path: no part of it is a symbolic link
	Exists bool
	Data   []byte // nil where the file does not exist
}

// Read returns the file at name, an absolute path. A missing file is no error:
// it is a File that does not exist, also behind a dangling link. A pipe or a
// device is refused without being opened, so nothing can hang.
func Read(name string) (File, error) {
	path, err := Resolve(name)
	if err != nil {
		return File{}, err
	}
	data, err := readRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return File{Name: name, Path: path}, nil
	}
	if err != nil {
		return File{}, fmt.Errorf("read %q: %w", name, err)
	}
	return File{Name: name, Path: path, Exists: true, Data: data}, nil
}

func readRegular(path string) ([]byte, error) {
	// Before opening: opening alone may do something to a device.
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	// Somebody may have put a pipe there since: do not wait for its writer.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if len(data) > MaxSize {
		return nil, ErrTooLarge
	}
	return data, err
}

// unchanged reports whether the path still leads to what was read.
func (f File) unchanged() error {
	now, err := Read(f.Name)
	if err != nil {
		return err
	}
	if now.Path != f.Path || now.Exists != f.Exists || !bytes.Equal(now.Data, f.Data) {
		return fmt.Errorf("write %q: %w", f.Name, ErrChanged)
	}
	return nil
}

// Replace puts data where f was read. Missing folders are made. A new file gets
// perm, less the umask; an existing one keeps its mode (without the bits that
// change who runs it) and its owner as far as this user may give them. Whoever
// opens the file meets the old text or the new one, whole. Errors: [ErrChanged],
// and what the file system says.
func (f File) Replace(data []byte, perm os.FileMode) error {
	if err := f.replace(data, perm); err != nil {
		if errors.Is(err, ErrChanged) {
			return err
		}
		return fmt.Errorf("write %q: %w", f.Name, err)
	}
	return nil
}

func (f File) replace(data []byte, perm os.FileMode) error {
	dir := filepath.Dir(f.Path)
	if err := makeFolders(dir); err != nil {
		return err
	}
	// In the file's own folder: a rename cannot cross file systems, and this
	// may be the only folder that we can write to.
	options := []renameio.Option{renameio.WithTempDir(dir)}
	if f.Exists {
		options = append(options, renameio.WithPermissions(0o600))
	} else {
		options = append(options, renameio.WithPermissions(perm))
	}
	pending, err := renameio.NewPendingFile(f.Path, options...)
	if err != nil {
		return err
	}
	defer pending.Cleanup()
	if _, err := pending.Write(data); err != nil {
		return err
	}
	if err := f.takeOver(pending.File, dir); err != nil {
		return err
	}
	// To disk first, so that as little as possible lies between the comparison
	// and the rename.
	if err := pending.Sync(); err != nil {
		return err
	}
	unlock, err := lockFolder(dir)
	if err != nil {
		return err
	}
	defer unlock()
	if err := f.unchanged(); err != nil {
		return err
	}
	if !f.Exists {
		switch err := os.Link(pending.Name(), f.Path); {
		case err == nil:
			return syncFolder(dir)
		case errors.Is(err, fs.ErrExist):
			return fmt.Errorf("write %q: %w", f.Name, ErrChanged)
		}
		// A file system without hard links.
	}
	if err := pending.CloseAtomicallyReplace(); err != nil {
		return err
	}
	return syncFolder(dir)
}

// Remove deletes the file that was read; a link to it stays. Errors as Replace.
func (f File) Remove() error {
	unlock, err := lockFolder(filepath.Dir(f.Path))
	if err != nil {
		return err
	}
	defer unlock()
	if err := f.unchanged(); err != nil {
		return err
	}
	if err := os.Remove(f.Path); err != nil {
		return fmt.Errorf("remove %q: %w", f.Name, err)
	}
	return syncFolder(filepath.Dir(f.Path))
}

// syncFolder makes a rename last through a power cut. Some file systems cannot;
// the rename itself has worked by then.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	_ = d.Sync()
	return nil
}
