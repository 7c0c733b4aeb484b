package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim/nvimtest"
)

// person is somebody at a machine where sidekick is installed, with a project.
type person struct {
	nvimtest.Home
	t       *testing.T
	nvim    string // the Neovim that they have
	project string // folder
	notes   string // a file of numbered lines in it
}

const lastLine = 40

// newPerson installs sidekick, and nothing else, in a new home.
func newPerson(t *testing.T, nvim string) *person {
	t.Helper()
	p := &person{Home: nvimtest.NewHome(t), t: t, nvim: nvim}
	p.project = filepath.Join(p.Dir, "project")
	p.notes = p.Write(t, "project/notes.txt", numbered())
	cmd := exec.Command(sidekick, "install")
	cmd.Dir, cmd.Env = p.Dir, p.Environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("sidekick install: %v\n%s", err, out)
	}
	return p
}

func numbered() string {
	var b strings.Builder
	for i := range lastLine {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// alias is the command line of `sidekick nvim ARGS`, run in a folder.
func (p *person) alias(dir string, args ...string) []string {
	return append([]string{"env", "-C", dir, "SIDEKICK_NVIM=" + p.nvim, sidekick, "nvim", "--clean"}, args...)
}

// open starts a headless Neovim by `sidekick nvim`, in a folder, and attaches
// the test to the socket that sidekick gave it.
func (p *person) open(dir string, args ...string) *nvimtest.Editor {
	p.t.Helper()
	argv := p.alias(dir, append([]string{"--headless"}, args...)...)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = p.Environ()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if p.t.Failed() {
			p.t.Logf("neovim said: %s", &stderr)
		}
	})
	return p.attach(fmt.Sprintf("*-%d.sock", cmd.Process.Pid))
}

// attach connects the test to the Neovim at a socket of sidekick's.
func (p *person) attach(pattern string) *nvimtest.Editor {
	p.t.Helper()
	var found []string
	nvimtest.Eventually(p.t, "sidekick's socket", func() (err error) {
		found, err = filepath.Glob(filepath.Join(p.Runtime, "sidekick", pattern))
		if err == nil && len(found) != 1 {
			err = fmt.Errorf("%d sockets are %s", len(found), pattern)
		}
		return err
	})
	return p.Attach(p.t, found[0])
}

// onDisk is the text of a file.
func (p *person) onDisk(path string) string {
	p.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// sees checks that an editor shows exactly what is on disk, and thinks so too.
func (p *person) sees(e *nvimtest.Editor, path string) {
	p.t.Helper()
	var state struct {
		Modified  bool `msgpack:"modified"`
		EndOfLine bool `msgpack:"eol"`
	}
	e.Lua(&state, `
		local function on(name, path) return vim.fn.getbufvar(path, name) == 1 end
		return { modified = on('&modified', ...), eol = on('&endofline', ...) }`, path)
	got := strings.Join(e.Lines(path), "\n")
	if state.EndOfLine {
		got += "\n"
	}
	if diff := cmp.Diff(p.onDisk(path), got); diff != "" {
		p.t.Errorf("the buffer is not what is on disk (-disk +buffer):\n%s", diff)
	}
	if state.Modified {
		p.t.Errorf("%s is modified", path)
	}
}

// cursorOn checks the text of the line that the cursor is on.
func (p *person) cursorOn(e *nvimtest.Editor, want string) {
	p.t.Helper()
	var line string
	e.Lua(&line, `return vim.api.nvim_get_current_line()`)
	if line != want {
		p.t.Errorf("the cursor is on %q, not on %q", line, want)
	}
}
