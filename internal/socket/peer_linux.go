package socket

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerUID returns the user of the process that listens at the other end.
func peerUID(conn *net.UnixConn) (uid int, err error) {
	err = control(conn, func(fd int) error {
		cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		if err != nil {
			return err
		}
		uid = int(cred.Uid)
		return nil
	})
	return uid, err
}
