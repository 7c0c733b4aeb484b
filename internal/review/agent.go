package review

import (
	"errors"

	"golang.org/x/sys/unix"
)

// readerGone is closed when nobody reads fd (a pipe or a socket) any more: the
// agent that started us died without telling. For any other file it stays open.
func readerGone(fd uintptr) <-chan struct{} {
	gone := make(chan struct{})
	go func() {
		poll := []unix.PollFd{{Fd: int32(fd)}} // no events: only hang-up and error wake it
		for {
			_, err := unix.Poll(poll, -1)
			switch {
			case errors.Is(err, unix.EINTR):
				continue
			case err != nil || poll[0].Revents&unix.POLLNVAL != 0:
				return
			}
			close(gone)
			return
		}
	}()
	return gone
}
