//go:build !linux && !darwin && !freebsd

package socket

import (
	"net"
	"os"
)

// peerUID cannot ask this system, so the owner of the socket's file, which
// [Find] checks as well, has to do.
func peerUID(conn *net.UnixConn) (uid int, err error) {
	info, err := os.Lstat(conn.RemoteAddr().String())
	if err != nil {
		return -1, err
	}
	return owner(info), nil
}
