package e2e

import (
	"fmt"
	"strings"
	"testing"

	"sidekick/internal/claudetest"
	"sidekick/internal/nvim/nvimtest"
)

// mustDeny checks that the model was told why its edit was not made and what
// unblocks it, and that nothing was written.
func (p *person) mustDeny(got claudetest.Result, path, disk string) {
	p.t.Helper()
	if !got.IsError {
		p.t.Errorf("the edit was not denied: %+v", got)
	}
	for _, want := range []string{path, "unsaved changes", ":w", "Neovim"} {
		if !strings.Contains(got.Text, want) {
			p.t.Errorf("the model is not told %q: %s", want, got.Text)
		}
	}
	if text := p.onDisk(path); text != disk {
		p.t.Errorf("the file was changed:\n%s", text)
	}
}

// mustAllow checks that a tool did its work.
func mustAllow(t *testing.T, got claudetest.Result) {
	t.Helper()
	if got.IsError {
		t.Fatalf("it was not let through: %s", got.Text)
	}
}

func TestUnsavedThenSaved(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, nvim string) {
		p := newPerson(t, nvim)
		e := p.open(p.project, p.notes)
		e.Type("20Goa line that a person typed<Esc>")
		c := claudetest.Print(t, p.Home, p.project)

		mustAllow(t, c.Use(claudetest.Read(p.notes)))
		edit := claudetest.Edit(p.notes, "line 3\n", "line 3\nline 3a\nline 3b\n")
		p.mustDeny(c.Use(edit), p.notes, numbered())
		p.cursorOn(e, "a line that a person typed")

		e.Command("write")
		// The client wants to have seen what is now on disk, whoever wrote it.
		mustAllow(t, c.Use(claudetest.Read(p.notes)))
		mustAllow(t, c.Use(edit))
		p.sees(e, p.notes)
		p.cursorOn(e, "a line that a person typed")
		if got := strings.Join(e.Lines(p.notes)[2:5], ","); got != "line 3,line 3a,line 3b" {
			t.Errorf("the edit is not in the buffer: %s", got)
		}

		// Undo takes back the agent's edit, then the person's own.
		e.Command("silent undo")
		if got := len(e.Lines(p.notes)); got != lastLine+1 {
			t.Errorf("after undo there are %d lines", got)
		}
		e.Command("silent undo")
		if got := len(e.Lines(p.notes)); got != lastLine {
			t.Errorf("after a second undo there are %d lines", got)
		}
		c.Say(claudetest.Text("Done."))
		c.Wait()
	})
}

// A model that goes round a refused edit by the shell is refused that, too; a
// command that only reads is not stopped, and one that writes another file is
// followed by a reload.
func TestRoundByShell(t *testing.T) {
	p := newPerson(t, nvimtest.Binary(t, "0.10"))
	other := p.Write(t, "project/other.txt", "one\n")
	e := p.open(p.project, other)
	e.Command("set hidden")
	e.Edit(p.notes)
	e.Type("20Goa line that a person typed<Esc>")
	c := claudetest.Print(t, p.Home, p.project)

	mustAllow(t, c.Use(claudetest.Read(p.notes)))
	p.mustDeny(c.Use(claudetest.Edit(p.notes, "line 3\n", "line three\n")), p.notes, numbered())
	for _, command := range []string{
		"sed -i 's/line 3/line three/' notes.txt",
		"cd /tmp && python3 -c \"open('" + p.notes + "', 'w').write('gone')\"",
		"printf gone > " + p.notes,
	} {
		p.mustDeny(c.Use(claudetest.Bash(command)), p.notes, numbered())
	}
	mustAllow(t, c.Use(claudetest.Bash("grep -c line notes.txt")))
	mustAllow(t, c.Use(claudetest.Bash("echo two >> other.txt")))
	p.sees(e, other)
	c.Say(claudetest.Text("Done."))
	c.Wait()
}

