package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"sidekick/internal/scene"
	"sidekick/internal/words"
)

// run starts a program in a session of its own, so that it cannot reach the
// person's terminal, and kills all of it after the patience. stdout is returned.
func (w World) run(ctx context.Context, stdin string, argv ...string) (string, error) {
	return w.runFor(ctx, patience, stdin, argv...)
}

// hookPatience is the timeout with which the hook is registered: a machine that is
// slow is no reason to say that nobody is protected.
const hookPatience = 10 * time.Second

// runFor is run with another patience.
func (w World) runFor(ctx context.Context, patience time.Duration, stdin string, argv ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = w.Environ, w.TempDir
	cmd.Stdin = strings.NewReader(stdin)
	var out bytes.Buffer
	cmd.Stdout = &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 100 * time.Millisecond // a child that holds the pipe
	err := cmd.Run()
	if ctx.Err() != nil {
		err = errors.New(words.TookTooLong(patience.String()))
	}
	return out.String(), err
}

// harmlessPayload is a real event that the hook has nothing to say to.
const harmlessPayload = `{"session_id":"sidekick-doctor","transcript_path":"","cwd":"/","permission_mode":"default",` +
	`"hook_event_name":"PreToolUse","tool_name":"Glob","tool_input":{"pattern":"*"},"tool_use_id":"toolu_doctor"}` + "\n"

// binaryRows call what the settings name.
func (s settings) binaryRows(ctx context.Context) []Row {
	var rows []Row
	for _, h := range s.handlers() {
		rows = append(rows, s.binaryRow(ctx, h))
	}
	return rows
}

func (s settings) binaryRow(ctx context.Context, h *handler) Row {
	fail := func(fact string) Row { return Row{words.CheckBinary, Fail, fact, words.RunInstall, s.fixInstall()} }
	if h.foreign {
		return fail(words.BinaryForeign(h.command))
	}
	out, err := s.runFor(ctx, hookPatience, harmlessPayload, h.argv...)
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		return fail(words.BinaryGone(h.command))
	case err != nil:
		return fail(words.BinaryFails(h.command, err))
	case out != "" && !onlyTellsPerson(out):
		return fail(words.BinaryTalks(h.command))
	}
	if h.argv[0] == "/bin/sh" {
		return Row{words.CheckBinary, Note, words.OtherProgram(h.command), words.ReplaceOther, nil}
	}
	if same, err := sameFile(h.argv[0], s.Executable); err == nil && same {
		return Row{words.CheckBinary, OK, words.BinaryAnswers(h.command), "", nil}
	}
	version, err := s.run(ctx, "", h.argv[0], "--version")
	if version = strings.TrimSpace(version); err != nil || version != s.Version {
		return Row{words.CheckBinary, Note, words.OtherVersion(h.command, version, s.Version), words.RunInstall, s.fixInstall()}
	}
	return Row{words.CheckBinary, OK, words.BinaryAnswers(h.command), "", nil}
}

// onlyTellsPerson reports whether a hook's answer decides nothing: a sentence about
// the person's options, which have a row of their own.
func onlyTellsPerson(answer string) bool {
	var fields map[string]any
	if json.Unmarshal([]byte(answer), &fields) != nil || len(fields) != 1 {
		return false
	}
	_, tells := fields["systemMessage"]
	return tells
}

func sameFile(a, b string) (bool, error) {
	infoA, err := os.Stat(a)
	if err != nil {
		return false, err
	}
	infoB, err := os.Stat(b)
	return err == nil && os.SameFile(infoA, infoB), err
}

// oldest is the oldest Neovim that sidekick works with.
var oldest = [2]int{0, 7}

func (w World) neovimRows(ctx context.Context) []Row {
	path, err := w.Nvim()
	if err != nil {
		return []Row{{words.CheckNeovim, Fail, err.Error(), words.InstallNvim, nil}}
	}
	out, err := w.run(ctx, "", path, "--version")
	first, _, _ := strings.Cut(out, "\n")
	var version [2]int
	if err == nil {
		_, err = fmt.Sscanf(first, "NVIM v%d.%d", &version[0], &version[1])
	}
	switch {
	case err != nil:
		return []Row{{words.CheckNeovim, Fail, words.NoVersion(path, err), words.InstallNvim, nil}}
	case version[0] == oldest[0] && version[1] < oldest[1]:
		return []Row{{words.CheckNeovim, Fail, words.TooOld(path, first), words.NewerNvim, nil}}
	}
	return []Row{{words.CheckNeovim, OK, words.NvimFound(path, first), "", nil}}
}

