package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"sidekick/hook"
	"sidekick/internal/claude"
	"sidekick/internal/socket"
	"sidekick/internal/swapfile"
)

// call is a tool call of the agent on its way: asked, made, followed up.
type call struct {
	file    *file
	payload map[string]any
	kind    string
	back    bool // of a move
	made    bool
}

// kinds of writes: a tool that names the file, command lines that the guard
// understands, one that it cannot.
var kinds = []string{
	claude.Edit, claude.Write, "append", "opaque", claude.Edit, claude.Write, "append", "opaque",
	"remove", "move", "checkout",
}

var agentOps = map[string]func(*model, step){
	"pre":      func(m *model, s step) { m.pre(s, -1) },
	"write":    (*model).write,
	"post":     func(m *model, s step) { m.post(s.a%len(m.calls), -1) },
	"lose":     (*model).lose,
	"together": (*model).together,
	"read":     (*model).read,
	"blind":    (*model).blind,
	"quiet":    func(m *model, _ step) { m.quiet() },
}

// payload is a hook event as the client sends it.
func (m *model) payload(event, tool string, input map[string]any) map[string]any {
	return map[string]any{
		"hook_event_name": event, "session_id": "s1", "cwd": m.work.Dir, "tool_use_id": "t1",
		"tool_name": tool, "tool_input": input, "permission_mode": "default",
	}
}

// pre asks the hook. A call that is not denied waits for its write. killed: the
// hook's life in microseconds, -1 = it lives.
func (m *model) pre(s step, killed int) {
	slot := s.a % len(m.calls)
	if m.calls[slot] != nil {
		return
	}
	c := &call{file: m.files[s.b%len(m.files)], kind: kinds[s.c%len(kinds)]}
	f := c.file
	name := f.path
	if s.c/len(kinds)%2 == 1 {
		name = f.link
	}
	command := func(command string) {
		c.payload = m.payload(claude.PreToolUse, claude.Bash, map[string]any{"command": command})
	}
	switch c.kind {
	case claude.Edit:
		c.payload = m.payload(claude.PreToolUse, claude.Edit, map[string]any{"file_path": name, "old_string": "x", "new_string": "y"})
	case claude.Write:
		c.payload = m.payload(claude.PreToolUse, claude.Write, map[string]any{"file_path": name, "content": "x\n"})
	case "append":
		command("echo x >> " + name)
	case "opaque":
		command("./some-tool")
	case "remove":
		command("rm -f " + f.path)
	case "move":
		if c.back = f.gone; c.back {
			command("mv " + f.path + ".away " + f.path)
		} else {
			command("mv " + f.path + " " + f.path + ".away")
		}
	case "checkout":
		command("git checkout -- " + f.path)
	}
	unsaved := m.unsaved(f)
	// Where nothing is there, there is nothing that a command could change.
	must := unsaved && (!f.gone || c.kind == claude.Edit || c.kind == claude.Write)
	answer, late := m.hook(c.payload, killed)
	denied := answer.Output != nil && answer.Output.Decision == "deny"
	switch {
	case killed >= 0 || c.kind == "opaque":
	case must && !denied && !late:
		m.Fatalf("the hook lets %s write %s, which has unsaved text", c.kind, name)
	case denied && !unsaved:
		m.Fatalf("the hook denies %s of %s, which nobody has unsaved text of: %s\n%s", c.kind, name, answer.Output.Reason, m.people())
	}
	if !denied {
		m.calls[slot] = c
	}
}

// unsaved reports whether a Neovim has unsaved text of the file. Of one that is
// stopped its swap file tells the hook.
func (m *model) unsaved(f *file) bool {
	return slices.ContainsFunc(m.seats, func(s *seat) bool {
		v := s.views[f]
		return s.e != nil && v != nil && v.dirty
	})
}