func TestWriteNewFile(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, nvim string) {
		p := newPerson(t, nvim)
		fresh := p.project + "/fresh.txt"
		e := p.open(p.project, p.notes)
		c := claudetest.Print(t, p.Home, p.project)

		// A buffer of a file that does not exist yet, with text in it.
		e.Edit(fresh)
		e.Type("itext of a person<Esc>")
		got := c.Use(claudetest.Write(fresh, "text of the agent\n"))
		if !got.IsError || !strings.Contains(got.Text, "unsaved changes") {
			t.Errorf("the file was made under a person's text: %+v", got)
		}
		e.Command("edit!")
		mustAllow(t, c.Use(claudetest.Write(fresh, "text of the agent\n")))
		p.sees(e, fresh)

		// One that nobody has open.
		other := p.project + "/sub/other.txt"
		mustAllow(t, c.Use(claudetest.Write(other, "one\n")))
		if got := p.onDisk(other); got != "one\n" {
			t.Errorf("other.txt is %q", got)
		}
		c.Say(claudetest.Text("Done."))
		c.Wait()
	})
}

const notebook = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "first",
   "metadata": {},
   "outputs": [],
   "source": [
    "print(1)"
   ]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

func TestNotebook(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, nvim string) {
		p := newPerson(t, nvim)
		path := p.Write(t, "project/book.ipynb", notebook)
		e := p.open(p.project, path)
		e.Type("Go<Esc>") // an empty line at the end: still a notebook
		c := claudetest.Print(t, p.Home, p.project)

		mustAllow(t, c.Use(claudetest.Read(path)))
		edit := claudetest.Tool("NotebookEdit", map[string]any{
			"notebook_path": path, "cell_id": "first", "new_source": "print(2)",
		})
		p.mustDeny(c.Use(edit), path, notebook)
		e.Command("write")
		mustAllow(t, c.Use(claudetest.Read(path)))
		mustAllow(t, c.Use(edit))
		if text := p.onDisk(path); !strings.Contains(text, "print(2)") {
			t.Errorf("the notebook was not edited: %s", text)
		}
		p.sees(e, path)
		c.Say(claudetest.Text("Done."))
		c.Wait()
	})
}

// TestSeveralEditors: one Neovim has the file and no changes, another, started
// elsewhere, has changes.
func TestSeveralEditors(t *testing.T) {
	p := newPerson(t, nvimtest.Binary(t, "0.12"))
	p.Write(t, "elsewhere/x", "")
	clean := p.open(p.project, "notes.txt")
	p.nvim = nvimtest.Binary(t, "0.7")
	dirty := p.open(p.Dir+"/elsewhere", "../project/notes.txt")
	clean.Type("7G")
	dirty.Type("30GAtyped<Esc>")
	dirty.Command("set hidden | enew") // it need not be on the screen
	c := claudetest.Print(t, p.Home, p.project)

	mustAllow(t, c.Use(claudetest.Read(p.notes)))
	edit := claudetest.Edit(p.notes, "line 3\n", "line three\n")
	p.mustDeny(c.Use(edit), p.notes, numbered())
	dirty.Command("buffer notes.txt | edit!")
	mustAllow(t, c.Use(edit))
	p.sees(clean, p.notes)
	p.sees(dirty, p.notes)
	p.cursorOn(clean, "line 7")
	c.Say(claudetest.Text("Done."))
	c.Wait()
}

// TestOtherFolders: a Neovim started in a subfolder, and a client that has
// changed into another one by a shell command.
func TestOtherFolders(t *testing.T) {
	p := newPerson(t, nvimtest.Binary(t, "0.10"))
	p.Write(t, "project/sub/x", "")
	p.Write(t, "project/deep/er/x", "")
	e := p.open(p.project+"/sub", "../notes.txt")
	e.Type("GAtyped<Esc>")
	c := claudetest.Print(t, p.Home, p.project, "--allowedTools", "Bash")

	mustAllow(t, c.Use(claudetest.Bash("cd deep/er")))
	if got := c.Use(claudetest.Bash("pwd")); !strings.Contains(got.Text, "deep/er") {
		t.Fatalf("the client did not change its folder: %+v", got)
	}
	mustAllow(t, c.Use(claudetest.Read("../../notes.txt")))
	edit := claudetest.Edit("../../notes.txt", "line 3\n", "line three\n")
	p.mustDeny(c.Use(edit), p.notes, numbered())
	e.Command("write")
	mustAllow(t, c.Use(claudetest.Read(p.notes)))
	mustAllow(t, c.Use(edit))
	p.sees(e, p.notes)
	p.cursorOn(e, fmt.Sprintf("line %dtyped", lastLine))
	c.Say(claudetest.Text("Done."))
	c.Wait()
}
