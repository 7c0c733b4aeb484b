package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/config"
)

func TestLoad(t *testing.T) {
	with := func(change func(*config.Config)) config.Config {
		c := config.Default()
		change(&c)
		return c
	}
	tests := []struct {
		name     string
		file     string
		env      map[string]string
		want     config.Config
		problems []string // a part of each, in order
	}{
		{name: "nothing said", want: config.Default()},
		{
			name: "every key",
			file: "guard = \"visible\"\nwait = \"5s\"\n[context]\nselection = false\nunsaved = false\nstale_reads = false\ndiagnostics = false\ngit_ignored = false\n",
			want: config.Config{Guard: config.Visible, Wait: 5 * time.Second},
		},
		{
			name: "the environment wins",
			file: "guard = \"visible\"",
			env:  map[string]string{"SIDEKICK_GUARD": "current", "SIDEKICK_WAIT": "2s", "SIDEKICK_CONTEXT_SELECTION": "0"},
			want: with(func(c *config.Config) {
				c.Guard, c.Wait, c.Context.Selection = config.Current, 2*time.Second, false
			}),
		},
		{
			name: "unknown key and value keep the default",
			file: "gaurd = \"visible\"\nguard = \"always\"\nwait = 5\n[context]\nselection = \"perhaps\"\n",
			want: config.Default(),
			problems: []string{
				"context.selection: perhaps is not a value: use true or false",
				"gaurd: unknown key; the keys are guard,",
				`guard: always is not a value: use "unsaved"`,
				"wait: 5 is not a value: use a duration",
			},
		},
		{name: "not TOML", file: "guard =", want: config.Default(), problems: []string{"config.toml"}},
		{
			name: "bad variable", env: map[string]string{"SIDEKICK_WAIT": "1h"}, want: config.Default(),
			problems: []string{`SIDEKICK_WAIT="1h": use a duration from "0s" to "10m"`},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.toml")
			if test.file != "" {
				if err := os.WriteFile(path, []byte(test.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, problems := config.Load(path, func(name string) string { return test.env[name] })
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("config (-want +got):\n%s", diff)
			}
			if len(problems) != len(test.problems) {
				t.Fatalf("problems %v, want %v", problems, test.problems)
			}
			for i, want := range test.problems {
				if !strings.Contains(problems[i].Error(), want) {
					t.Errorf("problem %q does not say %q", problems[i], want)
				}
			}
		})
	}
}

// What is no small regular file is a problem, and keeps nobody waiting.
func TestLoadIsNeverInTheWay(t *testing.T) {
	dir := t.TempDir()
	pipe, long := filepath.Join(dir, "pipe"), filepath.Join(dir, "long")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(long, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(long, 64<<20); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		pipe: "not a regular file", dir: "not a regular file", "/dev/zero": "not a regular file", long: "longer than 1 MB",
	} {
		c, problems := config.Load(path, func(string) string { return "" })
		if len(problems) != 1 || problems[0].Error() != path+": "+want || c != config.Default() {
			t.Errorf("%s: %+v, %v", path, c, problems)
		}
	}
	if _, problems := config.Load("", func(string) string { return "" }); problems != nil {
		t.Errorf("no path: %v", problems)
	}
}
