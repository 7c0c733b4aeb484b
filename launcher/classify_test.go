package launcher

import (
	"strings"
	"testing"
)

func TestClassify(t *testing.T) {
	tests := []struct {
		args string // separated by spaces
		want call
	}{
		{"", call{}},
		{"file", call{}},
		{"-", call{}},
		{"-- --help", call{}},
		{"-- -es", call{}},
		{"+q", call{}},
		{"+ -d a b", call{}},
		{"-R file", call{}},
		{"-e file", call{}},
		{"-E file", call{}},
		{"-s keys file", call{}},
		{"-c --version", call{}},
		{"-cq -h", call{kind: tool}},
		{"-S --help", call{kind: tool}},
		{"-S -h", call{kind: tool}},
		{"-S session -R", call{}},
		{"-u -h", call{}},
		{"-i --help x", call{}},
		{"-t -v", call{}},
		{"-tmain -v", call{kind: tool}},
		{"-V9log file", call{}},
		{"-V9-vh", call{}},
		{"-w -v", call{}},
		{"-w20 -v", call{kind: tool}},
		{"-p2 a b", call{}},
		{"-O2d a b", call{}},
		{"--headless +qa", call{}},
		{"--embed", call{}},
		{"--clean -u NONE", call{}},
		{"--listen --help", call{}},
		{"--startuptime -v x", call{}},
		{"--cmd --help --cmd set\tnu f", call{preCommands: 2}},
		{"--cmd", call{}},
		{"--noplugin", call{}},
		{"--server addr", call{server: "addr"}},
		{"--help", call{kind: tool}},
		{"--HELP", call{kind: tool}},
		{"file --version", call{kind: tool}},
		{"-h", call{kind: tool}},
		{"-?", call{kind: tool}},
		{"-Rv", call{kind: tool}},
		{"--api-info", call{kind: tool}},
		{"-l script.lua -x", call{kind: tool}},
		{"-ll script.lua", call{kind: tool}},
		{"-LL script.lua", call{kind: tool}},
		{"-es", call{kind: tool}},
		{"-Es", call{kind: tool}},
		{"-e -s", call{kind: tool}},
		{"-e -", call{kind: tool}},
		{"-u NONE -es -S x.vim", call{kind: tool}},
		{"--server a --remote-expr 1+1", call{kind: tool}},
		{"--server a --remote-send x", call{kind: tool}},
		{"--server a --remote-ui", call{kind: tool}},
		{"--remote-expr 1 --server a", call{kind: tool}},
		{"--server a --remote f g", call{kind: remote, server: "a"}},
		{"--remote-tab-silent f --server a", call{kind: remote, server: "a"}},
		{"--remote f", call{kind: remote}},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			var args []string
			if tt.args != "" {
				args = strings.Split(tt.args, " ")
			}
			if got := classify(args); got != tt.want {
				t.Errorf("classify(%q) = %+v, want %+v", args, got, tt.want)
			}
		})
	}
}
