//go:build linux

package main

import "errors"

// row is one line of the table.
type row struct {
	what, beside string
	ours, theirs subject
	cost         figure
	unit         string  // of the figure
	bar          float64 // the ratio may be this; 0 = no bar
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

// rows lays out all fleets and what is measured with them.
func (l *lab) rows() ([]row, error) {
	var errs []error
	fleet := func(s size) *fleet {
		f, err := l.newFleet(s)
		errs = append(errs, err)
		return f
	}
	none := fleet(size{})
	one := fleet(size{editors: 1})
	eight := fleet(size{editors: 8})
	many := fleet(size{editors: 32})
	stopped := fleet(size{editors: 1, stopped: 8})
	blocked := fleet(size{editors: 1, stopped: 8, blocked: 8})
	few := fleet(size{editors: 1, buffers: 8})
	buffers := fleet(size{editors: 1, buffers: 1998})
	dead := fleet(size{editors: 1})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	onecall := one.beside(l.onecall, one.socket)
	dying := dead.hook("notes.txt")
	dying.prepare = func() error { return dead.addDeadSockets(1000) }

	time := func(what, beside string, ours, theirs subject, bar float64) row {
		r := row{what: what, beside: beside, ours: ours, theirs: theirs, bar: bar, cost: milliseconds, unit: "ms", share: 1}
		if ours.stdin != nil {
			r.prove = []proof{{ours.fleet, l.sidekick}}
		}
		return r
	}
	same := one.hook("notes.txt")
	rows := []row{
		time("hook, no Neovim", "a Go program that prints {}", none.hook("notes.txt"), none.beside(l.braces), 2.5),
		time("hook, one Neovim", "a Go program that makes one call", same, onecall, 1.5),
		time("hook, one Neovim", "nvim --server S --remote-expr", same, one.beside(l.nvim, "--server", one.socket, "--remote-expr", "&modified"), 0.5),
		time("hook, one Neovim, denied", "a Go program that makes one call", one.hook("dirty.txt"), onecall, 0),
		time("hook, 8 Neovims", "hook, one Neovim", eight.hook("notes.txt"), same, 2),
		time("hook, 32 Neovims", "hook, one Neovim", many.hook("notes.txt"), same, 3.5),
		time("hook, 8 stopped beside 1", "hook, one Neovim", stopped.hook("notes.txt"), same, 1.5),
		time("hook, 8 stopped, 8 blocked beside 1", "hook, one Neovim", blocked.hook("notes.txt"), same, 2),
		time("hook, 2,000 buffers, one modified", "hook, 10 buffers", buffers.hook("notes.txt"), few.hook("notes.txt"), 1.3),
		time("hook that meets 1,000 dead sockets", "hook, one Neovim", dying, same, 4),
		time("the hooks after that one", "hook, one Neovim", dead.hook("notes.txt"), same, 1.3),
		time("sidekick nvim --headless +qa", "nvim --headless +qa",
			subject{fleet: none, argv: []string{l.sidekick, "nvim", "--headless", "+qa"}},
			subject{fleet: none, argv: []string{l.nvim, "--headless", "+qa"}}, 1.25),
	}
	rows[0].prove[0].fleet = one // there is nobody to deny: the same hook, where there is
	rows[9].share = 5
	if l.peer != "" {
		r := time("hook, one Neovim", l.peer+" hook", same, one.beside(l.peer, "hook"), 0)
		r.prove = append(r.prove, proof{one, l.peer})
		rows = append(rows, r)
	}
	memory := time("memory of the hook, one Neovim", "a Go program that makes one call", same, onecall, 1.6)
	memory.cost, memory.unit = mebibytes, "MiB"
	return append(rows, memory), nil
}
