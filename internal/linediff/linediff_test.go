package linediff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/cputest"
)

func TestBetween(t *testing.T) {
	for _, test := range []struct {
		name string
		a, b []string
		want []Hunk
	}{
		{"equal", []string{"a"}, []string{"a"}, nil},
		{"both empty", nil, nil, nil},
		{"from nothing", nil, []string{"a", "b"}, []Hunk{{0, 0, 0, 2}}},
		{"to nothing", []string{"a", "b"}, nil, []Hunk{{0, 2, 0, 0}}},
		{"changed", []string{"a", "b", "c"}, []string{"a", "B", "c"}, []Hunk{{1, 1, 1, 1}}},
		{
			"two places",
			[]string{"a", "b", "c", "d", "e"},
			[]string{"A", "b", "c", "d", "e", "f"},
			[]Hunk{{0, 1, 0, 1}, {5, 0, 5, 1}},
		},
		{
			"inserted among equal lines",
			[]string{"", "", "x", "", ""},
			[]string{"", "", "x", "", "y", "", ""},
			[]Hunk{{4, 0, 4, 2}},
		},
		{
			"moved",
			[]string{"a", "b", "c", "d"},
			[]string{"d", "a", "b", "c"},
			[]Hunk{{0, 0, 0, 1}, {3, 1, 4, 0}},
		},
		{"nothing in common", []string{"a", "b"}, []string{"c", "d", "e"}, []Hunk{{0, 2, 0, 3}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Between(test.a, test.b)); diff != "" {
				t.Errorf("hunks (-want +got):\n%s", diff)
			}
		})
	}
}

// apply turns a into b, and fails where hunks overlap, touch or change nothing.
func apply(t *testing.T, a, b []string, hunks []Hunk) []string {
	t.Helper()
	var out []string
	at := 0
	for i, h := range hunks {
		if h.At < at || i > 0 && h.At == at && h.From == len(out) || h.Old == 0 && h.New == 0 {
			t.Fatalf("hunk %d of %v: out of order, adjacent or empty", i, hunks)
		}
		out = append(out, a[at:h.At]...)
		if len(out) != h.From {
			t.Fatalf("hunk %d of %v: From is %d, want %d", i, hunks, h.From, len(out))
		}
		out = append(out, b[h.From:h.From+h.New]...)
		at = h.At + h.Old
	}
	return append(out, a[at:]...)
}

func TestBetweenTurnsOneIntoTheOther(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		words := 1 + random.IntN(40)
		text := func(n int) []string {
			lines := make([]string, n)
			for i := range lines {
				lines[i] = fmt.Sprint(random.IntN(words))
			}
			return lines
		}
		a := text(random.IntN(60))
		b := slices.Clone(a)
		for range random.IntN(12) {
			at := random.IntN(len(b) + 1)
			cut := random.IntN(min(4, len(b)-at) + 1)
			b = slices.Replace(b, at, at+cut, text(random.IntN(4))...)
		}
		got := apply(t, a, b, Between(a, b))
		if !slices.Equal(got, b) {
			t.Fatalf("a %q\nb %q\ngot %q", a, b, got)
		}
	}
}

// TestBetweenIsBounded holds the worst cases for a shortest-script search.
func TestBetweenIsBounded(t *testing.T) {
	const n = 200_000
	text := func(line func(i int) string) []string {
		lines := make([]string, n)
		for i := range lines {
			lines[i] = line(i)
		}
		return lines
	}
	base := text(func(i int) string { return fmt.Sprint("line ", i) })
	for name, other := range map[string][]string{
		"all changed":  text(func(i int) string { return fmt.Sprint("LINE ", i) }),
		"reversed":     text(func(i int) string { return fmt.Sprint("line ", n-i) }),
		"few distinct": text(func(i int) string { return fmt.Sprint("line ", i*i%7) }),
		"every 20th":   text(func(i int) string { return fmt.Sprint("line ", i, i%20 == 0) }),
	} {
		start := cputest.Used(t)
		hunks := Between(base, other)
		if took := cputest.Used(t) - start; took > 5*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
		if got := apply(t, base, other, hunks); !slices.Equal(got, other) {
			t.Errorf("%s: wrong hunks", name)
		}
	}
}

func BenchmarkBetween(b *testing.B) {
	const n = 200_000
	base := make([]string, n)
	for i := range base {
		base[i] = fmt.Sprintf("\tline %d of a usual program, long enough to cost something", i)
	}
	for _, every := range []int{1, 20, n / 3} {
		other := slices.Clone(base)
		for i := every / 2; i < n; i += every {
			other[i] += " changed"
		}
		b.Run(fmt.Sprintf("every %d", every), func(b *testing.B) {
			for b.Loop() {
				Between(base, other)
			}
		})
	}
}
