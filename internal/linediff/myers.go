package linediff

// The cost of the search for the shortest script is the square of the number of
// edits; these bound it.
const (
	fewEdits  = 64  // before lines are interned
	manyEdits = 400 // between anchors
)

// shortest adds the hunks of the shortest edit script (Myers' greedy algorithm)
// between a[a0:a1] and b[b0:b1], or one hunk where that has too many edits.
func (d *differ) shortest(a0, a1, b0, b1 int) {
	a, b := d.a[a0:a1], d.b[b0:b1]
	trace, ok := search(a, b, manyEdits)
	if !ok {
		d.add(Hunk{At: a0, Old: len(a), From: b0, New: len(b)})
		return
	}
	d.walk(trace, a0, len(a), b0, len(b))
}

// walk adds the hunks of a trace through n lines of a from a0 on, and m lines of
// b from b0 on. It goes back from the end.
func (d *differ) walk(trace []frontier, a0, n, b0, m int) {
	var back []Hunk
	x, y := n, m
	for edits := len(trace) - 1; edits > 0; edits-- {
		reach := trace[edits-1]
		k := x - y
		down := k == -edits || k != edits && reach.at(k-1) < reach.at(k+1)
		if down {
			fromX := reach.at(k + 1)
			fromY := fromX - (k + 1)
			back = append(back, Hunk{At: fromX, From: fromY, New: 1})
			x, y = fromX, fromY
		} else {
			fromX := reach.at(k - 1)
			fromY := fromX - (k - 1)
			back = append(back, Hunk{At: fromX, Old: 1, From: fromY})
			x, y = fromX, fromY
		}
	}
	for i := len(back) - 1; i >= 0; i-- {
		h := back[i]
		h.At += a0
		h.From += b0
		d.add(h)
	}
}

// frontier is how far along a the search came on each diagonal -n..n.
type frontier []int32

func (f frontier) at(k int) int {
	return int(f[k+len(f)/2])
}

// search returns the frontiers after 0, 1, 2... edits until the end is reached,
// or false where that takes more than most.
func search[L comparable](a, b []L, most int) (trace []frontier, ok bool) {
	for edits := 0; edits <= min(most, len(a)+len(b)); edits++ {
		now := make(frontier, 2*edits+1)
		for k := -edits; k <= edits; k += 2 {
			x := 0
			switch {
			case edits == 0:
			case k == -edits || k != edits && trace[edits-1].at(k-1) < trace[edits-1].at(k+1):
				x = trace[edits-1].at(k + 1)
			default:
				x = trace[edits-1].at(k-1) + 1
			}
			y := x - k
			for x < len(a) && y >= 0 && y < len(b) && a[x] == b[y] {
				x++
				y++
			}
			now[k+edits] = int32(x)
			if x >= len(a) && y >= len(b) {
				return append(trace, now), true
			}
		}
		trace = append(trace, now)
	}
	return nil, false
}
