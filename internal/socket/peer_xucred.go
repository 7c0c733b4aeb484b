//go:build darwin || freebsd

package socket

import (
	"net"

	"golang.org/x/sys/unix"
)

// solLocal is the level of LOCAL_PEERCRED, SOL_LOCAL in the system's headers.
const solLocal = 0

// peerUID returns the user of the process that listens at the other end.
func peerUID(conn *net.UnixConn) (uid int, err error) {
	err = control(conn, func(fd int) error {
		cred, err := unix.GetsockoptXucred(fd, solLocal, unix.LOCAL_PEERCRED)
		if err != nil {
			return err
		}
		uid = int(cred.Uid)
		return nil
	})
	return uid, err
}
