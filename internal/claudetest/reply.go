package claudetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
)

// Identifiers of messages and tool uses are unique per test binary.
var lastID atomic.Int64

type object = map[string]any

// reply answers a Messages API request with blocks, as a stream of server-sent
// events or at once, as the client asked.
func reply(w http.ResponseWriter, req *request, blocks []Block) {
	stop := "end_turn"
	for i := range blocks {
		if blocks[i].Type == "tool_use" {
			stop = "tool_use"
			blocks[i].ID = fmt.Sprintf("toolu_%04d", lastID.Add(1))
		}
	}
	message := object{
		"id": fmt.Sprintf("msg_%04d", lastID.Add(1)), "type": "message", "role": "assistant",
		"model": req.Model, "content": blocks, "stop_reason": stop, "stop_sequence": nil,
		"usage": object{"input_tokens": 1, "output_tokens": 1},
	}
	if !req.Stream {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	message["content"], message["stop_reason"] = []Block{}, nil
	event(w, "message_start", object{"message": message})
	for i, block := range blocks {
		start, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": block.Text}
		if block.Type == "tool_use" {
			input, _ := json.Marshal(block.Input)
			start = object{"type": "tool_use", "id": block.ID, "name": block.Name, "input": object{}}
			delta = object{"type": "input_json_delta", "partial_json": string(input)}
		}
		event(w, "content_block_start", object{"index": i, "content_block": start})
		event(w, "content_block_delta", object{"index": i, "delta": delta})
		event(w, "content_block_stop", object{"index": i})
	}
	event(w, "message_delta", object{
		"delta": object{"stop_reason": stop, "stop_sequence": nil},
		"usage": object{"output_tokens": 1},
	})
	event(w, "message_stop", object{})
}

func event(w http.ResponseWriter, name string, data object) {
	data["type"] = name
	encoded, _ := json.Marshal(data)
	fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, encoded)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
