package socket

import (
	"bufio"
	"encoding/hex"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// loopback reports whether address is a TCP address that may be asked. Only
// $NVIM and $NVIM_LISTEN_ADDRESS can name one.
func (f *finder) loopback(address string) bool {
	return loopbackOf(f.Proc, address, f.UID)
}

// loopbackOf reports whether address is HOST:PORT on the loopback where a
// process of user uid listens, and nobody else does. Where the kernel's table
// cannot be read the answer is no: anybody may listen on a port.
func loopbackOf(proc, address string, uid int) bool {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return false
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.Unmap().IsLoopback()) {
		return false
	}
	owners := append(listeners(filepath.Join(proc, "net/tcp"), uint16(number)),
		listeners(filepath.Join(proc, "net/tcp6"), uint16(number))...)
	return len(owners) > 0 && !slices.ContainsFunc(owners, func(o int) bool { return o != uid })
}

// listeners returns the users of the sockets that listen on port, by a table of
// the form "sl local_address rem_address st ... uid ...".
func listeners(table string, port uint16) []int {
	file, err := os.Open(table)
	if err != nil {
		return nil
	}
	defer file.Close()
	var owners []int
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		const listen = "0A"
		if len(fields) < 8 || fields[3] != listen {
			continue
		}
		_, local, _ := strings.Cut(fields[1], ":")
		if b, err := hex.DecodeString(local); err != nil || len(b) != 2 || uint16(b[0])<<8|uint16(b[1]) != port {
			continue
		}
		if uid, err := strconv.Atoi(fields[7]); err == nil {
			owners = append(owners, uid)
		}
	}
	return owners
}
