package install

import (
	"bytes"
	"encoding/json"
)

// PluginHooks returns hooks/hooks.json of the Claude Code plugin: the same
// table, for the sidekick on PATH. It brings no binary of its own.
func PluginHooks() ([]byte, error) {
	type handler struct {
		Type    string   `json:"type"`
		Command string   `json:"command"`
		Args    []string `json:"args"`
		Timeout int      `json:"timeout"`
	}
	type group struct {
		Matcher string    `json:"matcher,omitempty"`
		Hooks   []handler `json:"hooks"`
	}
	hooks := map[string][]group{}
	for _, r := range Registrations {
		hooks[r.Event] = append(hooks[r.Event], group{r.Matcher, []handler{{"command", program, []string{"hook"}, r.Timeout}}})
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(map[string]any{"hooks": hooks})
	return out.Bytes(), err
}
