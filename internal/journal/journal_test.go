package journal

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// TestMain makes this binary a writer of n lines, for the test of several.
func TestMain(m *testing.M) {
	if path := os.Getenv("JOURNAL_WRITER"); path != "" {
		n, _ := strconv.Atoi(os.Args[2])
		for i := range n {
			e := Entry{Time: noon, Event: "test", Session: os.Args[1], Lines: i + 1, Reason: strings.Repeat("x", 2000)}
			if err := Open(path).Add(e); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestAddIsPrivateWhateverTheUmask(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o277} {
		old := syscall.Umask(umask)
		path := Path(t.TempDir())
		err := Open(path).Add(Entry{Time: noon, Event: "Stop"})
		syscall.Umask(old)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode() != 0o600 {
			t.Errorf("umask %o: mode %v, %v", umask, info.Mode(), err)
		}
	}
}

func TestConcurrentProcessesLoseNothing(t *testing.T) {
	path := Path(t.TempDir())
	// 4 writers, 6 MB: it is rotated on the way.
	const writers, each = 4, 750
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			cmd := exec.Command(os.Args[0], fmt.Sprint(w), fmt.Sprint(each))
			cmd.Env = append(os.Environ(), "JOURNAL_WRITER="+path)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("writer: %v: %s", err, out)
			}
		})
	}
	reader := Open(path).Reader()
	seen := map[string]int{} // of each writer, the line that was read last
	read := func() {
		entries, err := reader.Next()
		if err != nil {
			t.Error(err)
		}
		for _, e := range entries {
			if e.Lines != seen[e.Session]+1 {
				t.Errorf("writer %s: line %d after %d", e.Session, e.Lines, seen[e.Session])
			}
			seen[e.Session] = e.Lines
		}
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		case <-time.After(time.Millisecond):
		}
		read() // a person follows the log meanwhile
	}
	for w := range writers {
		if seen[fmt.Sprint(w)] != each {
			t.Errorf("writer %d: %d lines read", w, seen[fmt.Sprint(w)])
		}
	}
	if _, err := os.Stat(path + ".1"); err != nil {
		t.Errorf("it was not rotated: %v", err)
	}
}

func TestRotationKeepsTheNewest(t *testing.T) {
	path := Path(t.TempDir())
	j := Open(path)
	big := strings.Repeat("x", MaxSize)
	for i := range Kept + 4 {
		if err := j.Add(Entry{Time: noon, Event: "test", Lines: i, Reason: big}); err != nil {
			t.Fatal(err)
		}
		if err := j.Add(Entry{Time: noon, Event: "test", Lines: i}); err != nil { // sees that it is too large
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(path + ".[0-9]")
	if len(files) != Kept {
		t.Errorf("%d older files", len(files))
	}
	entries, err := j.Reader().Next()
	if err != nil || len(entries) != 2*Kept {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	for i, e := range entries {
		if e.Lines != 4+i/2 {
			t.Errorf("entry %d is %d", i, e.Lines)
		}
	}
}

func TestAddIsNeverInTheWay(t *testing.T) {
	dir := t.TempDir()
	inTime := func(name, path string) {
		t.Helper()
		start := time.Now()
		if err := Open(path).Add(Entry{Time: noon, Event: "test"}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	inTime("pipe", pipe)
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	inTime("pipe with a reader", pipe)
	inTime("folder", dir)
	inTime("below a file", filepath.Join(pipe, "log.jsonl"))
	full := filepath.Join(dir, "full")
	if err := os.Symlink("/dev/full", full); err != nil {
		t.Fatal(err)
	}
	inTime("device", full)
	if err := (Journal{}).Add(Entry{}); err != nil {
		t.Errorf("no journal: %v", err)
	}
}

// A lock that somebody holds, or a stopped process left, holds nobody up.
func TestRotationDoesNotWait(t *testing.T) {
	path := Path(t.TempDir())
	j := Open(path)
	if err := j.Add(Entry{Time: noon, Event: "test", Reason: strings.Repeat("x", MaxSize)}); err != nil {
		t.Fatal(err)
	}
	lock, err := os.Create(path + ".lock")
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if err := j.Add(Entry{Time: noon, Event: "test"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + ".1"); err == nil {
		t.Error("rotated in spite of the lock")
	}
	_ = lock.Close()
	if err := j.Add(Entry{Time: noon, Event: "test"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + ".1"); err != nil {
		t.Error("not rotated")
	}
}

// Between a line and the look at the size somebody else may have rotated, and
// nobody written since.
func TestRotatedBySomebodyElse(t *testing.T) {
	path := Path(t.TempDir())
	j := Open(path)
	if err := j.Add(Entry{Time: noon, Event: "test"}); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	if err := j.rotate(); err != nil {
		t.Errorf("an error about a line that was written: %v", err)
	}
	if _, err := os.Stat(path + ".1"); err != nil {
		t.Error(err)
	}
}

func TestReaderIsTolerant(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	const good = `{"time":"2026-11-30T12:00:00Z","event":"a"}`
	text := good + "\n" +
		"not JSON\n" +
		"\n[1]\n{}\n" +
		`{"time":"2026-11-30T12:00:01Z","event":"cut by a fu{"time":"2026-11-30T12:00:02Z","event":"b"}` + "\n" +
		`{"time":"2026-11-30T12:00:03Z","event":"c","new_field":[1,2]}` + "\n" +
		`{"time":"2026-11-30T12:00:04Z","eve`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	reader := Open(path).Reader()
	events := func() string {
		entries, err := reader.Next()
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Event)
		}
		return strings.Join(names, " ")
	}
	if got := events(); got != "a b c" {
		t.Errorf("first: %q", got)
	}
	if got := events(); got != "" {
		t.Errorf("nothing new: %q", got)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("nt\":\"d\"}\n"); err != nil {
		t.Fatal(err)
	}
	if got := events(); got != "d" {
		t.Errorf("the rest of a line: %q", got)
	}
	if err := os.WriteFile(path, []byte(good+"\n"), 0o600); err != nil { // somebody emptied it
		t.Fatal(err)
	}
	if got := events(); got != "a" {
		t.Errorf("a shorter file: %q", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := events(); got != "" {
		t.Errorf("no file: %q", got)
	}
}
