package e2e

import (
	"fmt"
	"strings"
	"testing"

	"sidekick/internal/claudetest"
	"sidekick/internal/nvim/nvimtest"
)

// TestInteractive has two terminals: the client in one, Neovim in the other.
func TestInteractive(t *testing.T) {
	p := newPerson(t, nvimtest.Binary(t, "0.10"))
	editor := p.Terminal(t, p.alias(p.project, "notes.txt"))
	editor.WaitFor("line 10")
	editor.Type("10Gotyped by a person")
	editor.Keys("Escape")
	editor.WaitFor("typed by a person")
	e := p.attach("*.sock")
	c, client := claudetest.Interactive(t, p.Home, p.project)
	c.Prompt(client, "please edit")

	mustAllow(t, c.Use(claudetest.Read(p.notes)))
	edit := claudetest.Edit(p.notes, "line 3\n", "line three\n")
	p.mustDeny(c.Use(edit), p.notes, numbered())
	editor.WaitFor("notes.txt: Claude's edit held back")
	// One line, and no prompt: the next keys are the person's command.
	editor.Type(":write")
	editor.Keys("Enter")
	editor.WaitFor("written")

	mustAllow(t, c.Use(claudetest.Read(p.notes)))
	c.Say(edit)
	client.WaitFor("Do you want to make this edit")
	client.Keys("Enter")
	mustAllow(t, c.Hear().Results[0])
	p.sees(e, p.notes)
	editor.WaitFor("line three")
	// The proposal was on the screen too; its tab page goes once it is decided.
	nvimtest.Eventually(t, "the review is closed", func() error {
		var pages int
		e.Lua(&pages, `return vim.fn.tabpagenr('$')`)
		if pages != 1 {
			return fmt.Errorf("%d tab pages", pages)
		}
		return nil
	})
	p.cursorOn(e, "typed by a person")
	c.Say(claudetest.Text("Finished it."))
	client.WaitFor("Finished it.")
}

// TestInEditorsTerminal has the client in Neovim's own :terminal, in front of
// the file.
func TestInEditorsTerminal(t *testing.T) {
	p := newPerson(t, nvimtest.Binary(t, "0.12"))
	c, env := claudetest.Serve(t, p.Home, p.project)
	term := p.Terminal(t, p.alias(p.project, "notes.txt"), env...)
	term.WaitFor("line 10")
	term.Type("10GAtyped")
	term.Keys("Escape")
	term.WaitFor("line 10typed")
	e := p.attach("*.sock")
	term.Type(":set hidden | terminal " + claudetest.Binary(t))
	term.Keys("Enter")
	term.Keys("i")
	c.Prompt(term, "please edit")

	mustAllow(t, c.Use(claudetest.Read(p.notes)))
	edit := claudetest.Edit(p.notes, "line 3\n", "line three\n")
	p.mustDeny(c.Use(edit), p.notes, numbered())
	e.Lua(nil, `vim.api.nvim_buf_call(vim.fn.bufnr('notes.txt'), function() vim.cmd('silent write') end)`)
	mustAllow(t, c.Use(claudetest.Read(p.notes)))
	c.Say(edit)
	term.WaitFor("Do you want to make this edit")
	term.Keys("Enter")
	mustAllow(t, c.Hear().Results[0])
	p.sees(e, p.notes)
	if got := p.onDisk(p.notes); !strings.Contains(got, "line three") || !strings.Contains(got, "line 10typed") {
		t.Errorf("the file is\n%s", got)
	}
	c.Say(claudetest.Text("Finished it."))
	term.WaitFor("Finished it.")
}
