package install_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/install"
)

func TestSettingsFile(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "repo", "sub")
	for _, d := range []string{sub, filepath.Join(dir, "repo", ".git"), filepath.Join(dir, "plain")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		places install.Places
		scope  install.Scope
		want   string // below dir; "" = an error
	}{
		"user":                      {install.Places{Home: dir + "/home", Cwd: sub}, install.User, "home/.claude/settings.json"},
		"user, own folder":          {install.Places{Home: dir + "/home", ConfigDir: dir + "/cfg", Cwd: sub}, install.User, "cfg/settings.json"},
		"user, own folder relative": {install.Places{Home: dir + "/home", ConfigDir: "cfg", Cwd: sub}, install.User, "repo/sub/cfg/settings.json"},
		"user, no home":             {install.Places{Cwd: sub}, install.User, ""},
		"project":                   {install.Places{Cwd: sub}, install.Project, "repo/sub/.claude/settings.json"},
		"local":                     {install.Places{Cwd: sub}, install.Local, "repo/.claude/settings.local.json"},
		"local, no repository":      {install.Places{Cwd: dir + "/plain"}, install.Local, "plain/.claude/settings.local.json"},
	}
	for name, test := range tests {
		got, err := test.places.SettingsFile(test.scope)
		want := ""
		if test.want != "" {
			want = filepath.Join(dir, test.want)
		}
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestBinary(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	real := filepath.Join(dir, "Cellar", "1.2", "sidekick")
	write(t, real, "x")
	other := filepath.Join(dir, "other", "sidekick")
	write(t, other, "y")
	for _, f := range []string{real, other} {
		if err := os.Chmod(f, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "bin", "sidekick")
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../Cellar/1.2/sidekick", link); err != nil {
		t.Fatal(err)
	}
	build := filepath.Join(dir, "go-build123", "b001", "exe", "sidekick")
	odd := filepath.Join(dir, "a${b}", "sidekick")
	notText := filepath.Join(dir, "caf\xe9", "sidekick")
	for _, f := range []string{build, odd, notText} {
		write(t, f, "x")
	}
	tests := map[string]struct{ typed, searchPath, executable, want string }{
		"a link on PATH":               {"sidekick", "/nowhere:" + dir + "/bin", real, link},
		"a link, typed":                {link, "", real, link},
		"a link, typed relative":       {"./bin/sidekick", "", real, link},
		"a relative folder on PATH":    {"sidekick", "bin", real, link},
		"the file itself":              {real, dir + "/bin", real, real},
		"another program of that name": {"sidekick", dir + "/other:" + dir + "/bin", real, real},
		"a name that is not on PATH":   {"sidekick", "/nowhere", real, real},
		"a name made up by the caller": {"-sidekick", "", real, real},
		"no name":                      {"", "", real, real},
		"go run":                       {build, "", build, ""},
		"a path with a variable":       {odd, "", odd, ""},
		"a path that is not UTF-8":     {notText, "", notText, ""},
		"no absolute path to be had":   {"sidekick", "", "sidekick", ""},
	}
	for name, test := range tests {
		got, err := install.Binary(test.typed, test.searchPath, dir, test.executable)
		if got != test.want || (err != nil) != (test.want == "") {
			t.Errorf("%s: %q, %v; want %q", name, got, err, test.want)
		}
		if err != nil && !strings.Contains(err.Error(), "path of this program") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
