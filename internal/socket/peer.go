package socket

import (
	"fmt"
	"net"
)

// CheckPeer returns an error unless the process at the other end of conn runs
// as user uid. It is to be called before the first byte is written: a path can
// change hands between the look at its owner and the connection.
//
// A TCP connection has no such credentials. It must be to the loopback, and on
// Linux the kernel's table must say that the user's process listens there;
// elsewhere it is refused.
func CheckPeer(conn net.Conn, uid int) error {
	switch conn := conn.(type) {
	case *net.UnixConn:
		peer, err := peerUID(conn)
		switch {
		case err != nil:
			return fmt.Errorf("ask who listens at %q: %w", conn.RemoteAddr(), err)
		case peer != uid:
			return fmt.Errorf("the process at %q is of another user (%d)", conn.RemoteAddr(), peer)
		}
		return nil
	case *net.TCPConn:
		if !loopbackOf("/proc", conn.RemoteAddr().String(), uid) {
			return fmt.Errorf("nothing shows that the process at %q is the user's own", conn.RemoteAddr())
		}
		return nil
	}
	return fmt.Errorf("cannot tell who is at %q", conn.RemoteAddr())
}

// control runs call with the connection's descriptor.
func control(conn *net.UnixConn, call func(fd int) error) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var result error
	if err := raw.Control(func(fd uintptr) { result = call(int(fd)) }); err != nil {
		return err
	}
	return result
}
