package hook

import (
	"context"
	"os"
	"strings"

	"sidekick/internal/claude"
	"sidekick/internal/contextnote"
	"sidekick/internal/fleet"
	"sidekick/internal/nvim"
	"sidekick/internal/reload"
	"sidekick/internal/words"
)

// say is what the person sees of a reload.
var say = reload.Say{One: words.ReloadedOne, Many: words.ReloadedMany, Deleted: words.FileDeleted}

// postToolUse follows up a tool call that was made, or that failed half-way: it
// brings every buffer in line with the disk, and tells the agent what it cannot
// see there.
func postToolUse(ctx context.Context, e *event) (claude.Answer, error) {
	switch {
	case e.payload.Tool == claude.Read:
		return staleRead(ctx, e)
	case len(e.payload.Writes()) > 0:
		return e.reloadFiles(ctx, e.targets(e.payload.Writes()))
	case e.payload.Command() != "", strings.HasPrefix(e.payload.Tool, "mcp__"):
		return e.reloadAny(ctx)
	}
	return claude.Answer{}, nil
}

// reloadFiles brings the buffers of files that the call named in line with the disk.
func (e *event) reloadFiles(ctx context.Context, targets []target) (claude.Answer, error) {
	requests := make([]*reload.Request, len(targets))
	for i, t := range targets {
		requests[i] = &reload.Request{Names: t.names(), Say: say}
		if before, ok := e.payload.TextBefore(); ok && len(targets) == 1 {
			requests[i].Before = &before
		}
	}
	return e.follow(ctx, func(c *nvim.Client) (all reload.Result, err error) {
		for _, request := range requests {
			result, err := reload.File(c, request)
			if err != nil {
				return all, err
			}
			all.Buffers = append(all.Buffers, result.Buffers...)
		}
		return all, nil
	})
}

// reloadAny brings every buffer in line whose file changed: a shell command may
// have written anything.
func (e *event) reloadAny(ctx context.Context) (claude.Answer, error) {
	return e.follow(ctx, func(c *nvim.Client) (reload.Result, error) {
		return reload.Changed(c, say)
	})
}

// followed is what came of a reload in one Neovim.
type followed struct {
	reload.Result
	errors []fileErrors
	kept   []keptText
}

// keptText is a buffer with unsaved text whose file changed under it.
type keptText struct {
	buffer reload.Buffer
	text   nvim.Text
}

// follow runs bring in every Neovim and composes what the agent is told.
func (e *event) follow(ctx context.Context, bring func(*nvim.Client) (reload.Result, error)) (claude.Answer, error) {
	// A stopped one finds out by itself, once it goes on.
	editors, err := fleet.Everyone(ctx, e.Sockets, func(c *nvim.Client) (f followed, err error) {
		f.errors, err = e.newErrors(ctx, c, func() (buffers []reloadedBuffer, err error) {
			f.Result, err = bring(c)
			for _, b := range f.Buffers {
				if b.State == reload.Reloaded {
					buffers = append(buffers, reloadedBuffer{b.Number, b.Name})
				}
			}
			return buffers, err
		})
		if err != nil {
			return f, err
		}
		f.kept, err = e.keptTexts(c, f.Buffers)
		return f, err
	})
	e.entry.Asked = len(editors)
	var parts []string
	var fresh []fileErrors
	for _, ed := range editors {
		e.record(ed.Value.Result)
		fresh = append(fresh, ed.Value.errors...)
		for _, kept := range ed.Value.kept {
			parts = appendText(parts, e.conflict(ctx, editor{Found: ed.Found}.name(), kept))
		}
	}
	return e.tellContext(append(parts, e.errorParts(fresh)...)), err
}

// record adds what became of the buffers to the journal's entry.
func (e *event) record(result reload.Result) {
	for _, b := range result.Buffers {
		switch b.State {
		case reload.Reloaded, reload.Deleted:
			e.entry.Decision = "reload"
			e.entry.Lines += b.Lines
			if e.entry.File == "" {
				e.entry.File = b.Name
			}
		case reload.Failed:
			e.entry.Error = b.Error
		}
	}
}

// keptTexts fetches the unsaved texts whose files changed under them, and tells
// the person: minutes can pass between the question and the write, and they may
// have begun to type meanwhile.
func (e *event) keptTexts(c *nvim.Client, buffers []reload.Buffer) (kept []keptText, err error) {
	for _, b := range buffers {
		if b.State != reload.Modified || !e.firstFor(b.Name) {
			continue
		}
		text, err := c.Text(b.Number, contextnote.MaxDiff)
		if err != nil {
			return kept, err
		}
		kept = append(kept, keptText{b, text})
		if err := c.Tell([]string{b.Name}, 0, 0, words.TextKept(b.Name)); err != nil {
			return kept, err
		}
	}
	return kept, nil
}

// firstFor reports whether the session has not yet been told of this state of
// the file on disk: a shell command's follow-up looks at every buffer again.
func (e *event) firstFor(name string) bool {
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	first, err := e.notes.First("kept " + name + " " + info.ModTime().String())
	return first || err != nil
}

// conflict tells the agent how the person's text differs from what it wrote.
func (e *event) conflict(ctx context.Context, editor string, kept keptText) string {
	told := e.difference(ctx, words.TextKeptForAgent, e.relative(kept.buffer.Name), kept.buffer.Name, editor, kept.text)
	if told != "" { // else they typed what the agent wrote
		e.did("the file changed under unsaved text")
	}
	return told
}
