package doctor

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"sidekick/internal/fleet"
	"sidekick/internal/nvim"
	"sidekick/internal/socket"
	"sidekick/internal/words"
)

// socketRows say whether a Neovim can have a socket, and which Neovims answer.
func (w World) socketRows(ctx context.Context) []Row {
	rows := []Row{w.runtimeRow()}
	dead := w.countDead() // before Find, which removes them
	w.Sockets.Now = time.Now()
	found := socket.Find(w.Sockets)
	var awake []string
	stopped := 0
	for _, f := range found {
		if f.Stopped {
			stopped++
			continue
		}
		awake = append(awake, f.Address)
	}
	answers, _ := fleet.Ask(ctx, awake, (*nvim.Client).Status)
	silent, noSwap := stopped, 0
	for _, a := range answers {
		switch {
		case a.Err != nil:
			silent++
		case a.Value.State == nvim.Ready && a.Value.NoSwap:
			noSwap++
		}
	}
	if silent > 0 {
		rows = append(rows, Row{words.CheckSockets, Note, words.NeovimsSilent(silent, len(found), dead), words.WakeThem, nil})
	} else {
		rows = append(rows, Row{words.CheckSockets, OK, words.NeovimsAnswer(len(found), dead), "", nil})
	}
	if noSwap > 0 {
		return append(rows, Row{words.CheckSwap, Note, words.SwapOff(noSwap), words.SwapOn, nil})
	}
	return append(rows, Row{words.CheckSwap, OK, words.SwapFine(len(awake)), "", nil})
}

func (w World) runtimeRow() Row {
	var first error
	for _, dir := range w.Sockets.Dirs() {
		err := w.Sockets.MakeDir(dir)
		if err == nil && first == nil {
			return Row{words.CheckRuntime, OK, words.RuntimeFine(dir), "", nil}
		}
		if err == nil {
			return Row{words.CheckRuntime, Note, words.RuntimeSecond(dir, first), words.RepairRuntime, nil}
		}
		if first == nil {
			first = err
		}
	}
	return Row{words.CheckRuntime, Fail, first.Error(), words.RepairRuntime, nil}
}

// countDead counts sockets of ours that nobody listens on.
func (w World) countDead() int {
	dead := 0
	for _, dir := range w.Sockets.Dirs() {
		sockets, _ := filepath.Glob(filepath.Join(dir, "*.sock"))
		for _, path := range sockets {
			info, err := os.Lstat(path)
			if err == nil && info.Mode().Type() == os.ModeSocket && !socket.Listens(path) {
				dead++
			}
		}
	}
	return dead
}
