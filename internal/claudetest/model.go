package claudetest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Block is one thing that the model says: text, or the use of a tool.
type Block struct {
	Type  string         `json:"type"` // "text", "tool_use"
	Text  string         `json:"text,omitempty"`
	ID    string         `json:"id,omitempty"`
	Name  string         `json:"name,omitempty"`
	Input map[string]any `json:"input,omitempty"`
}

// Text is something that the model says to the person.
func Text(text string) Block { return Block{Type: "text", Text: text} }

// Tool is the use of any tool of the client.
func Tool(name string, input map[string]any) Block {
	return Block{Type: "tool_use", Name: name, Input: input}
}

// Read is the use of the tool that the client wants to see before an edit.
func Read(path string) Block {
	return Tool("Read", map[string]any{"file_path": path})
}

// Edit replaces the only occurrence of old.
func Edit(path, old, text string) Block {
	return Tool("Edit", map[string]any{"file_path": path, "old_string": old, "new_string": text})
}

// Write makes a file or replaces it.
func Write(path, content string) Block {
	return Tool("Write", map[string]any{"file_path": path, "content": content})
}

// Bash runs a command in the session's shell.
func Bash(command string) Block {
	return Tool("Bash", map[string]any{"command": command, "description": "Run a command"})
}

// asked is one request of the client's main conversation, waiting to be answered.
type asked struct {
	request request
	answer  chan []Block
}

// request is the part of a Messages API request that we read.
type request struct {
	Model  string `json:"model"`
	Stream bool   `json:"stream"`
	Tools  []struct {
		Name string `json:"name"`
	} `json:"tools"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
}

// isMain tells the conversation from side requests, such as the one that names
// the session: only the conversation is offered the editing tools.
func (r *request) isMain() bool {
	for _, tool := range r.Tools {
		if tool.Name == "Edit" {
			return true
		}
	}
	return false
}

// serve runs a Messages API on the loopback. Each request of the conversation
// goes to asks, and is answered when the test answers it.
func serve(t testing.TB, asks chan<- asked) (url string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req request
		body, err := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || r.URL.Path != "/v1/messages" {
			w.WriteHeader(http.StatusOK) // the client looks whether we are there
			return
		}
		if err == nil {
			err = json.Unmarshal(body, &req)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if !req.isMain() {
			reply(w, &req, []Block{Text(`{"title": "Scripted"}`)})
			return
		}
		ask := asked{request: req, answer: make(chan []Block)}
		select {
		case asks <- ask:
		case <-r.Context().Done():
			return
		}
		select {
		case blocks := <-ask.answer:
			reply(w, &req, blocks)
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

// Heard is what the model was told since it last spoke.
type Heard struct {
	Results []Result // one for each tool that it used
	Texts   []string // prompts, system reminders
}

// Result is what a tool answered.
type Result struct {
	Text    string
	IsError bool
}

// heard reads the blocks after the model's last message.
func (r *request) heard() Heard {
	var h Heard
	from := 0
	for i, message := range r.Messages {
		if message.Role == "assistant" {
			from = i + 1
		}
	}
	for _, message := range r.Messages[from:] {
		var blocks []struct {
			Type    string          `json:"type"`
			Text    string          `json:"text"`
			Content json.RawMessage `json:"content"`
			IsError bool            `json:"is_error"`
		}
		if json.Unmarshal(message.Content, &blocks) != nil {
			h.Texts = append(h.Texts, plain(message.Content))
			continue
		}
		for _, block := range blocks {
			if block.Type == "tool_result" {
				h.Results = append(h.Results, Result{Text: plain(block.Content), IsError: block.IsError})
			} else {
				h.Texts = append(h.Texts, block.Text)
			}
		}
	}
	return h
}

// plain is the text of content, which is a string or a list of text blocks.
func plain(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var blocks []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &blocks) != nil {
		return string(content)
	}
	var all []string
	for _, block := range blocks {
		all = append(all, block.Text)
	}
	return strings.Join(all, "\n")
}
