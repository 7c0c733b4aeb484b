package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/words"
)

// machine is a folder with a home, a repository and a link to a sidekick.
type machine struct {
	t   *testing.T
	dir string
	env map[string]string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t, dir, map[string]string{"HOME": dir + "/home", "PATH": dir + "/bin"}}
	m.write("opt/sidekick-1.0/sidekick", "x")
	for _, name := range []string{"bin", "repo/.git", "repo/sub"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../opt/sidekick-1.0/sidekick", dir+"/bin/sidekick"); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *machine) write(name, text string) {
	m.t.Helper()
	path := filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) read(name string) string {
	data, err := os.ReadFile(filepath.Join(m.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return "(no file)"
	}
	if err != nil {
		m.t.Fatal(err)
	}
	return string(data)
}

// sidekick runs a command line in repo/sub, with nobody at a terminal.
func (m *machine) sidekick(args ...string) (code int, stdout, stderr string) {
	m.t.Helper()
	stdin, err := os.Open(os.DevNull)
	if err != nil {
		m.t.Fatal(err)
	}
	defer stdin.Close()
	var out, errs bytes.Buffer
	code = run(&world{
		Program:    "sidekick",
		Args:       args,
		LookupEnv:  func(name string) (string, bool) { value, ok := m.env[name]; return value, ok },
		Getwd:      func() (string, error) { return m.dir + "/repo/sub", nil },
		Executable: func() (string, error) { return m.dir + "/opt/sidekick-1.0/sidekick", nil },
		Stdin:      stdin,
		Stdout:     &out,
		Stderr:     &errs,
	})
	clean := func(s string) string { return strings.ReplaceAll(s, m.dir, "") }
	return code, clean(out.String()), clean(errs.String())
}

func TestInstallCommand(t *testing.T) {
	for flag, file := range map[string]string{
		"":          "home/.claude/settings.json",
		"--project": "repo/sub/.claude/settings.json",
		"--local":   "repo/.claude/settings.local.json",
	} {
		t.Run(flag, func(t *testing.T) {
			m := newMachine(t)
			args := func(command string, more ...string) []string {
				if flag != "" {
					more = append(more, flag)
				}
				return append([]string{command}, more...)
			}
			code, out, errs := m.sidekick(args("install", "--dry-run")...)
			if code != 0 || !strings.HasPrefix(out, "--- /dev/null\n+++ /"+file+"\n") {
				t.Errorf("dry run: %d, %q, %q", code, out, errs)
			}
			if m.read(file) != "(no file)" {
				t.Error("dry run wrote the file")
			}
			code, out, errs = m.sidekick(args("install")...)
			if code != 0 || out != "" || !strings.HasPrefix(errs, "/"+file+" created: ") {
				t.Errorf("install: %d, %q, %q", code, out, errs)
			}
			// The link, not the version that it leads to today.
			if text := m.read(file); !strings.Contains(text, m.dir+"/bin/sidekick") || strings.Contains(text, "1.0") {
				t.Errorf("file holds %s", text)
			}
			code, out, errs = m.sidekick(args("install")...)
			if code != 0 || out != "" || !strings.HasPrefix(errs, words.Installed("/"+file, "unchanged", false)) {
				t.Errorf("again: %d, %q, %q", code, out, errs)
			}
			code, out, errs = m.sidekick(args("uninstall", "--dry-run")...)
			if code != 0 || !strings.HasPrefix(out, "--- /"+file+"\n+++ /dev/null\n") {
				t.Errorf("uninstall --dry-run: %d, %q, %q", code, out, errs)
			}
			code, out, errs = m.sidekick(args("uninstall")...)
			if code != 0 || out != "" || errs != words.Uninstalled("/"+file, "removed", false)+"\n" {
				t.Errorf("uninstall: %d, %q, %q", code, out, errs)
			}
			if m.read(file) != "(no file)" {
				t.Error("file is still there")
			}
		})
	}
}

func TestInstallCommandRefuses(t *testing.T) {
	m := newMachine(t)
	m.write("home/.claude/settings.json", "{\n  // mine\n}\n")
	code, out, errs := m.sidekick("install")
	want := "sidekick: /home/.claude/settings.json:2: " + words.NotStrictJSON + "\nhint: " + words.RemoveComments + "\n"
	if code != 1 || out != "" || errs != want {
		t.Errorf("comment: %d, %q, %q", code, out, errs)
	}
	m.env["CLAUDE_CONFIG_DIR"] = m.dir + "/cfg"
	other := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"sidekick hook"}]}]}}`
	m.write("cfg/settings.json", other)
	code, out, errs = m.sidekick("install")
	want = "sidekick: " + words.OtherSidekick("/cfg/settings.json", []string{`Stop: "sidekick hook"`}) + "\nhint: " + words.ReplaceThem + "\n"
	if code != 1 || out != "" || errs != want || m.read("cfg/settings.json") != other {
		t.Errorf("other sidekick: %d, %q, %q", code, out, errs)
	}
	code, _, errs = m.sidekick("install", "--replace")
	if code != 0 || !strings.HasPrefix(errs, words.ReplacedSidekick([]string{`Stop: "sidekick hook"`})+"\n") {
		t.Errorf("--replace: %d, %q", code, errs)
	}
	if code, _, errs = m.sidekick("install", "--project", "--local"); code != 2 || !strings.Contains(errs, "--local") {
		t.Errorf("two scopes: %d, %q", code, errs)
	}
}

// A person at a terminal is asked, and only a clear yes is one.
func TestInstallAsksAtTheTerminal(t *testing.T) {
	home := nvimtest.NewHome(t)
	binary := filepath.Join(home.Dir, "sidekick")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v: %s", err, out)
	}
	const other = `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"sidekick hook"}]}]}}`
	for answer, replaced := range map[string]bool{"y": true, "Yes": true, "": false, "n": false, "C-d": false} {
		file := home.Write(t, "cfg/settings.json", other)
		term := home.Terminal(t, []string{"sh", "-c", binary + " install; echo code $?; exec sleep 600"}, "CLAUDE_CONFIG_DIR="+filepath.Dir(file))
		term.WaitFor(strings.TrimSpace(words.ReplaceQuestion))
		if answer == "C-d" {
			term.Keys("C-d")
		} else {
			term.Type(answer)
			term.Keys("Enter")
		}
		want := "code 1"
		if replaced {
			want = "code 0"
		}
		term.WaitFor(want)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(data) != other; got != replaced {
			t.Errorf("answer %q: replaced is %v", answer, got)
		}
	}
}
