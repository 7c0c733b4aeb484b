package activity

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/journal"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/screen"
)

// A place with summer time: weeks and days are not all of one length.
func berlin(t *testing.T) *time.Location {
	t.Helper()
	where, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return where
}

func TestSince(t *testing.T) {
	now := time.Date(2026, 11, 4, 15, 30, 0, 0, berlin(t)) // a Wednesday
	for text, want := range map[string]string{
		"":                          "0001-01-01 00:00:00",
		"90s":                       "2026-11-04 15:28:30",
		"2h":                        "2026-11-04 13:30:00",
		"3d":                        "2026-11-01 15:30:00",
		"2w":                        "2026-10-21 15:30:00", // across the end of summer time
		"today":                     "2026-11-04 00:00:00",
		"yesterday":                 "2026-11-03 00:00:00",
		"14:05":                     "2026-11-04 14:05:00",
		"2026-01-31":                "2026-01-31 00:00:00",
		"2026-01-31 23:59":          "2026-01-31 23:59:00",
		"2026-11-04T13:00:00+00:00": "2026-11-04 13:00:00",
	} {
		got, err := Since(text, now)
		if err != nil || got.Format(time.DateTime) != want {
			t.Errorf("Since(%q) = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"-2h", "d", "-3d", "2026-02-31", "soon", "99999999999999999999d"} {
		if got, err := Since(text, now); err == nil {
			t.Errorf("Since(%q) = %v", text, got)
		}
	}
}

func entries(t *testing.T) []journal.Entry {
	at := func(month, day, hour int) time.Time {
		return time.Date(2026, time.Month(month), day, hour, 0, 0, 0, berlin(t)).UTC()
	}
	return []journal.Entry{
		{Time: at(1, 1, 0), Event: "PreToolUse", Tool: "Edit", File: "/h/a.go", Decision: journal.Deny, Reason: "Neovim (pid 1)", Micros: 1000, Session: "s1"},
		{Time: at(10, 31, 23), Event: "PreToolUse", Tool: "Edit", File: "/h/a.go", Decision: journal.Deny, Micros: 3000, Session: "s1"},
		{Time: at(11, 1, 0), Event: "PostToolUse", Tool: "Write", File: "/h/b/c.go", Decision: journal.Reload, Lines: 7, Micros: 2000, Session: "s2"},
		{Time: at(11, 2, 0), Event: "PreToolUse", Tool: "Write", File: "/h/b/c.go", Decision: journal.Pass, Asked: 2, Micros: 2000, Session: "s2", Unanswered: []string{"/run/x\x1b[31m.sock"}},
		{Time: at(11, 4, 12), Event: "PostToolUse", Tool: "Edit", File: "/h/b/c.go", Decision: journal.Reload, Lines: 1, Micros: 50000, Session: "s2"},
		{Time: at(11, 4, 13), Event: "unknown", Error: "read hook payload: EOF"},
		{Time: at(11, 4, 16), Event: "PreToolUse", File: "/h/later", Decision: journal.Deny}, // after now: a clock was wrong
	}
}

func TestSum(t *testing.T) {
	got := Sum(entries(t), time.Date(2026, 11, 4, 15, 30, 0, 0, berlin(t)))
	week := Sums{Passed: 1, Reloads: 1, Lines: 1, Files: 1, Unanswered: 1, Errors: 1, Median: 2000, Slow: 50000}
	month := Sums{Passed: 1, Reloads: 2, Lines: 8, Files: 1, Unanswered: 1, Errors: 1, Median: 2000, Slow: 50000}
	year := Sums{Denials: 2, Passed: 1, Reloads: 2, Lines: 8, Files: 2, Unanswered: 1, Errors: 1, Median: 2000, Slow: 50000}
	if diff := cmp.Diff([]Sums{week, month, year}, []Sums{got.Week.Sums, got.Month.Sums, got.Year.Sums}); diff != "" {
		t.Error(diff)
	}
	bars := func(p Period) string {
		var parts []string
		for _, b := range p.Bars {
			parts = append(parts, fmt.Sprintf("%s:%d", b.Label, b.Count))
		}
		return strings.Join(parts, " ")
	}
	if got := bars(got.Week); got != "Mon:0 Tue:0 Wed:1" {
		t.Errorf("week: %s", got)
	}
	if got := bars(got.Month); got != "Nov  1:2" {
		t.Errorf("month: %s", got)
	}
	if got := bars(got.Year); got != "Jan:1 Feb:0 Mar:0 Apr:0 May:0 Jun:0 Jul:0 Aug:0 Sep:0 Oct:1 Nov:2" {
		t.Errorf("year: %s", got)
	}
	if empty := Sum(nil, time.Now()); empty.Year.Sums != (Sums{}) || !empty.Since.IsZero() {
		t.Errorf("empty: %+v", empty)
	}
}

func TestPercentile(t *testing.T) {
	var hundred []int64
	for i := range int64(100) {
		hundred = append(hundred, i+1)
	}
	if m, s := percentile(hundred, 0.5), percentile(hundred, 0.99); m != 50 || s != 99 {
		t.Errorf("median %d, 99th %d", m, s)
	}
	if one := percentile([]int64{7}, 0.99); one != 7 {
		t.Errorf("of one: %d", one)
	}
}

func TestShowIsReadable(t *testing.T) {
	s := Sum(entries(t), time.Date(2026, 11, 4, 15, 30, 0, 0, berlin(t)))
	var out bytes.Buffer
	if err := Show(&out, s, screen.Style{ASCII: true}); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if len(line) > 80 || line != strings.ToValidUTF8(line, "") || strings.ContainsAny(line, "\x1b█") {
			t.Errorf("line %q", line)
		}
	}
	for _, want := range []string{"edits held back                   0           0          2", "  Jan    " + strings.Repeat("#", 20) + " 1\n", "  Feb\n", " 50.0 ms"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
	if b := bar(1, 1000, false); b == "" {
		t.Error("something looks like nothing")
	}
}

func write(t *testing.T, path string, all []journal.Entry) {
	t.Helper()
	for _, e := range all {
		if err := journal.Open(path).Add(e); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLogFilters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	write(t, path, entries(t))
	for name, c := range map[string]struct {
		filter Filter
		want   int
	}{
		"all":              {Filter{}, 7},
		"name":             {Filter{File: "a.go"}, 2},
		"end of a name":    {Filter{File: "c.g"}, 0},
		"folder":           {Filter{File: "/h/b"}, 3},
		"end of a path":    {Filter{File: "b/c.go"}, 3},
		"session":          {Filter{Session: "s1"}, 2},
		"decision":         {Filter{Decision: journal.Reload}, 2},
		"errors":           {Filter{Decision: Errors}, 2},
		"since":            {Filter{Since: time.Date(2026, 11, 1, 0, 0, 0, 0, berlin(t))}, 5},
		"two":              {Filter{Session: "s2", Decision: journal.Reload}, 2},
		"all but nothing":  {Filter{File: "nowhere"}, 0},
		"session and file": {Filter{Session: "s1", File: "c.go"}, 0},
	} {
		var out bytes.Buffer
		if err := Log(context.Background(), &out, Request{Journal: path, Filter: c.filter, JSON: true, Location: time.UTC}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "\n"); got != c.want {
			t.Errorf("%s: %d lines, not %d:\n%s", name, got, c.want, out.String())
		}
	}
}

func TestLogReadsWell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	write(t, path, entries(t))
	var out bytes.Buffer
	if err := Log(context.Background(), &out, Request{Journal: path, Location: berlin(t), Style: screen.Style{Home: "/h"}}); err != nil {
		t.Fatal(err)
	}
	want := `2026-01-01 00:00:00  denied    Edit ~/a.go: unsaved changes in Neovim (pid 1) (1ms)
2026-10-31 23:00:00  denied    Edit ~/a.go: unsaved changes in an editor (3ms)
2026-11-01 00:00:00  reloaded  Write ~/b/c.go: 7 lines changed (2ms)
2026-11-02 00:00:00  passed    Write ~/b/c.go: 2 Neovims asked, nothing unsaved (2ms)
                     no answer from the Neovim at /run/x?[31m.sock
2026-11-04 12:00:00  reloaded  Edit ~/b/c.go: 1 line changed (50ms)
2026-11-04 13:00:00  no answer unknown (0s)
                     error: read hook payload: EOF
2026-11-04 16:00:00  denied    PreToolUse ~/later: unsaved changes in an editor (0s)
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// safe is a buffer that one writes and another reads.
type safe struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *safe) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *safe) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "log.jsonl") // not there yet
	ctx, stop := context.WithCancel(context.Background())
	var out safe
	ended := make(chan error, 1)
	go func() {
		ended <- Log(ctx, &out, Request{Journal: path, Follow: true, Location: time.UTC, Filter: Filter{Decision: journal.Deny}})
	}()
	for i, e := range entries(t) {
		write(t, path, []journal.Entry{e})
		if i == 0 {
			nvimtest.Eventually(t, "the first line", func() error {
				if !strings.Contains(out.String(), "pid 1") {
					return fmt.Errorf("%q", out.String())
				}
				return nil
			})
		}
	}
	nvimtest.Eventually(t, "three lines", func() error {
		if strings.Count(out.String(), "denied") != 3 || strings.Contains(out.String(), "reloaded") {
			return fmt.Errorf("%q", out.String())
		}
		return nil
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
