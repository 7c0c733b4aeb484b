// Package review shows a person the change that an agent asks permission for,
// in their Neovim, and turns what they decide into the answer.
//
// The agent's own question in the terminal stays usable meanwhile: the first
// answer wins. So whatever goes wrong here ends in no answer, never in a wrong
// one. The process waits on channels; it costs nothing for as long as a person
// takes.
//
//	hook (this package)                         Neovim (_sidekick.review)
//	  review.where ------------------------------> who has the file, used last?
//	  review.open --------------------------------> queue, later the view
//	  <------------------- sidekick_review {verdict, text}
//	  review.refuse (dirty, stale): the view stays, or
//	  review.settle: the view closes
//
// Another hook process that learns that the agent went on tells this one through
// a socket (post.go). The end of the connection tells Neovim that we are gone,
// and us that Neovim is.
package review

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"sidekick/internal/claude"
	"sidekick/internal/nvim"
	"sidekick/internal/words"
)

// Request is one question of the client.
type Request struct {
	Payload claude.Payload
	Dir     string   // runtime dir: exists, private
	Editors []string // addresses of the person's Neovims
	Parent  string   // $NVIM, "" where the agent runs elsewhere
	File    any      // identity of the target: sidekick.FileNames
	Pid     int      // of this process
	Answer  uintptr  // descriptor that the client reads our answer from

	// Unsaved returns a sentence when a Neovim holds unsaved text of the target.
	Unsaved func(context.Context) string
}

// Outcome is how a review ended.
type Outcome string

// Outcomes.
const (
	Accepted          Outcome = "accepted"
	AcceptedEdited    Outcome = "accepted, edited"
	Rejected          Outcome = "rejected"
	AcceptedElsewhere Outcome = "accepted elsewhere"
	RejectedElsewhere Outcome = "rejected elsewhere"
	Outdated          Outcome = "outdated"  // the file changed: the agent is asked to read it again
	Withdrawn         Outcome = "withdrawn" // Neovim or the agent is gone
	NoEditor          Outcome = "no editor"
)

// verdict is what the person decided; sidekick.ReviewVerdict in Lua.
type verdict struct {
	Verdict string   `msgpack:"verdict"` // "accept", "reject", "look": the file may have changed
	Reason  string   `msgpack:"reason"`
	Lines   []string `msgpack:"lines"`
	EOL     bool     `msgpack:"eol"`
}

// Run shows the proposal and waits for the decision. The zero Answer leaves the
// question to the terminal.
func Run(ctx context.Context, r Request) (claude.Answer, Outcome, error) {
	proposal, err := Propose(r.Payload)
	if err != nil {
		return claude.Answer{}, NoEditor, err
	}
	if len(r.Editors) == 0 {
		return claude.Answer{}, NoEditor, nil
	}
	post, err := openPost(r.Dir, r.Payload.SessionID, r.Pid)
	if err != nil {
		return claude.Answer{}, NoEditor, err
	}
	defer post.close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := session{Request: r, proposal: proposal, proposed: split(proposal.After)}
	return s.wait(ctx, post.heard, readerGone(r.Answer))
}

// session is one review on its way.
type session struct {
	Request
	proposal Proposal
	proposed Text
	editor   *nvim.Client // nil until one is found
	stale    bool         // the person has been told that the file changed
}

// wait runs until the question is answered, here or elsewhere.
func (s *session) wait(ctx context.Context, heard <-chan occurrence, agentGone <-chan struct{}) (claude.Answer, Outcome, error) {
	located := make(chan *nvim.Client, 1)
	go func() { located <- locate(ctx, s.Request) }()
	var verdicts <-chan verdict
	var editorGone <-chan struct{}
	for {
		select {
		case s.editor = <-located:
			if s.editor == nil {
				return claude.Answer{}, NoEditor, nil
			}
			defer s.editor.Close()
			var err error
			if verdicts, err = nvim.Notifications[verdict](s.editor, notification); err != nil {
				return claude.Answer{}, NoEditor, err
			}
			editorGone = s.editor.Ended()
			if _, err := nvim.Call[struct{}](s.editor, "review.open", s.view()); err != nil {
				if ctx.Err() != nil {
					return claude.Answer{}, Withdrawn, nil
				}
				return claude.Answer{}, NoEditor, err
			}
		case v := <-verdicts:
			answer, outcome, err := s.decide(ctx, v)
			if outcome == "" {
				continue
			}
			s.settle(outcome)
			return answer, outcome, err
		case o := <-heard:
			if outcome, ends := o.ends(s.Payload); ends {
				s.settle(outcome)
				return claude.Answer{}, outcome, nil
			}
		case <-editorGone:
			return claude.Answer{}, Withdrawn, nil
		case <-agentGone:
			s.settle(Withdrawn)
			return claude.Answer{}, Withdrawn, nil
		case <-ctx.Done():
			return claude.Answer{}, Withdrawn, nil
		}
	}
}

