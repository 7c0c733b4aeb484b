package hook_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"sidekick/internal/nvim/nvimtest"
)

// vim is a person at plain Vim in a terminal, which nobody can ask: its swap file
// tells.
type vim struct {
	*scene
	*nvimtest.Terminal
	path string
}

// pid finds the Vim that has the file by its arguments.
func (v *vim) pid() int {
	v.t.Helper()
	out, err := exec.Command("pgrep", "-f", "^vim .*"+v.path).Output()
	if err != nil {
		v.t.Fatalf("no Vim has %s: %v", v.path, err)
	}
	pid, err := strconv.Atoi(strings.Fields(string(out))[0])
	if err != nil {
		v.t.Fatal(err)
	}
	return pid
}

func (v *vim) typeText() {
	v.Type("Otyped")
	v.WaitFor("typed")
}

func (v *vim) typeAndEscape() {
	v.typeText()
	v.Keys("Escape")
}

// crash types and kills Vim, and returns where its swap file is left.
func (v *vim) crash() (swap string) {
	v.typeAndEscape()
	v.Type(":preserve\r") // the swap file is whole
	v.WaitFor("File preserved")
	if err := syscall.Kill(v.pid(), syscall.SIGKILL); err != nil {
		v.t.Fatal(err)
	}
	return filepath.Join(v.Dir, ".notes.txt.swp")
}

// What is answered and told for every state in which a person may leave Vim.
func TestVimStates(t *testing.T) {
	const deny, crashed = "unsaved changes in an editor", "unsaved changes of a crashed session"
	tests := []struct {
		name  string
		args  string
		state func(*vim)
		deny  bool
		told  string // what the person is told, "" = nothing
	}{
		{name: "untouched", state: func(*vim) {}},
		{name: "insert mode", state: (*vim).typeText, deny: true},
		{name: "normal mode", state: (*vim).typeAndEscape, deny: true},
		{name: "saved", state: func(v *vim) {
			v.typeAndEscape()
			v.Type(":w\r")
			v.WaitFor("written")
		}},
		{name: "undone", state: func(v *vim) {
			v.typeAndEscape()
			v.Type("u")
			v.WaitFor("line less")
		}},
		{name: "hit-enter prompt", deny: true, state: func(v *vim) {
			v.typeAndEscape()
			v.Type(":echo 'a' | echo 'b'\r")
			v.WaitFor("Press ENTER")
		}},
		{name: "half a command", deny: true, state: func(v *vim) {
			v.typeAndEscape()
			v.Type(`"`)
		}},
		{name: "dialog", deny: true, state: func(v *vim) {
			v.typeAndEscape()
			v.Type(":confirm quit\r")
			v.WaitFor("Save changes")
		}},
		{name: "shell command", deny: true, state: func(v *vim) {
			v.typeAndEscape()
			v.Type(":!echo begun; exec sleep 1000\r")
			v.WaitFor("begun")
		}},
		{name: "endless loop", deny: true, state: func(v *vim) {
			v.typeAndEscape()
			v.Type(":while 1 | sleep 10m | endwhile\r")
		}},
		{name: "suspended by CTRL-Z", deny: true, state: func(v *vim) {
			v.typeAndEscape()
			v.Keys("C-z")
			v.WaitFor("Stopped")
		}},
		{name: "stopped by a signal", deny: true, state: func(v *vim) {
			v.typeAndEscape()
			v.Type(":preserve\r")
			v.WaitFor("File preserved")
			if err := syscall.Kill(v.pid(), syscall.SIGSTOP); err != nil {
				v.t.Fatal(err)
			}
		}},
		{name: "hidden buffer", args: "+'set hidden'", deny: true, state: func(v *vim) {
			v.typeAndEscape()
			v.Type(":enew\r")
		}},
		{name: "another place for swap files", args: "--cmd 'set directory=odd'", state: (*vim).typeText, deny: true},
		{name: "another place, by whole names", args: "--cmd 'set directory=odd//'", state: (*vim).typeText, deny: true},
		{name: "read-only", args: "-R", state: func(*vim) {}},
		{name: "read-only and changed", args: "-R", state: (*vim).typeAndEscape, deny: true},
		{name: "a second one, read-only", deny: true, state: func(v *vim) {
			v.typeAndEscape()
			second := v.scene.Terminal(v.t, []string{"vim", "--clean", "-R", v.path})
			second.WaitFor("one")
		}},
		// Nobody can know what is in a Vim without a swap file.
		{name: "without a swap file", args: "-n", state: (*vim).typeAndEscape},
		{name: "crashed", state: func(v *vim) { v.crash() }, told: crashed},
		{name: "crashed, and its pid is another program's", told: crashed, state: func(v *vim) {
			swap := v.crash()
			block, err := os.ReadFile(swap)
			if err != nil {
				v.t.Fatal(err)
			}
			binary.LittleEndian.PutUint32(block[24:], uint32(os.Getpid()))
			if err := os.WriteFile(swap, block, 0o600); err != nil {
				v.t.Fatal(err)
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			v := &vim{scene: s, path: s.Write(t, "notes.txt", "one\n")}
			if err := os.Mkdir(filepath.Join(s.Dir, "odd"), 0o755); err != nil {
				t.Fatal(err)
			}
			v.Terminal = s.Terminal(t, []string{"bash", "--norc", "-i"})
			v.Type("exec 2>&1; vim --clean " + test.args + " " + v.path + "\r")
			v.WaitFor("notes.txt\"") // what Vim says of a file that it has read
			test.state(v)
			var told []string
			nvimtest.Eventually(t, "the right answer", func() error {
				answer := s.run(edit(v.path))
				if answer.SystemMessage != "" {
					told = append(told, answer.SystemMessage)
				}
				if denied := answer.Output != nil; denied != test.deny {
					return fmt.Errorf("denied: %v; told: %q; screen:\n%s", denied, told, v.Screen())
				}
				if test.deny {
					wantDeny(t, answer, deny, v.path)
					return nil
				}
				if all := strings.Join(told, ""); !strings.Contains(all, test.told) || all != "" && test.told == "" {
					return fmt.Errorf("told %q", told)
				}
				return nil
			})
			// The shell is no way round.
			command := s.run(bash("sed -i s/one/two/ notes.txt"))
			if test.deny {
				wantDeny(t, command, "sed -i", deny, v.path)
			} else {
				wantSilent(t, command)
			}
			wantSilent(t, s.run(bash("cat notes.txt")))
			wantSilent(t, s.run(edit(s.Write(t, "other.txt", "one\n"))))
		})
	}
}
