package hook

import (
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
	"sidekick/internal/claude"
)

// readBound is how long the hook waits for its payload in all.
const readBound = 5 * time.Second

var errSilent = errors.New("nothing whole arrived within 5 seconds")

// readPayload reads one payload. A front end that keeps stdin open without
// writing must not keep the hook.
func readPayload(stdin io.Reader) (claude.Payload, error) {
	if file, ok := stdin.(*os.File); ok {
		stdin = &patient{fd: int(file.Fd()), left: readBound}
	}
	return claude.ReadPayload(stdin)
}

// patient reads a descriptor until it has waited too long for bytes. Only
// waiting counts: a payload of 50 MB is judged however slow the machine is. It
// polls by itself, which costs a hook less than a goroutine and a timer.
type patient struct {
	fd   int
	left time.Duration
}

func (p *patient) Read(b []byte) (int, error) {
	for {
		start := time.Now()
		patience := (p.left + time.Millisecond - 1).Milliseconds()
		ready, err := unix.Poll([]unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}}, int(patience))
		p.left = max(p.left-time.Since(start), 0)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return 0, os.NewSyscallError("poll", err)
		case ready == 0:
			return 0, errSilent
		}
		n, err := unix.Read(p.fd, b)
		switch {
		case errors.Is(err, unix.EINTR), errors.Is(err, unix.EAGAIN):
			continue
		case err != nil:
			return 0, os.NewSyscallError("read", err)
		case n == 0 && len(b) > 0:
			return 0, io.EOF
		}
		return n, nil
	}
}
