package nvim

import (
	"context"
	"fmt"
	"net"
	"sync"
)

// Hold connects to the Neovim that listens at address, without a deadline: the
// connection lasts until ctx is done, Close, or Neovim's end, be it hours. It
// is for waiting for a person. A call on it waits while Neovim is blocked and
// is never refused as late.
func Hold(ctx context.Context, address string) (*Client, error) {
	c := &Client{ended: make(chan struct{})}
	err := c.connect(ctx, address, func(conn net.Conn) net.Conn {
		return &watchedConn{Conn: conn, ended: c.ended}
	})
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = c.conn.Close() })
	return c, nil
}

// Ended is closed when a held connection is over, whoever ended it.
func (c *Client) Ended() <-chan struct{} { return c.ended }

// Channel is the number by which Neovim knows this connection: what Lua hands
// to rpcnotify() to reach us.
func (c *Client) Channel() int { return c.rpc.ChannelID() }

// Notifications returns the arguments of the notifications named method that
// Neovim sends over this connection, each one map, decoded into a T. It must be
// called before anything can send one.
func Notifications[T any](c *Client, method string) (<-chan T, error) {
	received := make(chan T, 16)
	err := c.rpc.RegisterHandler(method, func(v T) {
		select {
		case received <- v:
		case <-c.ended:
		}
	})
	if err != nil {
		return nil, fmt.Errorf("listen for %s: %w", method, err)
	}
	return received, nil
}

// watchedConn says when its reader met the end of the stream, which go-client
// keeps to itself.
type watchedConn struct {
	net.Conn
	once  sync.Once
	ended chan struct{}
}

func (w *watchedConn) Read(b []byte) (int, error) {
	n, err := w.Conn.Read(b)
	if err != nil {
		w.once.Do(func() { close(w.ended) })
	}
	return n, err
}
