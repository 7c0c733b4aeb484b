package mounttest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// AnyCase makes a new folder at a file system that finds names in any case, as
// those of macOS and Windows do: it holds the files with the named (lower-case)
// names, with one line of text each.
//
// Few Linux kernels have one that can be mounted from nothing (vfat, ext4 and
// tmpfs with casefold are left out of many), so the test is one, through FUSE.
// Where a machine has no /dev/fuse either, two hard links for each file stand for
// it: what counts is that the system says of two names that they are one file.
func AnyCase(t testing.TB, at string, names ...string) {
	t.Helper()
	device, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		t.Logf("no file system that ignores case: %v; imitated by hard links", err)
		write(t, at, names)
		for _, name := range names {
			if err := os.Link(filepath.Join(at, name), filepath.Join(at, strings.ToUpper(name))); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	device.Close()
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	server, err := fs.Mount(at, &folder{names: names}, &fs.Options{
		MountOptions: fuse.MountOptions{DirectMountStrict: true, FsName: "anycase"},
	})
	if err != nil {
		t.Fatalf("mount a file system that ignores case: %v", err)
	}
	t.Cleanup(func() {
		if err := server.Unmount(); err != nil {
			t.Errorf("unmount %s: %v", at, err)
		}
	})
}

// folder is the root, and the only folder.
type folder struct {
	fs.Inode
	names []string
}

// OnAdd makes the files.
func (f *folder) OnAdd(ctx context.Context) {
	for i, name := range f.names {
		file := &fs.MemRegularFile{Data: []byte(text), Attr: fuse.Attr{Mode: 0o644}}
		f.AddChild(name, f.NewPersistentInode(ctx, file, fs.StableAttr{Ino: uint64(i + 2)}), true)
	}
}

// Lookup finds a file by its name in any case.
func (f *folder) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	for _, known := range f.names {
		if !strings.EqualFold(known, name) {
			continue
		}
		child := f.GetChild(known)
		var attr fuse.AttrOut
		errno := child.Operations().(fs.NodeGetattrer).Getattr(ctx, nil, &attr)
		out.Attr = attr.Attr
		return child, errno
	}
	return nil, syscall.ENOENT
}

// Readdir lists each file once.
func (f *folder) Readdir(context.Context) (fs.DirStream, syscall.Errno) {
	var entries []fuse.DirEntry
	for i, name := range f.names {
		entries = append(entries, fuse.DirEntry{Name: name, Ino: uint64(i + 2), Mode: syscall.S_IFREG})
	}
	return fs.NewListDirStream(entries), fs.OK
}
