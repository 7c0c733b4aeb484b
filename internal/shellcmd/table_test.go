package shellcmd_test

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// line is one command of testdata/commands.txt.
type line struct {
	number  int
	section string
	files   []string // listed, relative to the project
	command string
	touches bool
	run     bool // a real bash proves the answer
}

var usual = []string{"a.txt", "src/main.go"}

func table(tb testing.TB) []line {
	tb.Helper()
	f, err := os.Open("testdata/commands.txt")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var lines []line
	section, files := "", usual
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		text := s.Text()
		head, rest, _ := strings.Cut(text, ":")
		switch {
		case strings.HasPrefix(text, "== "):
			section, files = text[3:], usual
		case strings.HasPrefix(text, "|"):
			last := &lines[len(lines)-1]
			last.command += "\n" + strings.TrimPrefix(text[1:], " ")
		case text == "" || strings.HasPrefix(text, "#"):
		case head == "files":
			files = strings.Fields(rest)
			if i := strings.Index(rest, "my file.txt"); i >= 0 { // the one name with a space
				files = append([]string{"my file.txt"}, strings.Fields(rest[i+len("my file.txt"):])...)
			}
		default:
			kind, run := strings.CutSuffix(head, "!")
			if kind != "touch" && kind != "pass" {
				tb.Fatalf("commands.txt:%d: %q", n, text)
			}
			lines = append(lines, line{n, section, files, strings.TrimSpace(rest), kind == "touch", run})
		}
	}
	return lines
}

func (l line) name() string { return fmt.Sprintf("%s/%d", l.section, l.number) }
