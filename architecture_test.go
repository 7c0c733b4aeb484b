package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// imports returns what the Go files of every package import, by folder ("." is
// main); with tests also their own.
func imports(t *testing.T, tests bool) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || !tests && strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		found[dir] = append(found[dir], "")
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			found[dir] = append(found[dir], imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// isTest reports whether a package serves tests and measurements only.
func isTest(dir string) bool {
	return strings.HasSuffix(path.Base(dir), "test") || dir == "e2e" || dir == "proof" || strings.HasPrefix(dir, "bench")
}

// The arrows of docs/architecture.md: main -> workflows -> internal.
func TestArrows(t *testing.T) {
	for dir, all := range imports(t, false) {
		if isTest(dir) {
			continue
		}
		for _, imported := range all {
			ours, ok := strings.CutPrefix(imported, "sidekick/")
			if !ok || dir == "." {
				continue
			}
			inner := strings.HasPrefix(ours, "internal/") || ours == "lua"
			switch {
			case !inner:
				t.Errorf("%s imports %s: nothing but main imports a workflow", dir, ours)
			case dir == "lua":
				t.Errorf("lua imports %s: it imports nothing of ours", ours)
			case isTest(ours):
				t.Errorf("%s imports %s, which is for tests", dir, ours)
			}
		}
	}
}

// leaves import nothing of ours.
var leaves = []string{
	"internal/words", "internal/config", "internal/filename", "internal/claude", "internal/linediff", "internal/safefile",
	"internal/screen", "internal/git", "internal/session", "internal/shellcmd", "internal/process", "lua",
}

func TestLeaves(t *testing.T) {
	all := imports(t, false)
	for _, leaf := range leaves {
		if all[leaf] == nil {
			t.Errorf("there is no package %s", leaf)
		}
		for _, imported := range all[leaf] {
			if strings.HasPrefix(imported, "sidekick/") {
				t.Errorf("%s imports %s", leaf, imported)
			}
		}
	}
}

// doors are the only ones that import what they are the door to.
var doors = map[string][]string{
	"github.com/neovim/go-client": {"internal/nvim", "internal/nvim/nvimtest"},
	"github.com/alecthomas/kong":  {"."},
	"github.com/tailscale/hujson": {"install"},
	"mvdan.cc/sh":                 {"internal/shellcmd"},
	"os/exec":                     {"doctor", "internal/scene", "internal/git", "internal/nvim/nvimtest", "internal/claudetest", "internal/mounttest"},
}

func TestDoors(t *testing.T) {
	for dir, all := range imports(t, false) {
		if strings.HasPrefix(dir, "bench") {
			continue
		}
		for _, imported := range all {
			for library, allowed := range doors {
				if (imported == library || strings.HasPrefix(imported, library+"/")) && !slices.Contains(allowed, dir) {
					t.Errorf("%s imports %s; only %v may", dir, imported, allowed)
				}
			}
		}
	}
}

// The document names every package.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for dir := range imports(t, true) {
		if dir == "." || strings.HasPrefix(dir, "bench/") {
			continue
		}
		name := path.Base(dir)
		if parent := path.Base(path.Dir(dir)); strings.HasSuffix(name, "test") && parent != "internal" {
			name = parent + "/" + name
		}
		line := regexp.MustCompile(`(?m)^[ |\-]*` + regexp.QuoteMeta(name) + `/?($| {2,})`)
		if !line.Match(text) {
			t.Errorf("docs/architecture.md does not say what %s is", dir)
		}
	}
}

// docs/security.md shows each answer by a test that is there.
func TestSecurityNamesTests(t *testing.T) {
	text, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`([a-z/.]+): ((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 20 {
		t.Fatalf("the document names %d tests", len(named))
	}
	for _, match := range named {
		dir, test := match[1], match[2]
		files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if !slices.ContainsFunc(files, func(name string) bool {
			source, _ := os.ReadFile(name)
			return strings.Contains(string(source), "func "+test+"(")
		}) {
			t.Errorf("there is no test %s in %s", test, dir)
		}
	}
}