// notification is the name of Neovim's messages to us.
const notification = "sidekick_review"

// view is what Neovim shows; sidekick.ReviewRequest in Lua.
func (s *session) view() map[string]any {
	p := s.proposal
	text := words.ReviewText(words.Review{
		Path: p.Path, Cell: p.Cell, Change: string(p.Change), Agent: "Claude", Subagent: s.Payload.AgentID != "",
		BecomesUnix: p.DOS && p.Tool == claude.Write,
	})
	return map[string]any{
		"channel": s.editor.Channel(),
		"pid":     s.Pid,
		"path":    p.Path,
		"file":    s.File,
		"before":  split(p.Before),
		"after":   s.proposed,
		"dos":     p.DOS,
		"syntax":  p.Syntax,
		"text":    text,
	}
}

// decide turns a verdict into the answer. An empty outcome means that the review
// goes on.
func (s *session) decide(ctx context.Context, v verdict) (claude.Answer, Outcome, error) {
	p := s.proposal
	final, edited := p.After, false
	if text := (Text{v.Lines, v.EOL}); v.Verdict == "accept" && !text.equal(s.proposed) {
		final = text.join()
		edited = final != p.After
	}
	switch {
	case v.Verdict == "reject":
		return claude.DenyPermission(words.ReviewRejected(p.Path, v.Reason)), Rejected, nil
	case p.Done():
		return claude.Answer{}, AcceptedElsewhere, nil
	case p.Stale() && s.stale && v.Verdict == "accept":
		return claude.DenyPermission(words.ReviewOutdated(p.Path)), Outdated, nil
	case p.Stale():
		s.stale = true
		return s.refuse(words.ReviewStale(p.Path), true)
	case v.Verdict != "accept":
		return claude.Answer{}, "", nil
	case edited && final == p.Before && p.Change == Modify:
		return claude.DenyPermission(words.ReviewUndone(p.Path)), Rejected, nil
	case !utf8.ValidString(final):
		return s.refuse(words.ReviewNotText, false)
	}
	if sentence := s.Unsaved(ctx); sentence != "" {
		return s.refuse(sentence, false)
	}
	input, err := p.Input(final)
	if err != nil {
		return claude.Answer{}, "", err
	}
	if !edited {
		return claude.AllowPermission(input), Accepted, nil
	}
	// Without the note Claude only does not learn what was changed.
	err = leaveNote(s.Dir, s.Payload.SessionID, p, final, input)
	return claude.AllowPermission(input), AcceptedEdited, err
}

// refuse tells the person why their verdict cannot be taken; the view stays.
func (s *session) refuse(sentence string, stale bool) (claude.Answer, Outcome, error) {
	s.call("review.refuse", map[string]any{"text": sentence, "stale": stale})
	return claude.Answer{}, "", nil
}

// settle closes the view. Where Neovim cannot be reached the end of the
// connection does the same.
func (s *session) settle(outcome Outcome) {
	s.call("review.settle", map[string]any{
		"outcome": string(outcome),
		"text":    words.ReviewSettled(s.proposal.Path, string(outcome)),
	})
}

// callBound is how long a message to a Neovim that may be blocked is waited for.
const callBound = time.Second

func (s *session) call(method string, args map[string]any) {
	if s.editor == nil {
		return
	}
	args["channel"] = s.editor.Channel()
	done := make(chan struct{})
	go func() {
		_, _ = nvim.Call[struct{}](s.editor, method, args)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(callBound):
	}
}

// Ended is to be called for every event of a session that may mean that a
// question was answered elsewhere. It returns what Claude must be told of the
// call p, "" for nothing. dir is the runtime dir.
func Ended(dir string, p claude.Payload) (told string, err error) {
	err = Tell(dir, p)
	switch p.Event {
	case claude.PostToolUse:
		var noteErr error
		told, noteErr = Edited(dir, p)
		err = errors.Join(err, noteErr)
	case claude.SessionEnd:
		forget(dir, p.SessionID)
	}
	if err != nil {
		err = fmt.Errorf("open reviews: %w", err)
	}
	return told, err
}
