// Package status tells a person which Neovims sidekick sees, and what is
// unsaved in them.
package status

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"sidekick/internal/fleet"
	"sidekick/internal/nvim"
	"sidekick/internal/socket"
)

// Row is one Neovim.
type Row struct {
	PID      int      `json:"pid"` // of the server, 0 where not known
	Cwd      string   `json:"cwd"`
	Version  string   `json:"version"`
	Launched bool     `json:"launched"` // by `sidekick nvim`
	State    string   `json:"state"`    // one of the states of package nvim
	Files    []string `json:"files"`    // open files; [] where not known
	Unsaved  []string `json:"unsaved"`
	Address  string   `json:"address"`
}

// Collect asks every Neovim of the user. One that does not answer is a row too.
func Collect(ctx context.Context, w socket.World) []Row {
	w.Now = time.Now()
	found := socket.Find(w)
	rows := make([]Row, len(found))
	var awake []string
	for i, f := range found {
		rows[i] = Row{
			PID: f.PID, Launched: f.Launched, Address: f.Address, State: nvim.NoAnswer,
			Cwd: cwd(w.Proc, f.PID), Files: []string{}, Unsaved: []string{},
		}
		if f.Stopped {
			rows[i].State = nvim.Stopped
			continue
		}
		awake = append(awake, f.Address)
	}
	answers, _ := fleet.Ask(ctx, awake, (*nvim.Client).Status)
	for _, answer := range answers {
		if answer.Err != nil {
			continue
		}
		for i := range rows {
			if rows[i].Address == answer.Address {
				rows[i].fill(answer.Value)
			}
		}
	}
	return rows
}

func (r *Row) fill(s nvim.Status) {
	r.State = s.State
	r.Files = append(r.Files, s.Files...)
	r.Unsaved = append(r.Unsaved, s.Unsaved...)
	if s.PID != 0 {
		r.PID, r.Cwd, r.Version = s.PID, s.Cwd, s.Version
	}
}

// cwd is where a process that cannot answer was started, where the system tells.
func cwd(proc string, pid int) string {
	if proc == "" || pid == 0 {
		return ""
	}
	dir, err := os.Readlink(filepath.Join(proc, strconv.Itoa(pid), "cwd"))
	if err != nil {
		return ""
	}
	return dir
}
