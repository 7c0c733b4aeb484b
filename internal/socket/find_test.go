package socket_test

import (
	"testing"
	"time"

	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/socket"
)

func worldOf(home nvimtest.Home) socket.World {
	return socket.World{
		Env:  socket.Env{RuntimeDir: home.Runtime, TempDir: home.Dir, UID: 0},
		Proc: "/proc",
		Now:  time.Now(),
	}
}

func TestFindPlain(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, nvim string) {
		home := nvimtest.NewHome(t)
		e := home.Start(t, nvim)
		var pid int
		e.Lua(&pid, `return vim.fn.getpid()`)
		start := time.Now()
		found := socket.Find(worldOf(home))
		t.Log(time.Since(start), found, e.Address, pid)
	})
}
