package hook_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"sidekick/internal/claude"
	"sidekick/internal/nvim/nvimtest"
)

// wrote is the end of an edit that made text of the file.
func (s *scene) wrote(path, text string) payload {
	s.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
	return edit(path).after()
}

func hasErrors(t *testing.T, e *nvimtest.Editor, want int) {
	t.Helper()
	nvimtest.Eventually(t, "the language server has spoken", func() error {
		var got int
		if e.Lua(&got, `return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })`); got != want {
			return fmt.Errorf("%d errors, want %d", got, want)
		}
		return nil
	})
}

func TestNewErrorsAfterAChange(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := s.Write(t, "src/a.txt", "BAD from the start\ntwo\nthree\n")
		e := s.start(binary, path)
		e.AttachLSP(10 * time.Millisecond)
		hasErrors(t, e, 1)

		// Old errors move and are not told; warnings neither.
		got := told(t, s.run(s.wrote(path, "new\nBAD from the start\ntwo\nHMM\n  BAD `````` news\n")))
		wantTold(t, got, "reports a new error in src/a.txt:\n```\nline 5, column 3: this is BAD (testserver E1)\n```",
			"not", "line 2", "HMM")
		hasErrors(t, e, 2)
		wantTold(t, s.log(), `"decision":"reload"`, "new errors told")

		// Once: they are old ones now.
		got = told(t, s.run(s.wrote(path, "newer\nBAD from the start\ntwo\nHMM\n  BAD `````` news\n")))
		wantTold(t, got, "not", "BAD")

		// A shell command's changes are watched too.
		s.wrote(path, "newer\nBAD from the start\ntwo\nHMM\n  BAD `````` news\nBAD\nBAD BAD\n")
		got = told(t, s.run(bash("sed -i ...").after()))
		wantTold(t, got, "reports 2 new errors in src/a.txt:", "line 6, column 1", "line 7, column 1")

		s.env["SIDEKICK_CONTEXT_DIAGNOSTICS"] = "false"
		wantSilent(t, s.run(s.wrote(path, "BAD and worse\n")))
	})
}

// What a slow server finds is not waited for, and a person who types is not
// held up by the waiting.
func TestNewErrorsOfASlowServer(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		path := s.Write(t, "a.txt", "one\n")
		term, e := s.inTerminal(binary, "one", path)
		e.AttachLSP(30 * time.Second)
		nvimtest.Eventually(t, "the server serves", func() error {
			var served bool
			e.Lua(&served, `return not vim.tbl_isempty((vim.lsp.get_clients or vim.lsp.buf_get_clients)())`)
			if !served {
				return fmt.Errorf("no client")
			}
			return nil
		})
		answered := make(chan claude.Answer, 1)
		start := time.Now()
		go func() { answered <- s.run(s.wrote(path, "one\nBAD\n")) }()
		nvimtest.Eventually(t, "the reload", func() error {
			if got := e.Lines(path); len(got) != 2 {
				return fmt.Errorf("%q", got)
			}
			return nil
		})
		term.Type("otyped meanwhile")
		nvimtest.Eventually(t, "the typed text", func() error {
			if got := e.Lines(path); got[1] != "typed meanwhile" {
				return fmt.Errorf("%q", got)
			}
			return nil
		})
		wantSilent(t, <-answered)
		if took := time.Since(start); took > 3*time.Second { // 2.3, on a machine that is busy
			t.Errorf("took %v", took)
		}
	})
}
