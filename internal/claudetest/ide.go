package claudetest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"sidekick/internal/nvim/nvimtest"
)

// IDE is an editor that a client connects to when it is started with "--ide", and
// whose diffs it then shows: what claudecode.nvim and VS Code are to it. The
// test plays the person who looks at the diffs.
type IDE struct {
	t     testing.TB
	diffs chan Diff
	ready chan struct{} // closed when a client has connected
	once  sync.Once
	close func()
}

// Diff is a change that the client wants the person to decide on.
type Diff struct {
	Path     string
	Contents string // of the whole file, as proposed
	answer   chan []string
}

// Save accepts the diff, with contents as the file's text.
func (d Diff) Save(contents string) { d.answer <- []string{"FILE_SAVED", contents} }

// ServeIDE is an editor in which the folder workspace is open. It ends with the
// test, or by Close.
func ServeIDE(t testing.TB, home nvimtest.Home, workspace string) *IDE {
	t.Helper()
	const token = "11111111-2222-4333-8444-555555555555"
	ide := &IDE{t: t, diffs: make(chan Diff, 1), ready: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Claude-Code-Ide-Authorization") != token {
			http.Error(w, "not the lock file's token", http.StatusUnauthorized)
			return
		}
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"mcp"}})
		if err != nil {
			return // the client has answered for it
		}
		conn.SetReadLimit(1 << 24)
		ide.serve(ctx, conn)
		_ = conn.CloseNow()
	}))
	port := server.URL[strings.LastIndex(server.URL, ":")+1:]
	lock, err := json.Marshal(object{
		"pid": os.Getpid(), "workspaceFolders": []string{workspace},
		"ideName": "test", "transport": "ws", "authToken": token,
	})
	if err != nil {
		t.Fatal(err)
	}
	path := home.Write(t, ".claude/ide/"+port+".lock", string(lock))
	ide.close = sync.OnceFunc(func() {
		_ = os.Remove(path)
		cancel()
		server.Close()
	})
	t.Cleanup(ide.close)
	return ide
}

// Close ends the editor.
func (ide *IDE) Close() { ide.close() }

// Connected waits for a client. Before, it opens no diff here.
func (ide *IDE) Connected() {
	ide.t.Helper()
	select {
	case <-ide.ready:
	case <-time.After(patience):
		ide.t.Fatal("no client has connected to the editor")
	}
}

// Diff waits for the client to open a diff.
func (ide *IDE) Diff() Diff {
	ide.t.Helper()
	select {
	case d := <-ide.diffs:
		return d
	case <-time.After(patience):
		ide.t.Fatal("the client opened no diff in the editor")
	}
	panic("unreachable")
}

// serve answers the client's MCP requests until ctx is done or it goes.
func (ide *IDE) serve(ctx context.Context, conn *websocket.Conn) {
	for {
		_, text, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Version   string `json:"protocolVersion"`
				Name      string `json:"name"`
				Arguments struct {
					Path     string `json:"new_file_path"`
					Contents string `json:"new_file_contents"`
				} `json:"arguments"`
			} `json:"params"`
		}
		if json.Unmarshal(text, &m) != nil || m.ID == nil {
			continue // a notification
		}
		reply := func(result object) {
			text, err := json.Marshal(object{"jsonrpc": "2.0", "id": m.ID, "result": result})
			if err == nil {
				_ = conn.Write(ctx, websocket.MessageText, text)
			}
		}
		switch {
		case m.Method == "initialize":
			reply(object{
				"protocolVersion": m.Params.Version, "capabilities": object{"tools": object{}},
				"serverInfo": object{"name": "test", "version": "1"},
			})
		case m.Method == "tools/list":
			reply(object{"tools": []object{}}) // the client calls them all the same
			ide.once.Do(func() { close(ide.ready) })
		case m.Params.Name == "openDiff":
			d := Diff{Path: m.Params.Arguments.Path, Contents: m.Params.Arguments.Contents, answer: make(chan []string)}
			go func() { // until then the client asks other things
				ide.diffs <- d
				select {
				case answer := <-d.answer:
					reply(texts(answer...))
				case <-ctx.Done():
				}
			}()
		default:
			reply(texts(fmt.Sprintf("%s: done", m.Params.Name)))
		}
	}
}

// texts is the result of an MCP tool.
func texts(all ...string) object {
	blocks := []object{}
	for _, text := range all {
		blocks = append(blocks, object{"type": "text", "text": text})
	}
	return object{"content": blocks}
}
