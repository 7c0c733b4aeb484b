package nvimtest

import (
	"bufio"
	"encoding/json"
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
		local id = start({ name = 'test', cmd = ..., root_dir = vim.fn.getcwd() })
		vim.lsp.buf_attach_client(0, id)`, LSPCommand(thinks))
}

type lspMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		TextDocument struct {
			URI  string `json:"uri"`
			Text string `json:"text"`
		} `json:"textDocument"`
		ContentChanges []struct {
			Text string `json:"text"`
		} `json:"contentChanges"`
	} `json:"params"`
}

func serveLSP(in io.Reader, out io.Writer, thinks time.Duration) error {
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
				"capabilities": map[string]any{"textDocumentSync": map[string]any{"openClose": true, "change": 1}},
			}})
		case "shutdown":
			err = sendLSP(out, map[string]any{"id": m.ID, "result": nil})
		case "textDocument/didOpen":
			err = publishLSP(out, thinks, m.Params.TextDocument.URI, m.Params.TextDocument.Text)
		case "textDocument/didChange":
			changes := m.Params.ContentChanges
			err = publishLSP(out, thinks, m.Params.TextDocument.URI, changes[len(changes)-1].Text)
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
