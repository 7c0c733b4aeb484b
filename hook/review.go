package hook

import (
	"context"
	"path/filepath"

	"sidekick/internal/claude"
	"sidekick/internal/filename"
	"sidekick/internal/review"
	"sidekick/internal/socket"
	"sidekick/internal/words"
)

// permissionRequest shows the change that the client asks permission for in the
// person's Neovim, and waits for their decision, for hours if need be. The
// client asks in the terminal meanwhile; no answer leaves the question to it.
func permissionRequest(ctx context.Context, e *event) (claude.Answer, error) {
	if !claude.WritesFile(e.payload.Tool) {
		return claude.Answer{}, nil
	}
	file, err := filename.Resolve(e.payload.FilePath(), e.payload.Cwd, e.Home)
	if err != nil {
		return claude.Answer{}, err
	}
	e.entry.File = file.Path
	// A notebook's cell is never shown by an editor that is connected.
	if e.payload.Tool != claude.NotebookEdit && e.client().EditorShowsDiffs() {
		e.entry.Decision, e.entry.Reason = "ignore", "an editor that is connected to the client shows the question"
		return claude.Answer{}, nil
	}
	var editors []string
	for _, found := range socket.Find(e.Sockets) {
		if !found.Stopped {
			editors = append(editors, found.Address)
		}
	}
	if len(editors) == 0 {
		return claude.Answer{}, nil
	}
	dir, err := e.makeRuntimeDir()
	if err != nil {
		return claude.Answer{}, err
	}
	answer, outcome, err := review.Run(ctx, review.Request{
		Payload: e.payload,
		Dir:     dir,
		Editors: editors,
		Parent:  e.Sockets.Nvim,
		File:    reviewedFile(file),
		Pid:     e.Pid,
		Answer:  e.answerFile(),
		Unsaved: func(ctx context.Context) string { return e.unsavedSince(ctx, file) },
	})
	e.entry.Reason = string(outcome)
	switch {
	case answer.Silent():
		e.entry.Decision = "ignore"
	default:
		e.entry.Decision = answer.Output.Permission.Behavior
	}
	return answer, err
}

// followReviews tells the session's open reviews what happened, and returns what
// the agent has to be told of the call.
func (e *event) followReviews() (told string, err error) {
	switch e.payload.Event {
	case claude.PostToolUse, claude.PostToolUseFailure, claude.UserPromptSubmit, claude.Stop, claude.SessionEnd:
	default:
		return "", nil
	}
	for _, dir := range e.Sockets.Dirs() {
		if e.Sockets.CheckDir(dir) == nil {
			return review.Ended(dir, e.payload)
		}
	}
	return "", nil
}

// client is the Claude Code process above us.
func (e *event) client() review.Client {
	c := review.Client{
		ConfigDir: e.Getenv("CLAUDE_CONFIG_DIR"),
		Port:      e.Getenv("CLAUDE_CODE_SSE_PORT"),
		Pid:       e.Pid,
		Proc:      e.Sockets.Proc,
	}
	c.StateFile = filepath.Join(c.ConfigDir, ".claude.json")
	if c.ConfigDir == "" {
		c.ConfigDir = filepath.Join(e.Home, ".claude")
		c.StateFile = filepath.Join(e.Home, ".claude.json")
	}
	return c
}

// makeRuntimeDir returns the runtime dir, made where it is missing: the first
// one that is fit, which is the one that followReviews finds.
func (e *event) makeRuntimeDir() (dir string, err error) {
	for _, dir = range e.Sockets.Dirs() {
		if err = e.Sockets.MakeDir(dir); err == nil {
			return dir, nil
		}
	}
	return "", err
}

// answerFile is the descriptor that the client reads, no descriptor where the
// answer goes to something else.
func (e *event) answerFile() uintptr {
	if file, ok := e.Stdout.(interface{ Fd() uintptr }); ok {
		return file.Fd()
	}
	return ^uintptr(0)
}

// unsavedSince returns a sentence when a Neovim holds unsaved text of the file:
// the guard saw none before the question was asked.
func (e *event) unsavedSince(ctx context.Context, file filename.File) string {
	editors, _ := lookAround(ctx, e) // who cannot be asked cannot be waited for
	for _, ed := range editors {
		for _, open := range ed.Files {
			if open.Modified && file.Same(open.Name) {
				return words.ReviewUnsaved(file.Path, ed.name())
			}
		}
	}
	return ""
}

// reviewedFile is the file as the runtime looks for its buffers.
func reviewedFile(f filename.File) map[string]any {
	return map[string]any{"names": []string{f.Path, f.Real}, "dev": f.Dev, "inode": f.Inode}
}
