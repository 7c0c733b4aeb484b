package hook_test

import (
	"strings"
	"testing"
	"time"

	"sidekick/internal/cputest"
	"sidekick/internal/nvim/nvimtest"
)

// What differs between a buffer and the disk is text, not how it is written down.
func TestLinesThatDiffer(t *testing.T) {
	tests := []struct {
		name, disk, args string
		set              string // an option that the buffer must have, or the test shows nothing
		want             string
	}{
		{"plain", "one\ntwo\nthree\n", "", "fileformat=unix", "1 line differs from the disk (line 2)"},
		{"no line end", "one\ntwo\nthree", "", "noendofline", "1 line differs from the disk (line 2)"},
		{"dos", "one\r\ntwo\r\nthree\r\n", "", "fileformat=dos", "1 line differs from the disk (line 2)"},
		{"dos but for one line", "one\r\ntwo\nthree\r\n", "", "fileformat=unix", "1 line differs from the disk (line 2)"},
		{"mac", "one\rtwo\rthree\r", "set fileformats+=mac", "fileformat=mac", "1 line differs from the disk (line 2)"},
		{"latin1", "\xe9ins\ntwo\ndr\xe9i\n", "", "fileencoding=latin1", "1 line differs from the disk (line 2)"},
		{"byte order mark", "\ufeffone\ntwo\nthree\n", "", "bomb", "1 line differs from the disk (line 2)"},
		{"UTF-16", "\xff\xfeo\x00\n\x00t\x00\n\x00e\x00\n\x00", "", "fileencoding=utf-16le", "unsaved changes in Neovim"},
	}
	nvimtest.Each(t, func(t *testing.T, binary string) {
		s := newScene(t)
		e := s.start(binary)
		for _, test := range tests {
			path := s.Write(t, test.name+".txt", test.disk)
			e.Command("set fileformats=unix,dos hidden | " + test.args)
			e.Edit(path)
			name, value, isText := strings.Cut(test.set, "=")
			var on any
			e.Lua(&on, `return vim.o[...]`, strings.TrimPrefix(name, "no"))
			if isText && on != value || !isText && on != !strings.HasPrefix(name, "no") {
				t.Errorf("%s: %s, but it is %v", test.name, test.set, on)
			}
			e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 1, 2, true, {'typed'})`)
			answer := s.run(edit(path))
			wantDeny(t, answer, path, test.want)
			if !strings.Contains(test.want, "line 2") && strings.Contains(answer.Output.Reason, "differ from the disk") {
				t.Errorf("%s: the reason counts lines that nobody can compare: %s", test.name, answer.Output.Reason)
			}
		}
	})
}

// A huge file is refused as quickly as a small one, and its person told.
func TestHugeFileIsDeniedInTime(t *testing.T) {
	s := newScene(t)
	path := s.Write(t, "huge.log", strings.Repeat(strings.Repeat("x", 99)+"\n", 500_000))
	e := s.start(nvimtest.Binary(t, "0.12"), "-n")
	e.Edit(path)
	e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 1, 2, true, {'typed'})`)
	before, start := cputest.Used(t), time.Now()
	wantDeny(t, s.run(edit(path)), path, "unsaved changes")
	took, busy := time.Since(start), cputest.Used(t)-before
	t.Logf("took %s, %s of computing", took, busy)
	if busy > 120*time.Millisecond {
		t.Errorf("took %s, %s of computing", took, busy)
	}
	var messages string
	e.Lua(&messages, `return vim.fn.execute('messages')`)
	if !strings.Contains(messages, "held back") {
		t.Errorf("the person is told %q", messages)
	}
}