// people says who sits where.
func (m *model) people() string {
	var lines []string
	for _, s := range m.seats {
		line := fmt.Sprintf("Neovim %d: pid %d, lives: %t, stopped: %t", s.number, s.pid, s.e != nil, s.stopped)
		if s.sitting != nil {
			line += ", sits at " + s.sitting.keys
		}
		for _, f := range m.files {
			if v := s.views[f]; v != nil {
				line += fmt.Sprintf(", %s (modified: %t)", filepath.Base(f.path), v.dirty)
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// write is the tool's own work on the disk.
func (m *model) write(s step) {
	c := m.calls[s.a%len(m.calls)]
	if c == nil || c.made {
		return
	}
	f := c.file
	before := f.text
	c.made = true
	c.payload["hook_event_name"] = claude.PostToolUse
	switch {
	case c.kind == claude.Edit && f.gone:
		c.payload["hook_event_name"] = claude.PostToolUseFailure
	case c.kind == "remove" || c.kind == "opaque" && s.c%7 == 0:
		f.remove(m)
	case c.kind == "move":
		f.move(m, c.back)
	case c.kind == "checkout":
		f.put(m, f.first, true)
	default:
		f.put(m, m.edited(c, s), s.c/3%2 == 0 && c.kind != "append")
	}
	response := map[string]any{}
	if c.kind == claude.Edit || c.kind == claude.Write {
		response["originalFile"] = before + "\n"
	}
	c.payload["tool_response"] = response
}

// edited is what the tool makes of the file's text.
func (m *model) edited(c *call, s step) string {
	lines := strings.Split(c.file.text, "\n")
	token := m.token("agent")
	switch at := s.c % len(lines); {
	case c.kind == claude.Write && len(lines) < 100 && s.c%3 == 0:
		lines = []string{token, m.token("agent"), m.token("agent")}
	case c.kind == "append":
		lines = append(lines, token)
	case s.c%5 == 0 && len(lines) > 1:
		lines[at] = token
	default:
		lines = append(lines[:at], append([]string{token}, lines[at:]...)...)
	}
	return strings.Join(lines, "\n")
}

// put writes the file, in place or as a new one over it, at a time that no
// earlier state has.
func (f *file) put(m *model, text string, anew bool) {
	m.Helper()
	f.aged(m)
	for {
		path := f.path
		if anew {
			path += ".new"
		}
		if err := os.WriteFile(path, []byte(f.bytes(text)), 0o644); err != nil {
			m.Fatal(err)
		}
		if after, err := os.Stat(path); err == nil && after.ModTime().After(f.newest) {
			break
		}
	}
	if anew {
		if err := os.Rename(f.path+".new", f.path); err != nil {
			m.Fatal(err)
		}
	}
	f.text, f.gone = text, false
	f.state++
}

// aged takes note of the file's time.
func (f *file) aged(m *model) {
	info, err := os.Stat(f.path)
	if err == nil && info.ModTime().After(f.newest) {
		f.newest = info.ModTime()
	}
	if err != nil && !f.gone {
		m.Fatal(err)
	}
}

func (f *file) remove(m *model) {
	f.aged(m)
	if err := os.Remove(f.path); err != nil && !f.gone {
		m.Fatal(err)
	}
	f.text, f.gone = "", true
	f.state++
}

// move moves the file away, or back over whatever is there.
func (f *file) move(m *model, back bool) {
	f.aged(m)
	switch {
	case back && f.away != nil:
		if err := os.Rename(f.path+".away", f.path); err != nil {
			m.Fatal(err)
		}
		f.text, f.gone, f.away = *f.away, false, nil
	case !back && !f.gone:
		if err := os.Rename(f.path, f.path+".away"); err != nil {
			m.Fatal(err)
		}
		text := f.text
		f.text, f.gone, f.away = "", true, &text
	default:
		return // nothing to move
	}
	f.state++
}

// post follows a call up.
func (m *model) post(slot, killed int) {
	c := m.calls[slot]
	if c == nil || !c.made {
		return
	}
	m.calls[slot] = nil
	_, late := m.hook(c.payload, killed)
	if killed < 0 && !late {
		for _, s := range m.seats {
			s.inLine(c.file)
		}
	}
}

// lose kills a hook somewhere in the middle. The client goes on.
func (m *model) lose(s step) {
	slot := s.a % len(m.calls)
	if m.calls[slot] == nil {
		m.pre(s, s.c)
		return
	}
	m.post(slot, s.c)
}

// together follows up all calls at once, while the person types.
func (m *model) together(s step) {
	var wait sync.WaitGroup
	late := make([]bool, len(m.calls))
	faults := make([]any, len(m.calls))
	files := make([]*file, len(m.calls))
	for slot, c := range m.calls {
		if c == nil || !c.made {
			continue
		}
		m.calls[slot], files[slot] = nil, c.file
		wait.Add(1)
		go func() {
			defer wait.Done()
			defer func() { faults[slot] = recover() }()
			_, late[slot] = m.runHook(c.payload, -1)
		}()
	}
	seat := m.seats[s.a%len(m.seats)]
	func() {
		defer wait.Wait()
		if seat.e != nil && !seat.stopped {
			seat.typeText(m.files[s.b%len(m.files)], s.c)
		}
	}()
	for slot, f := range files {
		if faults[slot] != nil {
			panic(faults[slot])
		}
		if f == nil || late[slot] {
			continue
		}
		for _, s := range m.seats {
			s.inLine(f)
		}
	}
}

func (m *model) read(s step) {
	f := m.files[s.b%len(m.files)]
	p := m.payload(claude.PostToolUse, claude.Read, map[string]any{"file_path": f.path})
	p["tool_response"] = map[string]any{}
	m.hook(p, -1)
}

// bound is what a hook may take, with nothing else to do on the machine.
const bound = 2 * time.Second

// hook runs the hook and takes its time; late: the machine kept it from asking.
func (m *model) hook(payload map[string]any, killed int) (answer claude.Answer, late bool) {
	m.Helper()
	answer, late = m.runHook(payload, killed)
	return answer, late
}

func (m *model) runHook(payload map[string]any, killed int) (answer claude.Answer, late bool) {
	text, err := json.Marshal(payload)
	if err != nil {
		panic(err)
	}
	if killed >= 0 {
		m.killedHook(string(text), time.Duration(killed)*3*time.Microsecond)
		return answer, true
	}
	lag := startLag()
	start := time.Now()
	var out bytes.Buffer
	hook.Run(context.Background(), hookWorld(m.home.Dir, strings.NewReader(string(text)), &out))
	took, worst := time.Since(start), lag.stop()
	m.mutex.Lock()
	m.slowest = max(m.slowest, took)
	m.mutex.Unlock()
	if took > bound+time.Second+20*worst {
		panic(fault("a hook took " + took.String() + " where timers came " + worst.String() + " late at most"))
	}
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
			panic(fault("the answer is not one JSON object: " + out.String()))
		}
	}
	return answer, took > bound/2
}

// killedHook runs the hook as a process and kills it after its life.
func (m *model) killedHook(payload string, life time.Duration) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = m.home.Environ(hookVariable + "=" + m.home.Dir)
	cmd.Stdin = strings.NewReader(payload)
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	timer := time.AfterFunc(life+3*time.Millisecond, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_ = cmd.Wait() // killed, as a rule
}

// hookVariable makes this test binary the hook of the home in it;
// descriptorsVariable says how many descriptors it may have.
const (
	hookVariable        = "SIDEKICK_PROOF_HOOK"
	descriptorsVariable = "SIDEKICK_PROOF_DESCRIPTORS"
)

func hookProcess(home string) {
	if n, err := strconv.ParseUint(os.Getenv(descriptorsVariable), 10, 32); err == nil {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			panic(err)
		}
	}
	hook.Run(context.Background(), hookWorld(home, os.Stdin, os.Stdout))
}

// hookWorld is the hook's, confined to the home: other tests' Neovims run on the
// same machine as the same user.
func hookWorld(home string, stdin io.Reader, stdout io.Writer) hook.World {
	host, err := os.Hostname()
	if err != nil {
		panic(err)
	}
	state := filepath.Join(home, ".local", "state")
	return hook.World{
		Stdin: stdin, Stdout: stdout,
		Getenv:     func(string) string { return "" },
		Home:       home,
		ConfigFile: filepath.Join(home, ".config", "sidekick", "config.toml"),
		StateHome:  state,
		Pid:        os.Getpid(),
		Sockets: socket.World{
			Env:  socket.Env{RuntimeDir: filepath.Join(home, "run"), TempDir: home, UID: os.Getuid()},
			Proc: filepath.Join(home, "proc"), Now: time.Now(),
		},
		Swaps: swapfile.World{
			Home: home, StateHome: state, DataHome: filepath.Join(home, ".local", "share"),
			TempDir: home, Host: host, UID: os.Getuid(), Proc: "/proc",
		},
	}
}

// lag measures how late timers come: what a loaded machine adds to everything.
type lag struct {
	done  chan struct{}
	worst chan time.Duration
}

func startLag() lag {
	l := lag{make(chan struct{}), make(chan time.Duration, 1)}
	go func() {
		const tick = 5 * time.Millisecond
		var worst time.Duration
		for {
			before := time.Now()
			select {
			case <-l.done:
				l.worst <- worst
				return
			case <-time.After(tick):
				worst = max(worst, time.Since(before)-tick)
			}
		}
	}()
	return l
}

func (l lag) stop() time.Duration {
	close(l.done)
	return <-l.worst
}
