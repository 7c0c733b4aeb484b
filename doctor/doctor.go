// Package doctor tells a person whether they are protected, and why not where
// they are not. It checks by doing: the hook that the settings name is called,
// an edit of unsaved text is tried.
package doctor

import (
	"context"
	"sync"
	"time"

	"sidekick/internal/claude"
	"sidekick/internal/config"
	"sidekick/internal/socket"
	"sidekick/internal/words"
)

// States of a row.
const (
	OK   = "ok"
	Note = "note" // worth knowing; the person is protected all the same
	Fail = "fail" // they are not
)

// Row is the result of one check.
type Row struct {
	Check string  `json:"check"` // one of the names in package words
	State string  `json:"state"`
	Fact  string  `json:"fact"`
	Hint  string  `json:"hint,omitempty"` // what to do, "" where nothing is to be done
	Fix   *Change `json:"-"`              // what --fix would do about it; nil where it can do nothing
}

// Change is a change of a person's file.
type Change struct {
	File  string
	Diff  string // unified
	Apply func() error
}

// World is what the checks see of the machine. All of it is required but what
// says otherwise.
type World struct {
	Binary     string   // the path that install would write
	Executable string   // of this program
	Version    string   // of this program, as it prints it
	Environ    []string // of the person
	Getenv     func(string) string
	Home       string // may be ""
	Cwd        string
	Repository string // the root of cwd's repository, or cwd
	ConfigDir  string // of Claude Code: $CLAUDE_CONFIG_DIR or ~/.claude; "" where there is no home
	Managed    string // folder of the managed settings
	ConfigFile string // of sidekick
	DataHome   string
	TempDir    string
	Sockets    socket.World
	Table      []claude.Entry         // what has to be registered: event and matcher
	Nvim       func() (string, error) // finds Neovim as `sidekick nvim` does
	// Install plans to put the hooks into a settings file; Uninstall to take them out.
	Install, Uninstall func(file string) (Change, error)
}

// patience is how long a foreign program may take to answer.
const patience = 2 * time.Second

// Run makes all checks and returns their rows, in a fixed order.
func Run(ctx context.Context, w World) []Row {
	s := readSettings(w)
	var groups [6][]Row
	var all sync.WaitGroup
	// What starts programs goes on at once; a person waits for the slowest.
	all.Go(func() { groups[0] = append(s.fileRows(), s.hookRows()...) })
	all.Go(func() { groups[1] = s.binaryRows(ctx) })
	all.Go(func() { groups[2] = append(w.neovimRows(ctx), w.shellRow(ctx)) })
	all.Go(func() { groups[3] = w.socketRows(ctx) })
	all.Go(func() { groups[4] = append(w.configRows(), s.peerRows()...) })
	all.Wait()
	// Last and alone: it is timed.
	groups[5] = []Row{s.probeRow(ctx)}
	var rows []Row
	for _, group := range groups {
		rows = append(rows, group...)
	}
	return rows
}

// Protected reports whether no check failed.
func Protected(rows []Row) bool {
	for _, r := range rows {
		if r.State == Fail {
			return false
		}
	}
	return true
}

func (w World) configRows() []Row {
	var rows []Row
	_, problems := config.Load(w.ConfigFile, w.Getenv)
	for _, problem := range problems {
		rows = append(rows, Row{words.CheckConfig, Note, problem.Error(), words.ConfigDefault, nil})
	}
	if len(rows) == 0 {
		rows = append(rows, Row{words.CheckConfig, OK, words.ConfigFine, "", nil})
	}
	return rows
}
