//go:build linux

package main

import "errors"

// plan is one line of the table, before its Neovims are started: the fleets of
// other lines would be in the way.
type plan struct {
	what, beside string
	bar          float64 // the ratio may be this; 0 = no bar
	row          func() (row, error)
}

// row is what a line measures.
type row struct {
	ours, theirs subject
	cost         figure
	unit         string  // of the figure
	share        int     // takes 1/share of the usual number of pairs
	prove        []proof // nothing is measured unless they all deny
}

// proof is a hook that has to deny an edit of unsaved text.
type proof struct {
	fleet   *fleet
	program string
}

// hook is `sidekick hook` before an edit of a file.
func (f *fleet) hook(file string) subject {
	return subject{fleet: f, argv: []string{f.lab.sidekick, "hook"}, stdin: f.payload(file)}
}

// beside is another program with the same input.
func (f *fleet) beside(argv ...string) subject {
	return subject{fleet: f, argv: argv, stdin: f.payload("notes.txt")}
}

// plans is the table.
func (l *lab) plans() []plan {
	one, ten := size{editors: 1}, size{editors: 1, buffers: 8}
	plans := []plan{
		{"hook, no Neovim", "a Go program that prints {}", 2.5, l.nobody},
		{"hook, one Neovim", "a Go program that makes one call", 1.5, l.same("notes.txt", func(f *fleet) subject { return f.beside(l.onecall, f.socket) })},
		{"hook, one Neovim", "nvim --server S --remote-expr", 0.5, l.same("notes.txt", func(f *fleet) subject {
			return f.beside(l.nvim, "--server", f.socket, "--remote-expr", "&modified")
		})},
		{"hook, one Neovim, denied", "a Go program that makes one call", 0, l.same("dirty.txt", func(f *fleet) subject { return f.beside(l.onecall, f.socket) })},
		{"hook, 8 Neovims", "hook, one Neovim", 2, l.sizes(size{editors: 8}, one)},
		{"hook, 32 Neovims", "hook, one Neovim", 3.5, l.sizes(size{editors: 32}, one)},
		{"hook, 8 stopped beside 1", "hook, one Neovim", 1.5, l.sizes(size{editors: 1, stopped: 8}, one)},
		{"hook, 8 stopped, 8 blocked beside 1", "hook, one Neovim", 2, l.sizes(size{editors: 1, stopped: 8, blocked: 8}, one)},
		{"hook, 2,000 buffers, one modified", "hook, 10 buffers", 1.3, l.sizes(size{editors: 1, buffers: 1998}, ten)},
		{"hook that meets 1,000 dead sockets", "hook, one Neovim", 4, l.dead(true)},
		{"the hooks after that one", "hook, one Neovim", 1.3, l.dead(false)},
		{"sidekick nvim --headless +qa", "nvim --headless +qa", 1.25, l.start},
	}
	if l.peer != "" {
		plans = append(plans, plan{"hook, one Neovim", l.peer + " hook", 0, l.peers})
	}
	return append(plans, plan{"memory of the hook, one Neovim", "a Go program that makes one call", 1.6, l.memory})
}

// timed is a row of milliseconds.
func (l *lab) timed(ours, theirs subject) row {
	return row{
		ours: ours, theirs: theirs, cost: milliseconds, unit: "ms", share: 1,
		prove: []proof{{ours.fleet, l.sidekick}},
	}
}

// same measures beside another program, with the same one Neovim.
func (l *lab) same(file string, other func(*fleet) subject) func() (row, error) {
	return func() (row, error) {
		f, err := l.newFleet(size{editors: 1})
		if err != nil {
			return row{}, err
		}
		return l.timed(f.hook(file), other(f)), nil
	}
}

// sizes measures the hook with two fleets.
func (l *lab) sizes(ours, theirs size) func() (row, error) {
	return func() (row, error) {
		a, errA := l.newFleet(ours)
		b, errB := l.newFleet(theirs)
		if err := errors.Join(errA, errB); err != nil {
			return row{}, err
		}
		return l.timed(a.hook("notes.txt"), b.hook("notes.txt")), nil
	}
}

// nobody measures the hook where there is nobody to ask, nor to deny for: that
// it can, the same hook has to prove where there is.
func (l *lab) nobody() (row, error) {
	none, errNone := l.newFleet(size{})
	one, errOne := l.newFleet(size{editors: 1})
	if err := errors.Join(errNone, errOne); err != nil {
		return row{}, err
	}
	r := l.timed(none.hook("notes.txt"), none.beside(l.braces))
	r.prove[0].fleet = one
	return r, nil
}

// dead measures the hook in a folder of dead sockets: the first that meets them,
// or those after it.
func (l *lab) dead(first bool) func() (row, error) {
	return func() (row, error) {
		r, err := l.sizes(size{editors: 1}, size{editors: 1})()
		if err != nil {
			return row{}, err
		}
		leave := func() error { return r.ours.fleet.addDeadSockets(1000) }
		if first {
			r.ours.prepare, r.share = leave, 5
			return r, nil
		}
		if err := leave(); err != nil {
			return row{}, err
		}
		_, _, err = r.ours.run()
		return r, err
	}
}

// start measures what a person waits for before Neovim is there.
func (l *lab) start() (row, error) {
	f, err := l.newFleet(size{})
	if err != nil {
		return row{}, err
	}
	r := l.timed(subject{fleet: f, argv: []string{l.sidekick, "nvim", "--headless", "+qa"}},
		subject{fleet: f, argv: []string{l.nvim, "--headless", "+qa"}})
	r.prove = nil
	return r, nil
}

// peers measures beside another sidekick.
func (l *lab) peers() (row, error) {
	r, err := l.same("notes.txt", func(f *fleet) subject { return f.beside(l.peer, "hook") })()
	r.prove = append(r.prove, proof{r.ours.fleet, l.peer})
	return r, err
}

// memory measures the most memory that is resident at a time.
func (l *lab) memory() (row, error) {
	r, err := l.same("notes.txt", func(f *fleet) subject { return f.beside(l.onecall, f.socket) })()
	r.cost, r.unit = mebibytes, "MiB"
	return r, err
}
