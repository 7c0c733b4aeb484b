package install

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// writer writes random settings that the client accepts, in random whitespace:
// what a fuzzer of bytes seldom reaches.
type writer struct {
	*rand.Rand
	strings.Builder
	newline string
	dense   bool
}

func (w *writer) pick(texts ...string) string { return texts[w.IntN(len(texts))] }

// gap writes whitespace, of the kind that people and programs leave.
func (w *writer) gap() {
	if w.dense {
		return
	}
	w.WriteString(w.pick("", "", " ", "  ", w.newline, w.newline+"  ", w.newline+"\t", " "+w.newline+"    ", w.newline+w.newline))
}

func (w *writer) list(open, close string, n int, item func(i int)) {
	w.WriteString(open)
	for i := range n {
		if i > 0 {
			w.gap()
			w.WriteString(",")
		}
		w.gap()
		item(i)
	}
	w.gap()
	w.WriteString(close)
}

func (w *writer) member(name string, value func()) {
	fmt.Fprintf(w, "%q", name)
	w.gap()
	w.WriteString(":")
	w.gap()
	value()
}

func (w *writer) any(depth int) {
	switch w.IntN(5 + min(depth, 1)*2) {
	case 0:
		w.WriteString(w.pick("0", "-1.50", "1e400", "12345678901234567890", "1E+2"))
	case 1, 2:
		w.WriteString(w.pick(`""`, `"x"`, `"\u0041\/\n"`, `"é <&>"`, `"hooks"`, `"{ ["`, `"//"`))
	case 3, 4:
		w.WriteString(w.pick("true", "false", "null"))
	case 5:
		w.list("[", "]", w.IntN(4), func(int) { w.any(depth - 1) })
	case 6:
		w.list("{", "}", w.IntN(4), func(int) {
			w.member(w.pick("a", "hooks", "PreToolUse", "b"), func() { w.any(depth - 1) })
		})
	}
}

func (w *writer) handler() {
	w.list("{", "}", 3+w.IntN(2), func(i int) {
		switch i {
		case 0:
			w.member("type", func() { w.WriteString(`"command"`) })
		case 1:
			w.member("command", func() { w.WriteString(w.pick(`"x"`, `"/usr/bin/sidekick"`, `"/a/hook"`)) })
		case 2:
			w.member("args", func() { w.list("[", "]", w.IntN(3), func(int) { w.WriteString(w.pick(`"hooks"`, `"x"`)) }) })
		case 3:
			w.member("later", func() { w.any(1) })
		}
	})
}

func (w *writer) group() {
	w.list("{", "}", 1+w.IntN(3), func(i int) {
		switch i {
		case 0:
			w.member("hooks", func() { w.list("[", "]", w.IntN(3), func(int) { w.handler() }) })
		case 1:
			w.member("matcher", func() { w.WriteString(w.pick(`""`, `"Edit|Write"`, `"mcp__.*"`)) })
		case 2:
			w.member("note", func() { w.any(1) })
		}
	})
}

func (w *writer) hooks() {
	w.list("{", "}", w.IntN(4), func(int) {
		if w.IntN(6) == 0 {
			w.member("Unheard", func() { w.any(2) })
			return
		}
		w.member(w.pick("PreToolUse", "Stop", "PostToolUse"), func() {
			w.list("[", "]", w.IntN(3), func(int) { w.group() })
		})
	})
}

func (w *writer) settings() {
	w.gap()
	w.list("{", "}", w.IntN(4), func(int) {
		if w.IntN(2) == 0 {
			w.member("hooks", w.hooks)
			return
		}
		w.member(w.pick("one", "two", "Hooks"), func() { w.any(2) })
	})
	w.gap()
}

// Install and uninstall keep their promises on settings of any shape and any
// whitespace.
func TestRandomSettings(t *testing.T) {
	accepted := 0
	for seed := range uint64(500) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 7)), newline: "\n"}
		if w.IntN(4) == 0 {
			w.newline = "\r\n"
		}
		w.dense = w.IntN(5) == 0
		if w.IntN(8) == 0 {
			w.WriteString(byteOrderMark)
		}
		w.settings()
		text := []byte(w.String())
		if err := checkSyntax("random", text); err != nil {
			t.Fatalf("seed %d: %v in %q", seed, err, text)
		}
		if checkRules("random", text) != nil {
			continue
		}
		accepted++
		checkRoundTrip(t, content{text, true})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if accepted < 250 {
		t.Errorf("only %d random files were accepted", accepted)
	}
}
