// Package linediff finds the hunks between two texts, line by line.
//
// It is made for texts of hundreds of thousands of lines that a person waits
// for: equal ends cost one comparison per line, lines that occur once in both
// texts anchor the rest, and between anchors the search for the shortest script
// gives up early. What it gives up on is one large hunk, which is right, if not
// the smallest.
package linediff

// Hunk is one changed place: a[At:At+Old] became b[From:From+New]. Indices
// count from 0.
type Hunk struct {
	At, Old   int
	From, New int
}

// Between returns the hunks that turn a into b, in order, none of them adjacent
// to the next; nil where the texts are equal.
func Between(a, b []string) []Hunk {
	head, tail := trim(a, b)
	a, b = a[head:len(a)-tail], b[head:len(b)-tail]
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	d := differ{}
	if len(a) == 0 || len(b) == 0 || len(a) == 1 && len(b) == 1 {
		d.add(Hunk{Old: len(a), New: len(b)})
	} else if trace, ok := search(a, b, fewEdits); ok {
		d.walk(trace, 0, len(a), 0, len(b)) // the usual case, without a look at most lines' contents
	} else {
		d.a, d.b, d.once = intern(a, b)
		d.diff(0, len(a), 0, len(b), 0)
	}
	for i := range d.hunks {
		d.hunks[i].At += head
		d.hunks[i].From += head
	}
	return d.hunks
}

// trim returns how many lines a and b share at their beginning and at their end.
func trim[L comparable](a, b []L) (head, tail int) {
	shorter := min(len(a), len(b))
	for head < shorter && a[head] == b[head] {
		head++
	}
	for tail < shorter-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// intern numbers the lines: equal lines get equal numbers, and 0 is a line of b
// that a has not. once tells the numbers of lines that occur once in a and once
// in b.
func intern(a, b []string) (ia, ib []int32, once []bool) {
	numbers := make(map[string]int32, len(a))
	countA, countB := []int32{0}, make([]int32, len(a)+1)
	ia, ib = make([]int32, len(a)), make([]int32, len(b))
	for i, line := range a {
		n, ok := numbers[line]
		if !ok {
			n = int32(len(countA))
			numbers[line] = n
			countA = append(countA, 0)
		}
		ia[i] = n
		countA[n]++
	}
	for i, line := range b {
		ib[i] = numbers[line]
		countB[ib[i]]++
	}
	once = make([]bool, len(countA))
	for n := range once {
		once[n] = countA[n] == 1 && countB[n] == 1
	}
	return ia, ib, once
}

// differ collects the hunks between interned texts.
type differ struct {
	a, b  []int32
	once  []bool
	hunks []Hunk
}

func (d *differ) add(h Hunk) {
	if n := len(d.hunks); n > 0 {
		last := &d.hunks[n-1]
		if last.At+last.Old == h.At && last.From+last.New == h.From {
			last.Old += h.Old
			last.New += h.New
			return
		}
	}
	d.hunks = append(d.hunks, h)
}

// diff adds the hunks between a[a0:a1] and b[b0:b1].
func (d *differ) diff(a0, a1, b0, b1, depth int) {
	head, tail := trim(d.a[a0:a1], d.b[b0:b1])
	a0, b0, a1, b1 = a0+head, b0+head, a1-tail, b1-tail
	switch {
	case a0 == a1 && b0 == b1:
		return
	case a0 == a1 || b0 == b1:
		d.add(Hunk{At: a0, Old: a1 - a0, From: b0, New: b1 - b0})
		return
	}
	if depth == 0 {
		if anchors := d.anchors(a0, a1, b0, b1); len(anchors) > 0 {
			for _, p := range anchors {
				d.diff(a0, p.a, b0, p.b, 1)
				a0, b0 = p.a+1, p.b+1
			}
			d.diff(a0, a1, b0, b1, 1)
			return
		}
	}
	d.shortest(a0, a1, b0, b1)
}

// pair is a line that a and b have in common.
type pair struct{ a, b int }

// anchors returns the longest run of pairs, rising in both texts, of lines that
// occur once in each (patience sorting).
func (d *differ) anchors(a0, a1, b0, b1 int) []pair {
	where := make([]int32, len(d.once)) // number -> position in b, from 1
	for j := b0; j < b1; j++ {
		if d.once[d.b[j]] {
			where[d.b[j]] = int32(j + 1)
		}
	}
	var pairs []pair
	for i := a0; i < a1; i++ {
		if n := d.a[i]; d.once[n] && where[n] > 0 {
			pairs = append(pairs, pair{i, int(where[n]) - 1})
		}
	}
	return rising(pairs)
}

// rising returns the longest subsequence of pairs whose b rises; a rises already.
func rising(pairs []pair) []pair {
	before := make([]int32, len(pairs)) // pair -> the one before it, from 1
	var tops []int32                    // run length - 1 -> pair that ends the best such run
	for i, p := range pairs {
		lo, hi := 0, len(tops)
		if hi > 0 && pairs[tops[hi-1]].b < p.b {
			lo = hi
		}
		for lo < hi {
			mid := (lo + hi) / 2
			if pairs[tops[mid]].b < p.b {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		if lo > 0 {
			before[i] = tops[lo-1] + 1
		}
		if lo == len(tops) {
			tops = append(tops, int32(i))
		} else {
			tops[lo] = int32(i)
		}
	}
	run := make([]pair, len(tops))
	if len(tops) == 0 {
		return run
	}
	i := tops[len(tops)-1]
	for n := len(tops) - 1; n >= 0; n-- {
		run[n] = pairs[i]
		i = before[i] - 1
	}
	return run
}
