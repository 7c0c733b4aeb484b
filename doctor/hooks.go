package doctor

import (
	"path/filepath"
	"slices"
	"strings"

	"sidekick/internal/claude"
	"sidekick/internal/words"
)

// handler is one way in which Claude Code calls a sidekick.
type handler struct {
	command string // for a person
	argv    []string
	from    []string // the sources that have it
	entries []claude.Entry
	// foreign: only files that come with a repository name it, and it is another
	// program than this one. A person who looks at a clone has not agreed to run
	// what is in it.
	foreign bool
}

// handlers lists them. The client runs the same command and arguments once,
// however often it is registered in settings; a plugin's copy runs beside it.
func (s settings) handlers() []*handler {
	var found []*handler
	by := map[string]*handler{}
	for _, src := range s.sources {
		if s.shut(src) {
			continue
		}
		for _, e := range src.hooks {
			key := e.Command + "\x00" + strings.Join(e.Args, "\x00") + "\x00" + src.root
			h, ok := by[key]
			if !ok {
				h = &handler{command: strings.Join(append([]string{e.Command}, e.Args...), " ")}
				h.argv = append([]string{strings.ReplaceAll(e.Command, "${CLAUDE_PLUGIN_ROOT}", src.root)}, e.Args...)
				if e.Args == nil {
					h.argv = []string{"/bin/sh", "-c", e.Command}
				}
				same, err := sameFile(h.argv[0], s.Executable)
				h.foreign = err != nil || !same
				by[key] = h
				found = append(found, h)
			}
			h.foreign = h.foreign && (src.name == "project" || src.name == "local")
			if !slices.Contains(h.from, src.name) {
				h.from = append(h.from, src.name)
			}
			h.entries = append(h.entries, e)
		}
	}
	return found
}

// shut reports whether the hooks of a source are switched off.
func (s settings) shut(src source) bool {
	for _, other := range s.sources {
		managed := other.name == "managed"
		switch {
		case other.switches.DisableAllHooks && (managed || src.name != "managed"):
			return true
		case managed && other.switches.AllowManagedHooksOnly && src.name != "managed":
			return true
		case managed && other.switches.HooksFromPluginsOnly() && src.name != "managed" && src.root == "":
			return true
		}
	}
	return false
}

// switchRows name what shuts hooks out. Where ours are called all the same, from
// settings that stand above the switch, that is no failure.
func (s settings) switchRows(called bool) []Row {
	var rows []Row
	state := Fail
	if called {
		state = Note
	}
	for _, src := range s.sources {
		if src.switches.DisableAllHooks {
			rows = append(rows, Row{words.CheckHooks, state, words.AllHooksOff(src.file), words.TakeItOut, nil})
		}
		if src.name != "managed" {
			continue
		}
		if src.switches.AllowManagedHooksOnly && len(src.hooks) == 0 {
			rows = append(rows, Row{words.CheckHooks, state, words.ManagedOnly(src.file), words.AskAdministrator, nil})
		}
		if src.switches.HooksFromPluginsOnly() && !s.asPlugin() {
			rows = append(rows, Row{words.CheckHooks, state, words.PluginsOnly(src.file), words.UseThePlugin, nil})
		}
	}
	return rows
}

func (s settings) asPlugin() bool {
	return slices.ContainsFunc(s.sources, func(src source) bool { return src.root != "" && len(src.hooks) > 0 })
}

// hookRows say whether sidekick is called for all that it needs, and once.
func (s settings) hookRows() []Row {
	handlers := s.handlers()
	rows := s.switchRows(len(handlers) > 0)
	if len(handlers) == 0 {
		if len(rows) > 0 { // it may be registered all right
			return rows
		}
		return []Row{{words.CheckHooks, Fail, words.NotRegistered, words.RunInstall, s.fixInstall()}}
	}
	var names []string
	best := s.missing(handlers[0])
	for _, h := range handlers {
		names = append(names, words.CalledFrom(h.command, h.from))
		if missing := s.missing(h); len(missing) < len(best) {
			best = missing
		}
	}
	if len(best) > 0 {
		return append(rows, Row{words.CheckHooks, Fail, words.EventsMissing(best), words.RunInstall, s.fixInstall()})
	}
	if len(handlers) > 1 {
		return append(rows, Row{words.CheckHooks, Note, words.CalledTwice(names), words.KeepOne, s.fixDouble()})
	}
	return append(rows, Row{words.CheckHooks, OK, words.Registered(names[0]), "", nil})
}

// missing lists what a handler is not called for.
func (s settings) missing(h *handler) []string {
	var missing []string
	for _, need := range s.Table {
		for _, tool := range tools(need.Matcher) {
			called := slices.ContainsFunc(h.entries, func(e claude.Entry) bool {
				return e.Event == need.Event && claude.Matches(e.Matcher, tool)
			})
			what := need.Event
			if tool != "" {
				what += " " + tool
			}
			if !called && !slices.Contains(missing, what) {
				missing = append(missing, what)
			}
		}
	}
	return missing
}

// tools are names that a matcher of our table has to match.
func tools(matcher string) []string {
	if strings.HasSuffix(matcher, ".*") {
		return []string{strings.TrimSuffix(matcher, ".*") + "server__tool"}
	}
	return strings.Split(matcher, "|")
}

// fixInstall plans an install into the person's own settings.
func (s settings) fixInstall() *Change {
	if s.ConfigDir == "" {
		return nil
	}
	return planned(s.Install(filepath.Join(s.ConfigDir, "settings.json")))
}

// fixDouble plans to take out of the first other file what the person's own
// settings have.
func (s settings) fixDouble() *Change {
	for _, src := range s.sources {
		if (src.name == "project" || src.name == "local") && len(src.hooks) > 0 {
			return planned(s.Uninstall(src.file))
		}
	}
	return planned(s.Uninstall(filepath.Join(s.ConfigDir, "settings.json"))) // a plugin has them, too
}

// planned drops a plan that changes nothing or cannot be made: the row's own
// hint leads to the command that says why.
func planned(c Change, err error) *Change {
	if err != nil || c.Diff == "" {
		return nil
	}
	return &c
}
