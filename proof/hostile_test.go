package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sidekick/hook"
	"sidekick/internal/claude"
	"sidekick/internal/nvim/nvimtest"
)

// ask gives the hook an edit of path.
func ask(t testing.TB, home nvimtest.Home, path string) (answer claude.Answer, took time.Duration) {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"hook_event_name": claude.PreToolUse, "session_id": "s1", "cwd": home.Dir, "tool_name": claude.Edit,
		"tool_input": map[string]any{"file_path": path, "old_string": "a", "new_string": "b"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	start := time.Now()
	hook.Run(t.Context(), hookWorld(home.Dir, bytes.NewReader(text), &out))
	took = time.Since(start)
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
			t.Fatalf("the answer is not one JSON object: %v", err)
		}
	}
	return answer, took
}

// post tells the hook of an edit of path that was made.
func post(t testing.TB, home nvimtest.Home, path string) {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"hook_event_name": claude.PostToolUse, "session_id": "s1", "cwd": home.Dir, "tool_name": claude.Edit,
		"tool_input": map[string]any{"file_path": path, "old_string": "a", "new_string": "b"}, "tool_response": map[string]any{},
	})
	if err != nil {
		t.Fatal(err)
	}
	hook.Run(t.Context(), hookWorld(home.Dir, bytes.NewReader(text), io.Discard))
}

func denied(answer claude.Answer) bool {
	return answer.Output != nil && answer.Output.Decision == "deny"
}

// typed opens a file in a Neovim that the hook finds, and types into it.
func typed(t *testing.T, home nvimtest.Home, binary, path string) *nvimtest.Editor {
	t.Helper()
	e := home.StartFound(t, binary, "-n")
	e.Edit(path)
	e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'})`)
	return e
}

// Servers that are no Neovim, beside one that is: its answer stands, in time.
func TestHostileServers(t *testing.T) {
	servers := map[string]func(net.Conn){
		"never answers": func(c net.Conn) { _, _ = io.Copy(io.Discard, c) },
		"ends at once":  func(net.Conn) {},
		"garbage": func(c net.Conn) {
			_, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n\xff\xfe\x00\xc1\xdf\xff\xff\xff\xff"))
			_, _ = io.Copy(io.Discard, c)
		},
		"without end": func(c net.Conn) {
			junk := bytes.Repeat([]byte{0x93, 0x02, 0xa1, 'x', 0x90}, 4096) // [2, "x", []]: an event
			for {
				if _, err := c.Write(junk); err != nil {
					return
				}
			}
		},
		"promises much": func(c net.Conn) {
			_, _ = c.Write([]byte{0xdb, 0x10, 0x00, 0x00, 0x00}) // a string of 256 MB
			_, _ = io.Copy(io.Discard, c)
		},
		"another's reply": func(c net.Conn) {
			// [1, 999, nil, true]: the answer to a question that nobody asked.
			_, _ = c.Write([]byte{0x94, 0x01, 0xcd, 0x03, 0xe7, 0xc0, 0xc3})
			_, _ = io.Copy(io.Discard, c)
		},
		"wrong shape": func(c net.Conn) {
			// [1, 0, nil, "yes"] and [1, 1, nil, []]
			_, _ = c.Write([]byte{0x94, 0x01, 0x00, 0xc0, 0xa3, 'y', 'e', 's', 0x94, 0x01, 0x01, 0xc0, 0x90})
			_, _ = io.Copy(io.Discard, c)
		},
	}
	for name, serve := range servers {
		t.Run(name, func(t *testing.T) {
			home := nvimtest.NewHome(t)
			path := home.Write(t, "notes.txt", "one\n")
			typed(t, home, nvimtest.Binary(t, "0.10"), path)
			listener, err := net.Listen("unix", home.FoundAddress(t))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { listener.Close() })
			go func() {
				for {
					conn, err := listener.Accept()
					if err != nil {
						return
					}
					go func() {
						defer conn.Close()
						serve(conn)
					}()
				}
			}()
			lag := startLag()
			answer, took := ask(t, home, path)
			worst := lag.stop()
			if !denied(answer) {
				t.Errorf("the hook answers %+v, want a deny: the real one has unsaved text", answer)
			}
			if took > bound+time.Second+20*worst {
				t.Errorf("it took %s, where timers came %s late", took, worst)
			}
		})
	}
}

