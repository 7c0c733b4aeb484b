package proof

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sidekick/internal/nvim/nvimtest"
)

// episode is how many steps are played in one home. A failing one can be played
// again, and shrinks, by itself.
const episode = 150

// TestNothingIsLost plays random steps of a person and an agent in real
// Neovims. See check for what must hold after every one of them.
//
//	SIDEKICK_STEPS   how many for each version of Neovim
//	SIDEKICK_SEED    which; always the same where it is not set: chance is for scripts/model
//	SIDEKICK_PLAY    plays these steps: what a failure printed
//	SIDEKICK_SHRINK  how long a failing list may be shrunk
func TestNothingIsLost(t *testing.T) {
	steps, seed := number(t, "SIDEKICK_STEPS", 3450), number(t, "SIDEKICK_SEED", 1)
	nvimtest.Each(t, func(t *testing.T, binary string) {
		t.Parallel()
		if text := os.Getenv("SIDEKICK_PLAY"); text != "" {
			list, err := parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if m, fault := play(t, binary, list); fault != "" {
				report(t, binary, 0, list[:min(m.at+1, len(list))], fault)
			}
			return
		}
		var slow time.Duration
		start := time.Now()
		for done := 0; done < steps; done += episode {
			this := uint64(seed + done/episode)
			list := random(this, min(episode, steps-done))
			m, fault := play(t, binary, list)
			slow = max(slow, m.slowest)
			if fault != "" {
				report(t, binary, this, list[:min(m.at+1, len(list))], fault)
			}
		}
		t.Logf("%d steps from seed %d, %.0f a second; the slowest hook took %s", steps, seed, float64(steps)/time.Since(start).Seconds(), slow)
	})
}

