package doctor

import (
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"sidekick/internal/claude"
	"sidekick/internal/safefile"
	"sidekick/internal/words"
)

// source is one file from which Claude Code takes hooks.
type source struct {
	name     string // "user", "project", "local", "managed", "plugin NAME"
	file     string
	exists   bool
	problem  string // why the client ignores it, "" where it does not
	root     string // of a plugin
	switches claude.Switches
	hooks    []claude.Entry // of ours
	all      []claude.Entry
}

// settings is what Claude Code would read in the working directory.
type settings struct {
	World
	sources []source
}

func readSettings(w World) settings {
	s := settings{World: w}
	if w.ConfigDir != "" {
		s.add("user", filepath.Join(w.ConfigDir, "settings.json"))
	}
	s.add("project", filepath.Join(w.Cwd, ".claude", "settings.json"))
	s.add("local", filepath.Join(w.Repository, ".claude", "settings.local.json"))
	s.add("managed", filepath.Join(w.Managed, "managed-settings.json"))
	more, _ := filepath.Glob(filepath.Join(w.Managed, "managed-settings.d", "*.json"))
	for _, file := range more {
		s.add("managed", file)
	}
	s.addPlugins()
	return s
}

func (s *settings) add(name, file string) {
	for _, other := range s.sources {
		if other.file == file { // started in the home folder
			return
		}
	}
	src := source{name: name, file: file}
	src.read()
	s.sources = append(s.sources, src)
}

func (src *source) read() {
	f, err := safefile.Read(src.file)
	if err != nil {
		src.exists, src.problem = true, err.Error()
		return
	}
	src.exists = f.Exists
	text := []byte(strings.TrimPrefix(string(f.Data), "\ufeff"))
	if !f.Exists || len(strings.TrimSpace(string(text))) == 0 {
		return
	}
	if !json.Valid(text) {
		var v any
		src.problem = words.NotStrict(json.Unmarshal(text, &v))
		return
	}
	if err := claude.CheckSettings(text); err != nil {
		src.problem = err.Error()
		return
	}
	src.switches = claude.ReadSwitches(text)
	src.all = claude.Entries(text)
	for _, e := range src.all {
		if isSidekick(e.Handler) {
			src.hooks = append(src.hooks, e)
		}
	}
}

// isSidekick tells an entry of ours, and of the Rust program of this name: that
// one has it as a shell line.
func isSidekick(h claude.Handler) bool {
	if h.Type != "command" {
		return false
	}
	if h.Args != nil {
		return slices.Equal(h.Args, []string{"hook"}) && path.Base(h.Command) == "sidekick"
	}
	words := strings.Fields(strings.NewReplacer(`"`, "", `'`, "").Replace(h.Command))
	return len(words) >= 2 && words[1] == "hook" && path.Base(words[0]) == "sidekick"
}

// addPlugins adds the hooks of the plugins that are installed and switched on.
func (s *settings) addPlugins() {
	on := map[string]bool{}
	for _, src := range s.sources { // later ones win
		for name, enabled := range src.switches.EnabledPlugins {
			on[name] = enabled
		}
	}
	var installed struct {
		Plugins map[string]json.RawMessage `json:"plugins"`
	}
	f, err := safefile.Read(filepath.Join(s.ConfigDir, "plugins", "installed_plugins.json"))
	if s.ConfigDir == "" || err != nil || json.Unmarshal(f.Data, &installed) != nil {
		return
	}
	names := make([]string, 0, len(installed.Plugins))
	for name := range installed.Plugins {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if !on[name] {
			continue
		}
		for _, root := range installPaths(installed.Plugins[name]) {
			src := source{name: "plugin " + name, file: filepath.Join(root, "hooks", "hooks.json"), root: root}
			src.read()
			if src.exists {
				s.sources = append(s.sources, src)
				break
			}
		}
	}
}

// installPaths reads both shapes that the client has used: one place, or a list.
func installPaths(raw json.RawMessage) []string {
	type place struct {
		InstallPath string `json:"installPath"`
	}
	var one place
	var many []place
	if json.Unmarshal(raw, &many) != nil && json.Unmarshal(raw, &one) == nil {
		many = []place{one}
	}
	var paths []string
	for _, p := range many {
		if filepath.IsAbs(p.InstallPath) {
			paths = append(paths, p.InstallPath)
		}
	}
	return paths
}

// fileRows say which files are read, and why not.
func (s settings) fileRows() []Row {
	var rows []Row
	read := 0
	for _, src := range s.sources {
		switch {
		case src.problem != "":
			rows = append(rows, Row{words.CheckSettings, Fail, words.SettingsIgnored(src.name, src.file, src.problem), words.RepairSettingsFile, nil})
		case src.exists:
			read++
		}
	}
	if len(rows) == 0 {
		rows = append(rows, Row{words.CheckSettings, OK, words.SettingsRead(read), "", nil})
	}
	return rows
}
