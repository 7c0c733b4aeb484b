package hook

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// ends are the kinds of descriptors that a front end gives to a hook.
func ends(t *testing.T) map[string][2]*os.File {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0) // Node.js
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][2]*os.File{
		"pipe":   {reader, writer},
		"socket": {os.NewFile(uintptr(pair[0]), "0"), os.NewFile(uintptr(pair[1]), "1")},
	}
	t.Cleanup(func() {
		for _, end := range all {
			_ = end[0].Close()
			_ = end[1].Close()
		}
	})
	return all
}

// A silent front end is given up, but what it has sent is read.
func TestPatienceEnds(t *testing.T) {
	for name, end := range ends(t) {
		p := &patient{fd: int(end[0].Fd()), left: 20 * time.Millisecond}
		if _, err := end[1].WriteString("a"); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		text, err := io.ReadAll(p)
		if string(text) != "a" || !errors.Is(err, errSilent) {
			t.Errorf("%s: read %q, %v", name, text, err)
		}
		if took := time.Since(start); took < 20*time.Millisecond {
			t.Errorf("%s: gave up after %v", name, took)
		}
		if _, err := end[1].WriteString("b"); err != nil {
			t.Fatal(err)
		}
		p = &patient{fd: int(end[0].Fd()), left: 0}
		if n, err := p.Read(make([]byte, 10)); n == 0 || err != nil {
			t.Errorf("%s: what has arrived is not read: %d, %v", name, n, err)
		}
	}
}

// The time that we ourselves take is no waiting.
func TestPatienceCountsWaitingOnly(t *testing.T) {
	for name, end := range ends(t) {
		want := strings.Repeat("x", 100)
		if _, err := end[1].WriteString(want); err != nil {
			t.Fatal(err)
		}
		if err := end[1].Close(); err != nil {
			t.Fatal(err)
		}
		const left = 100 * time.Millisecond
		p := &patient{fd: int(end[0].Fd()), left: left}
		start := time.Now()
		var got strings.Builder
		for b := make([]byte, 10); ; {
			n, err := p.Read(b)
			got.Write(b[:n])
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for pause := time.Now(); time.Since(pause) < left/5; {
				continue // a busy machine
			}
		}
		if got.String() != want {
			t.Errorf("%s: read %q", name, got.String())
		}
		if took := time.Since(start); took < 2*left {
			t.Fatalf("%s: the test proves nothing: it took %v", name, took)
		}
	}
}

func TestStdinThatIsNone(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	p := &patient{fd: int(reader.Fd()), left: time.Second}
	_ = reader.Close()
	if _, err := p.Read(make([]byte, 1)); err == nil || errors.Is(err, errSilent) {
		t.Errorf("a closed stdin: %v", err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	p = &patient{fd: int(null.Fd()), left: time.Second}
	if _, err := p.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("/dev/null: %v", err)
	}
}
