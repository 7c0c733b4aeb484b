package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/internal/claude"
	"sidekick/internal/words"
)

// table is a small one of what has to be registered.
var table = []claude.Entry{
	{Event: claude.PreToolUse, Matcher: "Edit|Bash"},
	{Event: claude.PreToolUse, Matcher: "mcp__.*"},
	{Event: claude.Stop},
}

// hooks are settings that register it for a command.
func hooks(command string) string {
	const entry = `"hooks":[{"type":"command","command":%q,"args":["hook"],"timeout":10}]`
	e := fmt.Sprintf(entry, command)
	return `{"hooks":{"PreToolUse":[{"matcher":"Edit|Bash|Write",` + e + `},{"matcher":"mcp__.*",` + e + `}],"Stop":[{` + e + `}]}}`
}

// machine is a home, a repository and managed settings.
func machine(t *testing.T, files map[string]string) World {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		text = strings.ReplaceAll(text, "$DIR", dir)
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return World{
		ConfigDir: dir + "/cfg", Cwd: dir + "/repo/sub", Repository: dir + "/repo", Managed: dir + "/managed",
		DataHome: dir + "/data", TempDir: dir, Environ: []string{"PATH=/bin:/usr/bin"}, Getenv: func(string) string { return "" },
		Table:     table,
		Install:   func(file string) (Change, error) { return Change{File: file, Diff: "install " + file}, nil },
		Uninstall: func(file string) (Change, error) { return Change{File: file, Diff: "uninstall " + file}, nil },
	}
}

func TestSettingsThatCount(t *testing.T) {
	const (
		user, project, local, managed = "cfg/settings.json", "repo/sub/.claude/settings.json", "repo/.claude/settings.local.json", "managed/managed-settings.json"
		plugins                       = "cfg/plugins/installed_plugins.json"
	)
	installed := `{"version":2,"plugins":{"sidekick@sidekick":[{"scope":"user","installPath":"$DIR/plugin"}]}}`
	asPlugin := hooks("${CLAUDE_PLUGIN_ROOT}/sidekick")
	enabled := `{"enabledPlugins":{"sidekick@sidekick":true}}`
	for name, c := range map[string]struct {
		files map[string]string
		state string // of the hooks
		fact  string // in the rows
		fix   string // the end of the planned diff
	}{
		"nothing":              {nil, Fail, words.NotRegistered, "install $DIR/cfg/settings.json"},
		"user":                 {map[string]string{user: hooks("/x/sidekick")}, OK, "/x/sidekick hook (user)", ""},
		"project":              {map[string]string{project: hooks("/x/sidekick")}, OK, "(project)", ""},
		"local":                {map[string]string{local: hooks("/x/sidekick")}, OK, "(local)", ""},
		"managed":              {map[string]string{managed: hooks("/x/sidekick")}, OK, "(managed)", ""},
		"managed.d":            {map[string]string{"managed/managed-settings.d/1.json": hooks("/x/sidekick")}, OK, "(managed)", ""},
		"same twice":           {map[string]string{user: hooks("/x/sidekick"), local: hooks("/x/sidekick")}, OK, "(user, local)", ""},
		"two paths":            {map[string]string{user: hooks("/x/sidekick"), local: hooks("/y/sidekick")}, Note, "more than one", "uninstall $DIR/repo/.claude/settings.local.json"},
		"plugin":               {map[string]string{user: enabled, plugins: installed, "plugin/hooks/hooks.json": asPlugin}, OK, "(plugin sidekick@sidekick)", ""},
		"plugin off":           {map[string]string{plugins: installed, "plugin/hooks/hooks.json": asPlugin}, Fail, words.NotRegistered, "install $DIR/cfg/settings.json"},
		"plugin and local":     {map[string]string{user: enabled, local: hooks("/x/sidekick"), plugins: installed, "plugin/hooks/hooks.json": asPlugin}, Note, "more than one", "uninstall $DIR/repo/.claude/settings.local.json"},
		"part":                 {map[string]string{user: strings.Replace(hooks("/x/sidekick"), "Edit|Bash", "Write", 1)}, Fail, "for PreToolUse Edit, PreToolUse Bash", "install $DIR/cfg/settings.json"},
		"no MCP":               {map[string]string{user: strings.Replace(hooks("/x/sidekick"), "mcp__.*", "mcp__", 1)}, Fail, "PreToolUse mcp__server__tool", "install $DIR/cfg/settings.json"},
		"off":                  {map[string]string{user: hooks("/x/sidekick"), project: `{"disableAllHooks":true}`}, Fail, words.AllHooksOff("$DIR/" + project), ""},
		"managed only":         {map[string]string{user: hooks("/x/sidekick"), managed: `{"allowManagedHooksOnly":true}`}, Fail, "allowManagedHooksOnly", ""},
		"managed only, ours":   {map[string]string{managed: strings.Replace(hooks("/x/sidekick"), "{", `{"allowManagedHooksOnly":true,`, 1)}, OK, "(managed)", ""},
		"plugins only":         {map[string]string{user: hooks("/x/sidekick"), managed: `{"strictPluginOnlyCustomization":["hooks"]}`}, Fail, "strictPluginOnly", ""},
		"off, but not managed": {map[string]string{managed: hooks("/x/sidekick"), user: `{"disableAllHooks":true}`}, OK, "disableAllHooks", ""},
		"comment":              {map[string]string{user: "{\n// mine\n}"}, Fail, "ignores all of the user settings", "install $DIR/cfg/settings.json"},
		"wrong type":           {map[string]string{user: hooks("/x/sidekick"), local: `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":"10"}]}]}}`}, OK, "ignores all of the local settings", ""},
		"folder":               {map[string]string{user + "/x": ""}, Fail, "not a regular file", "install $DIR/cfg/settings.json"},
		"huge":                 {map[string]string{user: strings.Repeat(" ", 17<<20)}, Fail, "longer than 16 MB", "install $DIR/cfg/settings.json"},
		"BOM":                  {map[string]string{user: "\ufeff" + hooks("/x/sidekick")}, OK, "(user)", ""},
		"empty":                {map[string]string{user: "", local: hooks("/x/sidekick")}, OK, "(local)", ""},
		"the Rust program":     {map[string]string{user: `{"hooks":{"PreToolUse":[{"matcher":"Edit","hooks":[{"type":"command","command":"sidekick hook"}]}]}}`}, Fail, "does not call sidekick for", "install $DIR/cfg/settings.json"},
	} {
		t.Run(name, func(t *testing.T) {
			w := machine(t, c.files)
			s := readSettings(w)
			hookRows := s.hookRows()
			all := append(s.fileRows(), hookRows...)
			var text strings.Builder
			fix := ""
			for _, r := range all {
				fmt.Fprintf(&text, "%s %s: %s\n", r.State, r.Check, r.Fact)
				if r.Fix != nil {
					fix = r.Fix.Diff
				}
			}
			if last := hookRows[len(hookRows)-1]; last.State != c.state {
				t.Errorf("hooks are %s, not %s", last.State, c.state)
			}
			expand := func(s string) string { return strings.ReplaceAll(s, "$DIR", w.TempDir) }
			if !strings.Contains(text.String(), expand(c.fact)) || fix != expand(c.fix) {
				t.Errorf("rows, fix %q:\n%s", fix, text.String())
			}
			if strings.Contains(c.fact, "ignores") && Protected(all) {
				t.Error("a file that is ignored is no failure")
			}
		})
	}
}

