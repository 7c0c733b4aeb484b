package nvimtest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"strconv"
	"strings"
	"time"
)

// A test binary that calls ServeLSP in TestMain is a language server too, when it
// runs with this variable: it calls every line that holds "BAD" an error, and
// one that holds "HMM" a warning. The value is how long it thinks about a text.
const lspVariable = "SIDEKICK_TEST_LSP"

// LSPCommand is the argv of this test binary as a language server.
func LSPCommand(thinks time.Duration) []string {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return []string{"env", lspVariable + "=" + thinks.String(), self}
}

// ServeLSP is a language server on stdin and stdout until the end of stdin, where
// the environment asks for one; it then ends the process.
func ServeLSP() {
	thinks, err := time.ParseDuration(os.Getenv(lspVariable))
	if err != nil {
		return
	}
	err = serveLSP(os.Stdin, os.Stdout, thinks)
	fmt.Fprintln(os.Stderr, err)
	os.Exit(0)
}

// AttachLSP makes a language server serve the current buffer.
func (e *Editor) AttachLSP(thinks time.Duration) {
	e.t.Helper()
	e.Lua(nil, `
		local start = vim.lsp.start_client or vim.lsp.start
		TEST_LSP = start({ name = 'test', cmd = ..., root_dir = vim.fn.getcwd() })
		vim.lsp.buf_attach_client(0, TEST_LSP)`, LSPCommand(thinks))
	Eventually(e.t, "the language server is there", func() error {
		var initialized bool
		e.Lua(&initialized, `
			local client = vim.lsp.get_client_by_id(TEST_LSP)
			return client ~= nil and client.initialized == true and vim.lsp.buf_is_attached(0, TEST_LSP)`)
		if !initialized {
			return errors.New("not yet initialized")
		}
		return nil
	})
}

type lspMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		TextDocument struct {
			URI  string `json:"uri"`
			Text string `json:"text"`
		} `json:"textDocument"`
		ContentChanges []lspChange `json:"contentChanges"`
	} `json:"params"`
}

type lspChange struct {
	Range *struct {
		Start lspPosition `json:"start"`
		End   lspPosition `json:"end"`
	} `json:"range"` // nil: all of the text
	Text string `json:"text"`
}

type lspPosition struct {
	Line      int `json:"line"`
	Character int `json:"character"` // in UTF-16; our tests' texts are ASCII
}

// apply makes the change that a client with incremental sync tells of.
func (c lspChange) apply(text string) string {
	if c.Range == nil {
		return c.Text
	}
	offset := func(p lspPosition) int {
		at := 0
		for range p.Line {
			next := strings.IndexByte(text[at:], '\n')
			if next < 0 {
				return len(text)
			}
			at += next + 1
		}
		return min(at+p.Character, len(text))
	}
	return text[:offset(c.Range.Start)] + c.Text + text[offset(c.Range.End):]
}

func serveLSP(in io.Reader, out io.Writer, thinks time.Duration) error {
	texts := map[string]string{} // by URI
	r := textproto.NewReader(bufio.NewReader(in))
	for {
		header, err := r.ReadMIMEHeader()
		if err != nil {
			return err
		}
		length, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return err
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(r.R, body); err != nil {
			return err
		}
		var m lspMessage
		if err := json.Unmarshal(body, &m); err != nil {
			return err
		}
		switch m.Method {
		case "initialize":
			err = sendLSP(out, map[string]any{"id": m.ID, "result": map[string]any{
				"capabilities": map[string]any{"textDocumentSync": map[string]any{"openClose": true, "change": 2}},
			}})
		case "shutdown":
			err = sendLSP(out, map[string]any{"id": m.ID, "result": nil})
		case "textDocument/didOpen":
			uri := m.Params.TextDocument.URI
			texts[uri] = m.Params.TextDocument.Text
			err = publishLSP(out, thinks, uri, texts[uri])
		case "textDocument/didChange":
			uri := m.Params.TextDocument.URI
			for _, change := range m.Params.ContentChanges {
				texts[uri] = change.apply(texts[uri])
			}
			err = publishLSP(out, thinks, uri, texts[uri])
		}
		if err != nil {
			return err
		}
	}
}

func publishLSP(out io.Writer, thinks time.Duration, uri, text string) error {
	time.Sleep(thinks)
	diagnostics := []map[string]any{}
	for i, line := range strings.Split(text, "\n") {
		for severity, word := range map[int]string{1: "BAD", 2: "HMM"} {
			column := strings.Index(line, word)
			if column < 0 {
				continue
			}
			diagnostics = append(diagnostics, map[string]any{
				"range": map[string]any{
					"start": map[string]any{"line": i, "character": column},
					"end":   map[string]any{"line": i, "character": column + 3},
				},
				"severity": severity, "source": "testserver", "code": "E" + strconv.Itoa(severity), "message": "this is " + word,
			})
		}
	}
	return sendLSP(out, map[string]any{
		"method": "textDocument/publishDiagnostics",
		"params": map[string]any{"uri": uri, "diagnostics": diagnostics},
	})
}

func sendLSP(out io.Writer, message map[string]any) error {
	message["jsonrpc"] = "2.0"
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}
