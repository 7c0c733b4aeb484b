// Package hook answers one hook event of Claude Code.
//
// stdout is a protocol: one JSON object or nothing. Whatever the hook does not
// know (other events, tools, other agents' payloads, broken JSON) gets nothing
// and a line in the journal; so does every fault of our own, because an error
// shown at every edit would only teach people to take the hook out.
package hook

import (
	"context"
	"io"
	"strings"
	"time"

	"sidekick/internal/claude"
	"sidekick/internal/config"
	"sidekick/internal/journal"
	"sidekick/internal/session"
	"sidekick/internal/socket"
	"sidekick/internal/swapfile"
	"sidekick/internal/words"
)

// World is all that a hook sees of the machine.
type World struct {
	Stdin      io.Reader
	Stdout     io.Writer
	Getenv     func(string) string // os.Getenv
	Home       string              // $HOME
	ConfigFile string              // config.toml
	StateHome  string              // XDG state folder
	Pid        int                 // of this process
	Sockets    socket.World        // where Neovims may listen
	Swaps      swapfile.World      // where swap files may be
}

// event is one hook event on its way to an answer.
type event struct {
	World
	payload claude.Payload
	config  config.Config
	entry   journal.Entry // what will be recorded; a handler adds what it did
	notes   session.Notes // shared with the other hooks of the session
	person  []string      // sentences for the person, not for the agent
	spoken  []int         // pids of editors whose swap files say what they have of the file
}

// handlers answer the events that we know.
var handlers = map[string]func(context.Context, *event) (claude.Answer, error){
	claude.PreToolUse:         preToolUse,
	claude.PostToolUse:        postToolUse,
	claude.PostToolUseFailure: postToolUse,
	claude.UserPromptSubmit:   userPromptSubmit,
	claude.SessionEnd:         sessionEnd,
	claude.PermissionRequest:  permissionRequest,
}

// Run reads one event, answers it and records what happened. It never fails:
// what goes wrong is in the journal.
func Run(ctx context.Context, w World) {
	start := time.Now()
	e := &event{World: w}
	answer, err := e.answer(ctx)
	if err == nil {
		err = answer.Write(w.Stdout)
	}
	if err != nil {
		e.entry.Error = err.Error()
	}
	if e.entry.Decision == "" && err == nil {
		return // nothing was done and nothing said
	}
	e.entry.Time = start
	e.entry.Micros = time.Since(start).Microseconds()
	// The journal is a convenience: no room for it is no reason to fail an edit.
	_ = journal.Open(journal.Path(w.StateHome)).Add(e.entry)
}

func (e *event) answer(ctx context.Context) (claude.Answer, error) {
	payload, err := readPayload(e.Stdin)
	if err != nil {
		e.entry.Event = "unknown"
		return claude.Answer{}, err
	}
	e.payload = payload
	e.entry = journal.Entry{Event: payload.Event, Session: payload.SessionID, Tool: payload.Tool}
	told, err := e.followReviews()
	if err != nil {
		e.entry.Error = err.Error()
	}
	answer, err := e.handle(ctx)
	return answer.AddContext(payload.Event, told), err
}

// handle lets the event's handler answer.
func (e *event) handle(ctx context.Context) (claude.Answer, error) {
	handle, ok := handlers[e.payload.Event]
	if !ok {
		return claude.Answer{}, nil
	}
	e.notes = session.Open(e.StateHome, e.payload.SessionID)
	var problems []error
	e.config, problems = config.Load(e.ConfigFile, e.Getenv)
	for _, problem := range problems {
		e.tellPerson(words.BadConfig(problem))
	}
	answer, err := handle(ctx, e)
	if err != nil {
		// A fault in one Neovim is no reason to lose the answer that others gave.
		e.entry.Error = err.Error()
	}
	answer.SystemMessage = strings.Join(e.person, "\n")
	return answer, nil
}

// tellPerson adds a sentence for the person, once in a session: a hook runs at
// every edit.
func (e *event) tellPerson(sentence string) {
	first, err := e.notes.First("told " + sentence)
	if first || err != nil {
		e.person = append(e.person, sentence)
	}
}
