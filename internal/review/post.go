package review

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"lukechampine.com/blake3"
	"sidekick/internal/claude"
)

// An open review is a hook process that waits, and other hook processes learn
// what ends it: the agent went on. They meet at a socket in a folder of the
// runtime dir, SESSION-PID.sock, so that finding no open review costs one look
// into an empty folder.
const postFolder = "reviews"

// token is a short file name for text.
func token(text []byte) string {
	sum := blake3.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// occurrence is one event of a session, as a waiting review sees it.
type occurrence struct {
	Event string `json:"event"`
	Agent string `json:"agent"` // "" = the session itself, else a subagent
	Tool  string `json:"tool"`
	Path  string `json:"path"`
	Goes  bool   `json:"goes"` // Stop: something of the session runs on in the background
}

func occurrenceOf(p claude.Payload) occurrence {
	return occurrence{Event: p.Event, Agent: p.AgentID, Tool: p.Tool, Path: absolute(p), Goes: len(p.BackgroundTasks) > 0}
}

// ends reports whether the event means that the question of request has been
// answered elsewhere, and how.
func (o occurrence) ends(request claude.Payload) (Outcome, bool) {
	switch o.Event {
	case claude.PostToolUse, claude.PostToolUseFailure:
		// Not another tool's, not another agent's: those run beside the question.
		same := o.Agent == request.AgentID && o.Tool == request.Tool && o.Path == absolute(request)
		return AcceptedElsewhere, same
	case claude.Stop:
		// The turn can end while a subagent in the background waits.
		return RejectedElsewhere, request.AgentID == "" || !o.Goes
	case claude.UserPromptSubmit, claude.SessionEnd:
		return RejectedElsewhere, true
	}
	return "", false
}

// absolute is the path of a file tool's call, "" for other tools.
func absolute(p claude.Payload) string {
	path := p.FilePath()
	if path == "" || filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(p.Cwd, path)
}

// post is where a waiting review hears of its session's events.
type post struct {
	listener net.Listener
	heard    chan occurrence
}

// openPost listens below the runtime dir, which exists and is private.
func openPost(dir, session string, pid int) (*post, error) {
	folder := filepath.Join(dir, postFolder)
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("folder of open reviews: %w", err)
	}
	path := filepath.Join(folder, fmt.Sprintf("%s-%d.sock", token([]byte(session)), pid))
	_ = os.Remove(path) // of a dead process that had our pid
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("listen for the session's events: %w", err)
	}
	p := &post{listener: listener, heard: make(chan occurrence)}
	go p.serve()
	return p, nil
}

func (p *post) serve() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		_ = conn.SetDeadline(time.Now().Add(time.Second))
		var o occurrence
		if json.NewDecoder(conn).Decode(&o) == nil {
			p.heard <- o
		}
		_ = conn.Close()
	}
}

// close also removes the socket.
func (p *post) close() { _ = p.listener.Close() }

// Tell lets the open reviews of p's session know that p happened. Where none is
// open it costs one look into a folder. dir is the runtime dir.
func Tell(dir string, p claude.Payload) error {
	session := token([]byte(p.SessionID))
	sockets, err := filepath.Glob(filepath.Join(dir, postFolder, session+"-*.sock"))
	if err != nil || len(sockets) == 0 {
		return err
	}
	message, err := json.Marshal(occurrenceOf(p))
	if err != nil {
		return err
	}
	var errs []error
	for _, path := range sockets {
		err := send(path, message)
		if errors.Is(err, syscall.ECONNREFUSED) {
			err = os.Remove(path) // its process was killed
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func send(path string, message []byte) error {
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	_, err = conn.Write(message)
	return err
}
