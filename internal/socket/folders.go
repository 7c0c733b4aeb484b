package socket

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// addFolders reads the folders where Neovims have their sockets. complete says
// that every socket of this system's network namespace is known already: the
// temporary folders, which can be large, are not read then.
func (f *finder) addFolders(complete bool) {
	for _, dir := range f.Dirs() {
		f.addOurs(dir)
	}
	if filepath.IsAbs(f.RuntimeDir) {
		f.addDefaults(f.RuntimeDir)
	}
	if complete {
		return
	}
	f.addTemp("/tmp")
	if temp := filepath.Clean(f.TempDir); filepath.IsAbs(temp) && temp != "/tmp" {
		f.addTemp(temp)
	}
}

// addOurs takes the sockets in a runtime dir of ours and removes the dead ones.
func (f *finder) addOurs(dir string) {
	var unknown []string
	for _, name := range names(dir) {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, extension) && !f.has(path) {
			unknown = append(unknown, path)
		}
	}
	if len(unknown) == 0 || f.trustedDir(dir) != nil {
		return
	}
	// A machine that went down often may have left a thousand.
	lives := make([]bool, len(unknown))
	next := make(chan int, len(unknown))
	for i := range unknown {
		next <- i
	}
	close(next)
	var all sync.WaitGroup
	for range min(len(unknown), 4) {
		all.Go(func() {
			for i := range next {
				lives[i] = f.liveOrRemoved(unknown[i])
			}
		})
	}
	all.Wait()
	for i, path := range unknown {
		if lives[i] {
			f.add(Found{Address: path})
		}
	}
}

// addDefaults takes sockets of the form APPNAME.PID.N, which Neovim >= 0.9
// makes by itself; PID is the process that listens.
func (f *finder) addDefaults(dir string) {
	for _, name := range names(dir) {
		if pid := defaultPID(name); pid != 0 {
			f.addUnlisted(filepath.Join(dir, name), pid)
		}
	}
}

// addTemp takes what Neovims leave in a temporary directory.
func (f *finder) addTemp(temp string) {
	for _, name := range names(temp) {
		path := filepath.Join(temp, name)
		switch {
		case isRustName(name):
			f.addUnlisted(path, 0)
		case strings.HasPrefix(name, "nvim."): // >= 0.9: nvim.USER/RANDOM/APPNAME.PID.N
			if f.trustedDir(path) != nil {
				continue
			}
			for _, random := range names(path) {
				f.addDefaults(filepath.Join(path, random))
			}
		case strings.HasPrefix(name, "nvim"): // 0.7: nvimRANDOM/N
			if f.trustedDir(path) != nil {
				continue
			}
			for _, number := range names(path) {
				if _, err := strconv.Atoi(number); err == nil {
					f.addUnlisted(filepath.Join(path, number), 0)
				}
			}
		}
	}
}

// addUnlisted takes a socket of which only the name is known, where it lives.
// pid is the process that made it by its name, or 0.
func (f *finder) addUnlisted(path string, pid int) {
	if f.has(path) || pid != 0 && !running(pid) || f.trusted(path) != nil || probe(path) != live {
		return
	}
	f.add(Found{Address: path, PID: pid})
}

// defaultPID returns the pid in the name APPNAME.PID.N, or 0.
func defaultPID(name string) int {
	rest, number, ok := cutLast(name, ".")
	app, pid, ok2 := cutLast(rest, ".")
	if !ok || !ok2 || app == "" {
		return 0
	}
	if _, err := strconv.ParseUint(number, 10, 31); err != nil {
		return 0
	}
	n, err := strconv.ParseUint(pid, 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// names lists a folder, in no order; a missing or closed one is empty.
func names(dir string) []string {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	list, _ := d.Readdirnames(-1)
	return list
}

// running reports whether a process has this pid.
func running(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}