// report shrinks a failing list and says how to play it again.
func report(t *testing.T, binary string, seed uint64, steps []step, fault string) {
	t.Helper()
	budget := time.Minute
	if text := os.Getenv("SIDEKICK_SHRINK"); text != "" {
		var err error
		if budget, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	last := fault
	end := time.Now().Add(budget)
	small := shrink(steps, func(s []step) bool {
		_, again := play(t, binary, s)
		if again == "" || kind(again) != kind(fault) { // another fault leads away from this one
			return false
		}
		last = again
		return true
	}, func() bool { return time.Now().Before(end) })
	if len(small) == len(steps) {
		last = fault
	}
	t.Fatalf("%s\n\nthe same again:  SIDEKICK_SEED=%d SIDEKICK_STEPS=%d go test ./proof -run '%s'\n"+
		"shorter:  SIDEKICK_PLAY='%s' go test ./proof -run '%s'\nwhich says:\n%s",
		fault, seed, episode, t.Name(), list(small), t.Name(), last)
}

// kind is what a fault says, without the step and what is particular to it.
func kind(fault string) string {
	_, says, _ := strings.Cut(fault, "): ")
	line, _, _ := strings.Cut(says, "\n")
	return regexp.MustCompile(`/[^ ]*|[0-9]+`).ReplaceAllString(line, "")
}

func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// trial is a testing.TB whose end is not that of the test: a failing list of
// steps is tried again and again.
type trial struct {
	testing.TB
	cleanups []func()
}

type fault string

func (tr *trial) Helper()                           {}
func (tr *trial) Cleanup(f func())                  { tr.cleanups = append(tr.cleanups, f) }
func (tr *trial) Fatal(args ...any)                 { panic(fault(fmt.Sprint(args...))) }
func (tr *trial) Fatalf(format string, args ...any) { panic(fault(fmt.Sprintf(format, args...))) }
func (tr *trial) Errorf(format string, args ...any) { tr.Fatalf(format, args...) }
func (tr *trial) end() {
	for i := len(tr.cleanups) - 1; i >= 0; i-- {
		tr.cleanups[i]()
	}
}

// model is the state of one play.
type model struct {
	*trial
	home    nvimtest.Home
	work    nvimtest.Home // the files' folder
	binary  string
	files   []*file
	seats   []*seat
	calls   [3]*call
	tokens  int // typed or written so far
	syncs   int
	isBlind bool
	at      int        // the step
	mutex   sync.Mutex // of slowest
	slowest time.Duration
}

// file is one on disk.
type file struct {
	path, link string // a name and another
	eol        string
	first      string    // what git has of it
	text       string    // as the model knows it, with line feeds; "" where it is gone
	gone       bool      // removed, or moved away
	away       *string   // what was moved away
	state      int       // counts writes
	newest     time.Time // that any state of it had
}

// play plays steps in a new home; fault is "" where everything held.
func play(t testing.TB, binary string, steps []step) (m *model, text string) {
	m = &model{trial: &trial{TB: t}, binary: binary}
	defer func() {
		// A fault of the clean-up counts too.
		defer func() {
			if f, ok := recover().(fault); ok && text == "" {
				text = "at the end: " + string(f)
			}
		}()
		m.end()
	}()
	defer func() {
		r := recover()
		switch f := r.(type) {
		case nil:
		case fault:
			text = fmt.Sprintf("step %d (%s): %s", m.at, at(steps, m.at), f)
		default:
			text = fmt.Sprintf("step %d (%s): %v\n%s", m.at, at(steps, m.at), r, debug.Stack())
		}
	}()
	// A swap file says ~USER for the home, which leads back there only where the
	// home is the user's own. So the files are not in it.
	m.home, m.work = nvimtest.NewHome(m), nvimtest.NewHome(m)
	m.addFile("small.txt", "\n", "one\ntwo\nthree")
	m.addFile("dos.txt", "\r\n", "eins\nzwei\ndrei é")
	m.addFile("large.txt", "\n", strings.TrimSuffix(strings.Repeat("a line of the large file, which the runtime leaves to the hook\n", 2500), "\n"))
	m.seats = []*seat{{m: m, number: 0}, {m: m, number: 1}}
	for _, s := range m.seats {
		s.start(s.number)
	}
	for i, s := range steps {
		m.at = i
		m.do(s)
	}
	m.at = len(steps)
	m.quiet()
	for _, s := range m.seats {
		s.checkUndo()
	}
	return m, ""
}

func at(steps []step, i int) string {
	if i < len(steps) {
		return steps[i].String()
	}
	return "the end"
}

func (m *model) addFile(name, eol, text string) {
	f := &file{eol: eol, first: text, text: text, link: filepath.Join(m.work.Dir, "link-"+name)}
	// Swap files are found by a file's last name: other homes have others.
	f.path = m.work.Write(m, "src/"+filepath.Base(m.home.Dir)+name, f.bytes(text))
	if err := os.Symlink(f.path, f.link); err != nil {
		m.Fatal(err)
	}
	m.files = append(m.files, f)
}

func (f *file) bytes(text string) string {
	return strings.ReplaceAll(text, "\n", f.eol) + f.eol
}

// disk reads the file as Neovim shows it; "" where it is gone.
func (f *file) disk(t testing.TB) string {
	return strings.TrimSuffix(strings.ReplaceAll(f.raw(t), "\r\n", "\n"), "\n")
}

// isMixed reports whether some lines end as dos does, and some as unix does.
func (f *file) isMixed(t testing.TB) bool {
	raw := f.raw(t)
	dos := strings.Count(raw, "\r\n")
	return dos > 0 && dos < strings.Count(raw, "\n")
}

func (f *file) raw(t testing.TB) string {
	raw, err := os.ReadFile(f.path)
	if err != nil && (!f.gone || !os.IsNotExist(err)) {
		t.Fatal(err)
	}
	return string(raw)
}

// show lets the hook see a process in the home's procfs, which has no others: the
// same user runs more Neovims on this machine.
func (m *model) show(pid int) {
	proc := filepath.Join(m.home.Dir, "proc")
	if m.isBlind {
		proc = filepath.Join(m.home.Dir, "no-proc")
	}
	if err := os.MkdirAll(proc, 0o700); err != nil {
		m.Fatal(err)
	}
	for _, name := range []string{"net", strconv.Itoa(pid)} {
		if err := os.Symlink("/proc/"+name, filepath.Join(proc, name)); err != nil && !os.IsExist(err) {
			m.Fatal(err)
		}
	}
}

// blind takes the procfs away, as where there is none, or gives it back. Without
// it each hook waits in vain for those that are stopped: seldom.
func (m *model) blind(s step) {
	stopped := slices.ContainsFunc(m.seats, func(s *seat) bool { return s.e != nil && s.stopped })
	if blind := s.c%4 == 0 && (!stopped || s.c%32 == 0); blind != m.isBlind {
		names := []string{filepath.Join(m.home.Dir, "proc"), filepath.Join(m.home.Dir, "no-proc")}
		if !blind {
			slices.Reverse(names)
		}
		if err := os.Rename(names[0], names[1]); err != nil {
			m.Fatal(err)
		}
		m.isBlind = blind
	}
}

// token is a text that occurs nowhere else.
func (m *model) token(who string) string {
	m.tokens++
	return fmt.Sprintf("%s%d.", who, m.tokens)
}

func (m *model) do(s step) {
	if person, ok := personOps[s.op]; ok {
		seat := m.seats[s.a%len(m.seats)]
		if seat.e == nil && s.op != "start" || seat.stopped && s.op != "go" {
			return
		}
		person(seat, m.files[s.b%len(m.files)], s.c)
	} else {
		agentOps[s.op](m, s)
	}
	m.check(s)
}

// check holds after every step: no disk has another text than the last that the
// person or the agent wrote; text that was not saved is as it was; a buffer
// without such text is as it was, or is the file; nobody is asked anything.
// What a step itself may change, it has taken note of before.
func (m *model) check(s step) {
	m.Helper()
	for _, f := range m.files {
		if _, err := os.Lstat(f.path); f.gone && err == nil {
			m.Fatalf("%s was removed, and is there again:\n%s", f.path, short(f.disk(m)))
		}
		if got := f.disk(m); got != f.text {
			m.Fatalf("%s was overwritten: it was\n%s\nit is\n%s", f.path, short(f.text), short(got))
		}
	}
	for _, seat := range m.seats {
		seat.check(s)
	}
}

// quiet is the end of all that goes on: every buffer without unsaved text is
// its file.
func (m *model) quiet() {
	for _, s := range m.seats {
		if s.e != nil {
			s.goOn()
			s.leave()
			s.forget()
		}
	}
	m.hook(m.payload("PostToolUse", "Bash", map[string]any{"command": "true"}), -1)
	for _, s := range m.seats {
		s.inLine(m.files...)
	}
}

// short shows where a text is long only its lines that are somebody's.
func short(text string) string {
	if len(text) < 2000 {
		return text
	}
	var lines []string
	for i, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "a line of the large") {
			lines = append(lines, fmt.Sprintf("%d: %s", i+1, line))
		}
	}
	return strings.Join(lines, "\n")
}

func TestMain(m *testing.M) {
	if home := os.Getenv(hookVariable); home != "" {
		hookProcess(home)
		return
	}
	if what := os.Getenv(faultVariable); what != "" {
		faultProcess(what, os.Args[1])
		return
	}
	os.Exit(m.Run())
}
