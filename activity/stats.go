package activity

import (
	"math"
	"slices"
	"time"

	"sidekick/internal/journal"
)

// Sums is what happened in one period.
type Sums struct {
	Denials    int   `json:"denials"`
	Passed     int   `json:"passed"`
	Reloads    int   `json:"reloads"`
	Lines      int   `json:"lines"` // changed by reloads
	Files      int   `json:"files"` // that a denial or a reload was about, each once
	Unanswered int   `json:"unanswered"`
	Errors     int   `json:"errors"`
	Median     int64 `json:"median_us"` // microseconds; 0 where nothing was measured
	Slow       int64 `json:"p99_us"`
}

// Bar is one part of a period.
type Bar struct {
	Label string `json:"label"`
	Count int    `json:"count"` // denials and reloads
}

// Period is a week, a month or a year up to now.
type Period struct {
	From time.Time `json:"from"`
	Sums Sums      `json:"sums"`
	Bars []Bar     `json:"bars"`
}

// Stats is what was protected.
type Stats struct {
	Since time.Time `json:"since"` // the oldest entry, zero where there is none
	Week  Period    `json:"week"`  // from Monday, by day
	Month Period    `json:"month"` // from the 1st, by weeks of seven days
	Year  Period    `json:"year"`  // from January, by month
}

// Sum adds up the entries. Periods begin at midnight in the location of now.
func Sum(entries []journal.Entry, now time.Time) Stats {
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, now.Location()) }
	y, m, d := now.Date()
	monday := day(y, m, d-(int(now.Weekday())+6)%7)
	var s Stats
	if len(entries) > 0 {
		s.Since = slices.MinFunc(entries, func(a, b journal.Entry) int { return a.Time.Compare(b.Time) }).Time.In(now.Location())
	}
	var days, weeks, months []time.Time
	for i := range 7 {
		days = append(days, monday.AddDate(0, 0, i))
	}
	for first := 1; day(y, m, first).Month() == m; first += 7 {
		weeks = append(weeks, day(y, m, first))
	}
	for month := time.January; month <= time.December; month++ {
		months = append(months, day(y, month, 1))
	}
	s.Week = period(entries, now, days, func(t time.Time) string { return t.Format("Mon") })
	s.Month = period(entries, now, weeks, func(t time.Time) string { return t.Format("Jan _2") })
	s.Year = period(entries, now, months, func(t time.Time) string { return t.Format("Jan") })
	return s
}

// period adds up what lies between the first of parts and now.
func period(entries []journal.Entry, now time.Time, parts []time.Time, label func(time.Time) string) Period {
	p := Period{From: parts[0], Bars: []Bar{}}
	for _, part := range parts {
		if !part.After(now) {
			p.Bars = append(p.Bars, Bar{Label: label(part)})
		}
	}
	files := map[string]bool{}
	var micros []int64
	for _, e := range entries {
		if e.Time.Before(p.From) || e.Time.After(now) {
			continue
		}
		p.Sums.add(e)
		if e.Micros > 0 {
			micros = append(micros, e.Micros)
		}
		if e.Decision != journal.Deny && e.Decision != journal.Reload {
			continue
		}
		if e.File != "" {
			files[e.File] = true
		}
		at := 0
		for at+1 < len(p.Bars) && !e.Time.Before(parts[at+1]) {
			at++
		}
		p.Bars[at].Count++
	}
	slices.Sort(micros)
	p.Sums.Files = len(files)
	p.Sums.Median, p.Sums.Slow = percentile(micros, 0.5), percentile(micros, 0.99)
	return p
}

func (s *Sums) add(e journal.Entry) {
	switch e.Decision {
	case journal.Deny:
		s.Denials++
	case journal.Pass:
		s.Passed++
	case journal.Reload:
		s.Reloads++
		s.Lines += e.Lines
	}
	s.Unanswered += len(e.Unanswered)
	if e.Error != "" {
		s.Errors++
	}
}

// percentile takes the nearest rank of sorted values, 0 where there are none.
func percentile(sorted []int64, p float64) int64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(p*float64(len(sorted))))-1)]
}
