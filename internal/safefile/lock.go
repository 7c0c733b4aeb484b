package safefile

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockWait bounds the wait for another process of ours between its comparison
// and its rename, which takes milliseconds.
const lockWait = 5 * time.Second

// lockFolder keeps other processes of ours from comparing and renaming in dir
// at the same time: two installs would otherwise overwrite each other between
// these two steps. The lock is on the folder itself and leaves no file behind.
// Where the file system has no locks there is none.
func lockFolder(dir string) (unlock func(), err error) {
	d, err := os.Open(dir)
	if err != nil {
		return func() {}, nil // no right to list it: we may still write in it
	}
	for deadline := time.Now().Add(lockWait); ; time.Sleep(2 * time.Millisecond) {
		err := syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return func() { d.Close() }, nil
		}
		if time.Now().After(deadline) {
			d.Close()
			return nil, fmt.Errorf("lock %q: held by another process", dir)
		}
	}
}