// A file's name is never code, whatever state the editor is in.
func TestHostileNames(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		mark := filepath.Join(home.Dir, "run-by-a-name")
		escaped := strings.ReplaceAll(mark, "/", "\\x2f")
		names := []string{
			`a' .. vim.fn.writefile({}, "` + escaped + `") .. '.txt`,
			"b]]..os.execute([[touch run-by-a-name]])..[[.txt",
			`c"|call writefile([],"` + escaped + `")|".txt`,
			"d`touch run-by-a-name`.txt",
			"e%{luaeval('os.exit(1)')}%#Error#.txt",
			"f\n:qa!\r.txt",
			"g\x1b[2J\x1b]0;title\x07.txt",
			"h $(touch run-by-a-name) <CR> *[x]{y}.txt",
			"i\xff\xfe.txt",
		}
		e := home.StartFound(t, binary, "-n")
		var paths []string
		for _, name := range names {
			path := home.Write(t, "names/"+name, "one\n")
			paths = append(paths, path)
			e.Lua(nil, `
				local b = vim.fn.bufadd(...)
				vim.fn.bufload(b)
				vim.bo[b].buflisted = true
				vim.api.nvim_buf_set_lines(b, 0, 0, true, {'typed'})`, path)
		}
		check := func(state string) {
			for _, path := range paths {
				answer, _ := ask(t, home, path)
				if strings.HasPrefix(filepath.Base(path), "i") {
					continue // JSON has no such name: the tool could not name it either
				}
				if !denied(answer) {
					t.Errorf("%s: %q is not protected: %+v", state, path, answer)
				} else if strings.ContainsAny(answer.Output.Reason, "\x1b\x07") {
					t.Errorf("%s: the reason has control characters: %q", state, answer.Output.Reason)
				}
			}
		}
		check("ready")
		if _, err := e.RPC.Input(`"`); err != nil {
			t.Fatal(err)
		}
		nvimtest.Eventually(t, "wait for a register", func() error {
			mode, err := e.RPC.Mode()
			if err == nil && !mode.Blocking {
				err = os.ErrDeadlineExceeded
			}
			return err
		})
		check("waiting for a key")
		for _, dir := range []string{home.Dir, filepath.Join(home.Dir, "names"), "."} {
			if _, err := os.Lstat(filepath.Join(dir, "run-by-a-name")); err == nil {
				t.Errorf("a name was run as code: %s/run-by-a-name is there", dir)
			}
		}
	})
}

// A payload of 50 MB is judged like a small one; one of more than 64 MB is
// dropped, and says nothing.
func TestHugePayload(t *testing.T) {
	home := nvimtest.NewHome(t)
	path := home.Write(t, "notes.txt", "one\n")
	typed(t, home, nvimtest.Binary(t, "0.10"), path)
	for _, test := range []struct {
		megabytes int
		want      bool
	}{{50, true}, {65, false}} {
		payload := `{"hook_event_name":"PreToolUse","session_id":"s1","cwd":"/","tool_name":"Write","tool_input":{"file_path":"` +
			path + `","content":"` + strings.Repeat("x", test.megabytes<<20) + `"}}`
		var out bytes.Buffer
		hook.Run(context.Background(), hookWorld(home.Dir, strings.NewReader(payload), &out))
		if got := strings.Contains(out.String(), `"deny"`); got != test.want {
			t.Errorf("%d MB: denied is %t; the answer is %.200q", test.megabytes, got, out.String())
		}
	}
}

// Fifty hooks at once all get the right answer.
func TestFiftyHooksAtOnce(t *testing.T) {
	home := nvimtest.NewHome(t)
	unsaved, saved := home.Write(t, "unsaved.txt", "one\n"), home.Write(t, "saved.txt", "one\n")
	typed(t, home, nvimtest.Binary(t, "0.10"), unsaved)
	var all sync.WaitGroup
	for i := range 50 {
		all.Add(1)
		go func() {
			defer all.Done()
			path := []string{unsaved, saved}[i%2]
			if answer, _ := ask(t, home, path); denied(answer) != (path == unsaved) {
				t.Errorf("%s: %+v", path, answer)
			}
		}()
	}
	all.Wait()
}