// shellRow asks the person's shell, with its rc files, what nvim is.
func (w World) shellRow(ctx context.Context) Row {
	shell := w.Getenv("SHELL")
	name := filepath.Base(shell)
	question := map[string]string{
		"bash": "type nvim", "zsh": "type -f nvim", "sh": "command -V nvim", "dash": "command -V nvim",
		"ksh": "whence -v nvim", "fish": "functions nvim; type nvim",
	}[name]
	hint := words.AddAlias(name)
	if question == "" {
		return Row{words.CheckShell, Note, words.ShellUnknown(shell), hint, nil}
	}
	out, err := w.run(ctx, "", shell, "-i", "-c", question)
	if ours(out, w.Executable) {
		return Row{words.CheckShell, OK, words.ShellHasAlias(name), "", nil}
	}
	if err != nil && out == "" {
		return Row{words.CheckShell, Note, words.ShellSilent(name, err), hint, nil}
	}
	return Row{words.CheckShell, Note, words.ShellHasNone(name), hint, nil}
}

// ours tells whether a shell's answer leads to sidekick: by an alias or function
// of its own, or by a link in Neovim's place.
func ours(answer, executable string) bool {
	if strings.Contains(answer, "sidekick nvim") || strings.Contains(answer, "sidekick' nvim") {
		return true
	}
	for _, word := range strings.Fields(answer) {
		if same, err := sameFile(word, executable); filepath.IsAbs(word) && err == nil && same {
			return true
		}
	}
	return false
}

// bound is how long the probe may take.
const bound = 2 * time.Second

// probeRow tries the main job: text that is typed and not saved, an edit by the
// agent, a save, an edit that goes through.
func (s settings) probeRow(ctx context.Context) Row {
	answerer := []string{s.Executable, "hook"}
	for _, h := range s.handlers() {
		if _, err := os.Stat(h.argv[0]); err == nil && h.argv[0] != "/bin/sh" && !h.foreign {
			answerer = h.argv // what Claude Code would call
			break
		}
	}
	start := time.Now()
	err := s.probe(ctx, answerer)
	took := time.Since(start)
	switch {
	case err != nil:
		return Row{words.CheckProbe, Fail, words.ProbeFailed(err), words.RunDemo, nil}
	case took > bound:
		return Row{words.CheckProbe, Note, words.ProbeSlow(took.Round(10 * time.Millisecond).String()), words.SlowMachine, nil}
	}
	return Row{words.CheckProbe, OK, words.ProbeFine(took.Round(10 * time.Millisecond).String()), "", nil}
}

// probeBound ends a probe that goes nowhere. A loaded machine is slow, which is a
// note; it is no reason to say that nobody is protected.
const probeBound = 30 * time.Second

// denied is what an answer that refuses holds.
const denied = `"permissionDecision":"deny"`

func (s settings) probe(ctx context.Context, answerer []string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, probeBound)
	defer cancel()
	set, err := scene.Set(ctx, scene.Request{
		Sidekick: s.Executable, Answerer: answerer, Environ: s.Environ, ParentDir: s.TempDir, Args: []string{"--clean"},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	if err := set.Keys(ctx, "GA, typed<Esc>"); err != nil {
		return err
	}
	if _, err := set.Expect(ctx, "getline('$') .. &modified", "line 40, typed1"); err != nil {
		return err
	}
	answer, err := set.Hook(ctx, "PreToolUse")
	if err != nil {
		return err
	}
	if !strings.Contains(answer, denied) {
		return errors.New(words.NotDenied)
	}
	if err := set.Keys(ctx, ":silent write<CR>"); err != nil {
		return err
	}
	if _, err := set.Expect(ctx, "&modified", "0"); err != nil {
		return err
	}
	text, err := os.ReadFile(set.File)
	if err != nil {
		return err
	}
	if answer, err = set.Hook(ctx, "PreToolUse"); err != nil {
		return err
	}
	if strings.Contains(answer, denied) {
		return errors.New(words.NotLetThrough(answer))
	}
	if err := os.WriteFile(set.File, append([]byte("by the agent\n"), text...), 0o600); err != nil {
		return err
	}
	if _, err := set.Hook(ctx, "PostToolUse"); err != nil {
		return err
	}
	_, err = set.Expect(ctx, "getline(1) .. getline('$') .. &modified", "by the agentline 40, typed0")
	return err
}
