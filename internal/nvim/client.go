// Package nvim is the door to a running Neovim: the only place that speaks
// msgpack-RPC and the only one that knows which calls answer in which state of
// the editor.
//
// The calls of neovim/go-client take no context, so every connection carries a
// deadline instead: when it passes, a pending call returns.
package nvim

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/neovim/go-client/nvim"
	"sidekick/internal/socket"
	"sidekick/lua"
)

// Client is a connection to one Neovim. It is good until its deadline, or until
// its context is done where [Hold] made it.
type Client struct {
	rpc      *nvim.Nvim
	conn     net.Conn
	deadline time.Time     // zero where held
	ended    chan struct{} // nil where not held
}

// ErrLate means that Neovim reached the call after its deadline and refused it.
var ErrLate = errors.New("neovim was reached too late")

// Dial connects to the Neovim that listens at address: a Unix socket's absolute
// path, or "host:port" on the loopback. The process there must be the user's
// own: nothing is written to anybody else's. ctx must carry a deadline; it
// bounds the connection's whole life.
func Dial(ctx context.Context, address string) (*Client, error) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return nil, errors.New("dial neovim: context has no deadline")
	}
	c := &Client{deadline: deadline}
	err := c.connect(ctx, address, func(conn net.Conn) net.Conn {
		_ = conn.SetDeadline(deadline) // fails for no kind of connection that we make
		return conn
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// connect dials address and starts to read. prepare may wrap the connection.
func (c *Client) connect(ctx context.Context, address string, prepare func(net.Conn) net.Conn) error {
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		if filepath.IsAbs(address) {
			network = "unix" // go-client takes a path with a colon in it for TCP
		}
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		// Neovim takes 32 callers into its queue; more have to come again. So have we
		// ourselves where no descriptor is left: other connections end soon.
		for (errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)) && ctx.Err() == nil {
			time.Sleep(2 * time.Millisecond)
			conn, err = (&net.Dialer{}).DialContext(ctx, network, address)
		}
		if err != nil {
			return nil, err
		}
		// Asked here and not by the caller, who could forget it.
		if err := socket.CheckPeer(conn, os.Getuid()); err != nil {
			_ = conn.Close()
			return nil, err
		}
		c.conn = prepare(conn)
		return c.conn, nil
	}
	rpc, err := nvim.Dial(address,
		nvim.DialContext(ctx),
		nvim.DialNetDial(dial),
		nvim.DialLogf(func(string, ...any) {}), // unknown messages are not our user's business
	)
	if err != nil {
		return fmt.Errorf("connect to %q: %w", address, err)
	}
	c.rpc = rpc
	return nil
}

// Close ends the connection. Calls still pending return an error.
func (c *Client) Close() {
	// go-client's Close waits for its reader, which the closed connection ends.
	_ = c.conn.Close()
	_ = c.rpc.Close()
}

// Mode is what the person is doing.
type Mode struct {
	Name     string // as in |mode()|: "n", "i", "no", "r", ...
	Blocking bool   // waiting for a key: most calls do not answer
}

// Answers reports whether calls other than Mode and Blocked are answered, and
// may safely change something: 0.12 answers inside dialogs too, where a change
// would disturb them.
func (m Mode) Answers() bool {
	switch m.Name {
	case "r", "rm", "r?", "!":
		return false
	}
	return !m.Blocking
}

// Mode asks for the mode. It is answered in every state but in :!cmd, in a busy
// loop and by a stopped process.
func (c *Client) Mode() (Mode, error) {
	// Not Call("nvim_get_mode"): that goes through nvim_call_function, which waits.
	m, err := c.rpc.Mode()
	if err != nil {
		return Mode{}, fmt.Errorf("ask for the mode: %w", err)
	}
	return Mode{Name: m.Mode, Blocking: m.Blocking}, nil
}

// bootChunk runs inside Neovim. It calls the runtime where it has ours, and
// otherwise loads it from the sources in its last arguments.
const bootChunk = `
local version, method, args, deadline, boot, modules = ...
local runtime = package.loaded['_sidekick']
if not runtime or runtime.version ~= version then
  if not boot then return { status = 'missing', error = '' } end
  runtime = assert(loadstring(boot, '@_sidekick/boot.lua'))(version, modules)
end
return runtime.call(method, args, deadline)`

// due is the deadline as the runtime takes it: Unix milliseconds, 0 = none.
func (c *Client) due() int64 {
	if c.deadline.IsZero() {
		return 0
	}
	return c.deadline.UnixMilli()
}

// reply is sidekick.Reply of init.lua.
type reply[T any] struct {
	Status string `msgpack:"status"`
	Error  string `msgpack:"error"`
	Result T      `msgpack:"result"`
}

// Call runs method ("module.function") of the runtime with args, one map or
// struct, and decodes its result. A Neovim without our runtime, or with another
// version of it, gets it first. Errors: [ErrLate]; a broken or late connection;
// the method's own error.
func Call[T any](c *Client, method string, args any) (T, error) {
	var r reply[T]
	err := c.rpc.ExecLua(bootChunk, &r, lua.Version(), method, args, c.due())
	if err == nil && r.Status == "missing" {
		r = reply[T]{}
		runtime := lua.Load()
		err = c.rpc.ExecLua(bootChunk, &r, runtime.Version, method, args, c.due(),
			runtime.Boot, runtime.Modules)
	}
	switch {
	case err != nil:
		return r.Result, fmt.Errorf("call %s: %w", method, err)
	case r.Status == "late":
		return r.Result, ErrLate
	case r.Status != "ok":
		return r.Result, fmt.Errorf("call %s: %s", method, r.Error)
	}
	return r.Result, nil
}
