// Package reload brings the buffers of a running Neovim in line with files that
// changed on disk, so that the person notices nothing but the text.
//
// The runtime inside Neovim (lua/_sidekick/reload) can do all of it alone, and
// does for files of a usual size. For large ones a diff inside the editor would
// keep the person waiting; this process has the time and, mostly, the text
// before the change: it sends the hunks, and the runtime applies them if the
// buffer still holds the text that they belong to.
package reload

import (
	"errors"
	"fmt"

	"sidekick/internal/linediff"
	"sidekick/internal/nvim"
)

// attempts bounds how often a buffer or file may move on under our hands.
const attempts = 3

// errMoved means that the buffer changed while its lines were fetched.
var errMoved = errors.New("the buffer moved on")

// File brings every buffer of the file in one Neovim in line with the disk. A
// buffer with unsaved text is left alone. Errors are those of the connection.
func File(c *nvim.Client, r *Request) (Result, error) {
	return run(c, r, nil)
}

// Changed brings every buffer whose file is in another state than the one that
// the buffer holds in line with the disk: after a shell command, which may have
// changed any file. Result has no buffers that are [Unchanged].
func Changed(c *nvim.Client, say Say) (Result, error) {
	if !c.Free() {
		return Result{Blocked: true}, c.CatchUp()
	}
	stale, err := nvim.Call[Result](c, "reload.stale", struct{}{})
	if err != nil {
		return Result{}, err
	}
	var all Result
	for _, b := range stale.Buffers {
		if b.State == Modified {
			all.Buffers = append(all.Buffers, b)
			continue
		}
		// One call for each: the editor is never busy for long.
		one, err := run(c, &Request{Names: []string{b.Name}, Say: say}, []int{b.Number})
		if err != nil {
			return all, err
		}
		for _, b := range one.Buffers {
			if b.State != Unchanged {
				all.Buffers = append(all.Buffers, b)
			}
		}
		if one.Blocked {
			all.Blocked = true
			return all, nil
		}
	}
	return all, nil
}

// syncArgs is what reload.sync takes: a file's names, or buffers.
type syncArgs struct {
	Names []string `msgpack:"names"`
	Bufs  []int    `msgpack:"bufs"`
	Limit int      `msgpack:"limit"`
	Say   Say      `msgpack:"say"`
}

const noLimit = 1 << 40

func run(c *nvim.Client, r *Request, bufs []int) (Result, error) {
	if !c.Free() {
		return Result{Blocked: true}, c.CatchUp()
	}
	if bufs == nil {
		bufs = []int{}
	}
	result, err := nvim.CallOrCatchUp[Result](c, "reload.sync", syncArgs{r.Names, bufs, Large, r.Say})
	if errors.Is(err, nvim.ErrBusy) {
		return Result{Blocked: true}, nil
	}
	if err != nil {
		return Result{}, err
	}
	for i, b := range result.Buffers {
		if b.State != large {
			continue
		}
		if result.Buffers[i], err = syncLarge(c, r, b); err != nil {
			return result, err
		}
	}
	return result, nil
}

// syncLarge brings one buffer of a large file in line.
func syncLarge(c *nvim.Client, r *Request, b Buffer) (Buffer, error) {
	for range attempts {
		disk, err := r.disk()
		if err != nil || disk.stamp != b.Stamp || !disk.text.usual || disk.text.dos != b.DOS || len(disk.text.lines) == 0 {
			break
		}
		hunks, known := r.from(b.Hash, disk.text)
		if !known {
			lines, err := fetch(c, b)
			if errors.Is(err, errMoved) {
				break
			}
			if err != nil {
				return b, err
			}
			hunks = linediff.Between(lines, disk.text.lines)
		}
		b, err = nvim.Call[Buffer](c, "reload.apply", pack(b, disk, hunks))
		if err != nil || b.State != again {
			return b, err
		}
		next, err := nvim.Call[Result](c, "reload.sync", syncArgs{[]string{}, []int{b.Number}, Large, Say{}})
		if err != nil || len(next.Buffers) != 1 || next.Buffers[0].State != large {
			return only(next, b), err
		}
		b = next.Buffers[0]
	}
	last, err := nvim.Call[Result](c, "reload.sync", syncArgs{[]string{}, []int{b.Number}, noLimit, Say{}})
	return only(last, b), err
}

// only returns the one buffer of a result; one that has gone is as it was.
func only(r Result, b Buffer) Buffer {
	if len(r.Buffers) == 1 {
		return r.Buffers[0]
	}
	b.State = Unchanged
	return b
}

// applyArgs is what reload.apply takes. Lists lie flat: ten thousand small tables
// would cost the editor more than the change.
type applyArgs struct {
	Buf    int      `msgpack:"buf"`
	Tick   int      `msgpack:"tick"`
	Stamp  string   `msgpack:"stamp"`
	Hash   string   `msgpack:"hash"`
	EOL    bool     `msgpack:"eol"`
	Starts []int    `msgpack:"starts"` // 1-based
	Olds   []int    `msgpack:"olds"`
	News   []int    `msgpack:"news"`
	Lines  []string `msgpack:"lines"` // the new lines of all hunks
	Total  int      `msgpack:"total"` // > 0: Neovim reads the one hunk's lines from the file, which has so many
	From   int      `msgpack:"from"`  // with Total: the hunk's first line in the file, 1-based
}

// readFrom is how many new lines of one hunk are better read by Neovim from the
// file than sent.
const readFrom = 5000

func pack(b Buffer, disk snapshot, hunks []linediff.Hunk) applyArgs {
	args := applyArgs{
		Buf: b.Number, Tick: b.Tick, Stamp: disk.stamp, Hash: disk.text.hash, EOL: disk.text.eol,
		Starts: []int{}, Olds: []int{}, News: []int{}, Lines: []string{},
	}
	for _, h := range hunks {
		args.Starts = append(args.Starts, h.At+1)
		args.Olds = append(args.Olds, h.Old)
		args.News = append(args.News, h.New)
	}
	total := len(disk.text.lines)
	if len(hunks) == 1 && hunks[0].New > readFrom && hunks[0].New > total/2 {
		args.Total, args.From = total, hunks[0].From+1
		return args
	}
	for _, h := range hunks {
		args.Lines = append(args.Lines, disk.text.lines[h.From:h.From+h.New]...)
	}
	return args
}

// page is how many lines are fetched at once: well below a millisecond of the
// editor's time.
const page = 1000

// fetch returns a buffer's lines, in pages between which the person can type.
func fetch(c *nvim.Client, b Buffer) ([]string, error) {
	type answer struct {
		Same  bool     `msgpack:"same"`
		Lines []string `msgpack:"lines"`
	}
	type question struct {
		Buf   int `msgpack:"buf"`
		Tick  int `msgpack:"tick"`
		First int `msgpack:"first"`
		Count int `msgpack:"count"`
	}
	var lines []string
	for {
		a, err := nvim.Call[answer](c, "reload.lines", question{b.Number, b.Tick, len(lines), page})
		if err != nil {
			return nil, fmt.Errorf("fetch lines of %q: %w", b.Name, err)
		}
		if !a.Same {
			return nil, errMoved
		}
		lines = append(lines, a.Lines...)
		if len(a.Lines) < page {
			return lines, nil
		}
	}
}
