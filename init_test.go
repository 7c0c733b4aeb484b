package main

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// What packages compute when they are initialized is paid at every hook and at
// every start of Neovim. The runtime counts the bytes that each of ours takes; a
// regular expression or a big table at package level shows at once.
func TestInitIsCheap(t *testing.T) {
	cmd := exec.Command(sidekick(t), "--version")
	cmd.Env = append(cmd.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const limit = 32 << 10
	seen := 0
	for line := range strings.Lines(string(out)) {
		// init PACKAGE @TIME ms, TIME ms clock, BYTES bytes, N allocs
		fields := strings.Fields(line)
		if len(fields) < 10 || fields[0] != "init" || !strings.HasPrefix(fields[1], "sidekick") {
			continue
		}
		seen++
		bytes, err := strconv.Atoi(fields[7])
		if err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		if bytes > limit {
			t.Errorf("package %s takes %d bytes before main: compute it when it is first needed", fields[1], bytes)
		}
	}
	if seen == 0 {
		t.Errorf("no package of ours in:\n%s", out)
	}
}
