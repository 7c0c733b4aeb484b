// Package claudetest runs the real Claude Code client, offline and without an
// account, against a model that the test plays:
//
//	c := claudetest.Print(t, home, home.Dir)
//	c.Use(claudetest.Read(path))
//	result := c.Use(claudetest.Edit(path, "two", "TWO")) // what the model is told
//	c.Say(claudetest.Text("Done."))
//	c.Wait()
//
// Everything happens in the test's own order: the client waits for the model,
// and the model is the test.
package claudetest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"sidekick/internal/nvim/nvimtest"
)

// Client is a running Claude Code client and the model it talks to.
type Client struct {
	t       testing.TB
	asks    chan asked
	pending *asked        // heard, not yet answered
	ended   chan struct{} // closed when a Print client ends; nil when interactive
	status  error         // how it ended
	show    func() string // what it printed, for a failure's message
}

// key is no secret: the model is on the loopback and asks for none.
const key = "test-key"

// patience is how long the client may take for one step of its own. A step takes
// a second; the machine may be busy.
const patience = 90 * time.Second

// Binary is the client that scripts/setup installs.
func Binary(t testing.TB) string {
	t.Helper()
	path := filepath.Join(nvimtest.TestEnv(), "claude", "claude")
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("no Claude Code client at %s: run scripts/setup", path)
	}
	return path
}

// Serve plays a model for a client that the test itself starts, in dir and with
// the environment that it returns added to the home's.
func Serve(t testing.TB, home nvimtest.Home, dir string) (*Client, []string) {
	t.Helper()
	c := &Client{t: t, asks: make(chan asked), show: func() string { return "" }}
	seed(t, home, dir)
	return c, []string{
		"ANTHROPIC_BASE_URL=" + serve(t, c.asks),
		"ANTHROPIC_API_KEY=" + key,
		"IS_SANDBOX=1", // or the client refuses some permission modes as root
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL=1",
		"DISABLE_TELEMETRY=1",
		"DISABLE_ERROR_REPORTING=1",
		"DISABLE_AUTOUPDATER=1",
	}
}

// seed writes the client's own state, so that it asks nothing when it starts: no
// theme, no trust in the folder, no use of the key. Its settings.json is not
// ours to write: `sidekick install` does.
func seed(t testing.TB, home nvimtest.Home, dir string) {
	t.Helper()
	state, err := json.Marshal(object{
		"hasCompletedOnboarding": true, "lastOnboardingVersion": "2.1.197", "theme": "dark",
		"numStartups": 5, "autoUpdates": false, "bypassPermissionsModeAccepted": true,
		"customApiKeyResponses": object{"approved": []string{key}, "rejected": []string{}},
		"projects": object{dir: object{
			"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true,
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	home.Write(t, ".claude.json", string(state))
}

// Print starts `claude -p` in dir, with edits accepted, and args.
func Print(t testing.TB, home nvimtest.Home, dir string, args ...string) *Client {
	t.Helper()
	c, env := Serve(t, home, dir)
	args = append([]string{"-p", "do the work", "--permission-mode", "acceptEdits"}, args...)
	cmd := exec.Command(Binary(t), args...)
	cmd.Dir = dir
	cmd.Env = home.Environ(env...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.ended = make(chan struct{})
	c.show = func() string {
		select {
		case <-c.ended:
			return output.String()
		default:
			return "(still running)"
		}
	}
	go func() {
		c.status = cmd.Wait()
		close(c.ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-c.ended
	})
	return c
}

// Interactive starts the client in a terminal, in dir, with args, and waits for
// its prompt.
func Interactive(t testing.TB, home nvimtest.Home, dir string, args ...string) (*Client, *nvimtest.Terminal) {
	t.Helper()
	c, env := Serve(t, home, dir)
	command := append([]string{"env", "-C", dir, Binary(t)}, args...)
	term := home.Terminal(t, command, env...)
	return c, term
}

// Hear waits until the client asks the model, and returns what it tells it.
func (c *Client) Hear() Heard {
	c.t.Helper()
	if c.pending != nil {
		c.t.Fatal("the model was asked already: answer with Say")
	}
	select {
	case ask := <-c.asks:
		c.pending = &ask
		return ask.request.heard()
	case <-c.ended:
		c.t.Fatalf("the client ended before it asked the model: %v\n%s", c.status, c.show())
	case <-time.After(patience):
		c.t.Fatalf("the client did not ask the model:\n%s", c.show())
	}
	panic("unreachable")
}

// Say answers the client; it waits to be asked if need be.
func (c *Client) Say(blocks ...Block) {
	c.t.Helper()
	if c.pending == nil {
		c.Hear()
	}
	c.pending.answer <- blocks
	c.pending = nil
}

// Use lets the model use a tool and returns the result that it is told.
func (c *Client) Use(tool Block) Result {
	c.t.Helper()
	c.Say(tool)
	heard := c.Hear()
	if len(heard.Results) != 1 {
		c.t.Fatalf("%s: %d results: %+v", tool.Name, len(heard.Results), heard)
	}
	return heard.Results[0]
}

// Wait waits for the end of a Print client, which has to be a good one.
func (c *Client) Wait() {
	c.t.Helper()
	select {
	case <-c.ended:
		if c.status != nil {
			c.t.Fatalf("client: %v\n%s", c.status, c.show())
		}
	case <-time.After(patience):
		c.t.Fatal("the client did not end")
	}
}

// Prompt types a prompt into an interactive client and sends it. The client
// takes an Enter that arrives together with the text for a pasted newline, so
// that is pressed when the text is on the screen, and again until the model is
// asked.
func (c *Client) Prompt(term *nvimtest.Terminal, text string) {
	c.t.Helper()
	c.show = term.Screen
	term.WaitFor("? for shortcuts")
	term.Type(text)
	term.WaitFor(text)
	deadline := time.After(patience)
	for c.pending == nil {
		term.Keys("Enter")
		select {
		case ask := <-c.asks:
			c.pending = &ask
		case <-time.After(time.Second):
		case <-deadline:
			c.t.Fatalf("the client did not take the prompt:\n%s", c.show())
		}
	}
}