func TestBinaryIsCalled(t *testing.T) {
	for name, c := range map[string]struct{ script, state, fact string }{
		"gone":      {"", Fail, "does not exist"},
		"silent":    {"#!/bin/sh\n[ \"$1\" = --version ] && echo 'sidekick 1'\nexit 0\n", OK, "is this version"},
		"older":     {"#!/bin/sh\n[ \"$1\" = --version ] && echo 'sidekick 0'\nexit 0\n", Note, `is "sidekick 0"`},
		"tells":     {"#!/bin/sh\n[ \"$1\" = --version ] && echo 'sidekick 1' && exit\necho '{\"systemMessage\":\"config.toml\"}'\n", OK, "is this version"},
		"decides":   {"#!/bin/sh\necho '{\"systemMessage\":\"x\",\"decision\":\"block\"}'\n", Fail, "should be silent"},
		"talks":     {"#!/bin/sh\necho hello\n", Fail, "should be silent"},
		"fails":     {"#!/bin/sh\nexit 3\n", Fail, "exit status 3"},
		"hangs":     {"#!/bin/sh\nsleep 60\n", Fail, "no answer within 10s"},
		"no leaver": {"#!/bin/sh\nsleep 60 &\nexit 0\n", Fail, "WaitDelay"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"cfg/settings.json": hooks("$DIR/bin/sidekick")}
			if c.script != "" {
				files["bin/sidekick"] = c.script
			}
			w := machine(t, files)
			w.Version, w.Executable = "sidekick 1", os.Args[0]
			rows := readSettings(w).binaryRows(context.Background())
			if len(rows) != 1 || rows[0].State != c.state || !strings.Contains(rows[0].Fact, c.fact) {
				t.Errorf("%+v", rows)
			}
		})
	}
}

