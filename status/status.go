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
	editors, _ := fleet.Everyone(ctx, w, (*nvim.Client).Status)
	rows := make([]Row, len(editors))
	for i, e := range editors {
		rows[i] = Row{
			PID: e.PID, Launched: e.Launched, Address: e.Address, State: nvim.NoAnswer,
			Cwd: cwd(w.Proc, e.PID), Files: []string{}, Unsaved: []string{},
		}
		switch {
		case e.Stopped:
			rows[i].State = nvim.Stopped
		case e.Err == nil:
			rows[i].fill(e.Value)
		}
	}
	return rows
}

func (r *Row) fill(s nvim.Status) {
	r.State, r.Version = s.State, s.Version
	r.Files = append(r.Files, s.Files...)
	r.Unsaved = append(r.Unsaved, s.Unsaved...)
	if s.PID != 0 {
		r.PID, r.Cwd = s.PID, s.Cwd
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