// Looking at a clone runs nothing of it; a program that the person's own settings
// name, too, is theirs.
func TestRepositoryIsNotRun(t *testing.T) {
	const local, project, user = "repo/.claude/settings.local.json", "repo/sub/.claude/settings.json", "cfg/settings.json"
	shell := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"sidekick hook; touch $DIR/ran"}]}]}}`
	for name, c := range map[string]struct {
		files map[string]string
		ran   bool
		state string
	}{
		"project":           {map[string]string{project: hooks("$DIR/repo/sidekick")}, false, Fail},
		"local":             {map[string]string{local: hooks("$DIR/repo/sidekick")}, false, Fail},
		"shell line":        {map[string]string{local: shell}, false, Fail},
		"local and user":    {map[string]string{local: hooks("$DIR/repo/sidekick"), user: hooks("$DIR/repo/sidekick")}, true, OK},
		"this one, project": {map[string]string{project: hooks("$DIR/link/sidekick")}, false, OK},
	} {
		t.Run(name, func(t *testing.T) {
			c.files["repo/sidekick"] = "#!/bin/sh\n[ \"$1\" = --version ] && echo 'sidekick 1'\ntouch \"$(dirname \"$0\")/../ran\"\n"
			c.files["opt/this"] = "#!/bin/sh\n"
			w := machine(t, c.files)
			w.Version, w.Executable = "sidekick 1", filepath.Join(w.TempDir, "opt/this")
			if err := os.Mkdir(filepath.Join(w.TempDir, "link"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("../opt/this", filepath.Join(w.TempDir, "link/sidekick")); err != nil {
				t.Fatal(err)
			}
			s := readSettings(w)
			rows := append(s.binaryRows(context.Background()), s.probeRow(context.Background()))
			if rows[0].State != c.state {
				t.Errorf("%+v", rows)
			}
			if _, err := os.Stat(filepath.Join(w.TempDir, "ran")); (err == nil) != c.ran {
				t.Errorf("ran: %v", err)
			}
		})
	}
}

func TestPeersAreNamed(t *testing.T) {
	w := machine(t, map[string]string{
		"data/nvim/lazy/agentic.nvim/README":          "",
		"data/nvim/site/pack/x/opt/cc-watcher.nvim/a": "",
		"cfg/settings.json":                           `{"hooks":{"PostToolUse":[{"hooks":[{"type":"command","command":"~/.local/bin/claude-follow-hook"}]}]}}`,
	})
	var names []string
	for _, r := range readSettings(w).peerRows() {
		names = append(names, strings.Fields(r.Fact)[0])
		if r.State != Note {
			t.Errorf("%+v", r)
		}
	}
	if got := strings.Join(names, " "); got != "claude-follow-hook.nvim cc-watcher.nvim agentic.nvim" {
		t.Errorf("peers: %s", got)
	}
	if rows := readSettings(machine(t, nil)).peerRows(); len(rows) != 1 || rows[0].State != OK {
		t.Errorf("none: %+v", rows)
	}
}

func TestShellIsAsked(t *testing.T) {
	for name, c := range map[string]struct{ shell, rc, line, state string }{
		"bash, alias":    {"/bin/bash", ".bashrc", "alias nvim='sidekick nvim'", OK},
		"bash, none":     {"/bin/bash", ".bashrc", "nvim() { :; }", Note},
		"bash, for ever": {"/bin/bash", ".bashrc", "sleep 60", Note},
		"zsh, alias":     {"/usr/bin/zsh", ".zshrc", "alias nvim='/opt/bin/sidekick nvim'", OK},
		"fish, alias":    {"/usr/bin/fish", ".config/fish/config.fish", "alias nvim 'sidekick nvim'", OK},
		"no shell":       {"/no/such/zsh", ".zshrc", "", Note},
		"unknown":        {"/bin/xonsh", ".x", "", Note},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := machine(t, map[string]string{"home/" + c.rc: c.line + "\n"})
			home := filepath.Join(w.TempDir, "home")
			w.Environ = []string{"PATH=/bin:/usr/bin", "HOME=" + home, "TERM=dumb"}
			w.Getenv = func(name string) string { return map[string]string{"SHELL": c.shell}[name] }
			if row := w.shellRow(context.Background()); row.State != c.state {
				t.Errorf("%+v", row)
			}
		})
	}
}
