package doctor

import (
	"path/filepath"
	"strings"

	"sidekick/internal/words"
)

// peer is another program around Neovim and agents.
type peer struct {
	folder string // of the plugin
	does   string // what it does to our protection
}

// peers that were found to undo it.
var peers = []peer{
	{"claude-follow-hook.nvim", words.PeerEdits},
	{"nvim-claude", words.PeerEdits},
	{"cc-watcher.nvim", words.PeerEdits},
	{"agentic.nvim", words.PeerReloads},
	{"code-preview.nvim", words.PeerAsks},
	{"claude-preview.nvim", words.PeerAsks},
	{"claude-code.nvim", words.PeerChecks},
}

// peerRows name those that are installed as plugins or registered as hooks.
func (s settings) peerRows() []Row {
	var rows []Row
	name := s.Getenv("NVIM_APPNAME")
	if name == "" {
		name = "nvim"
	}
	data := filepath.Join(s.DataHome, name)
	for _, p := range peers {
		where := s.hookOf(strings.TrimSuffix(p.folder, ".nvim"))
		for _, pattern := range []string{"lazy/" + p.folder, "site/pack/*/*/" + p.folder, "plugged/" + p.folder} {
			if found, _ := filepath.Glob(filepath.Join(data, pattern)); len(found) > 0 && where == "" && s.DataHome != "" {
				where = found[0]
			}
		}
		if where != "" {
			rows = append(rows, Row{words.CheckPeers, Note, words.PeerFound(p.folder, where, p.does), words.PeerChoose, nil})
		}
	}
	if len(rows) == 0 {
		rows = append(rows, Row{words.CheckPeers, OK, words.NoPeers, "", nil})
	}
	return rows
}

// hookOf returns the settings file with a hook whose command has that name.
func (s settings) hookOf(name string) string {
	for _, src := range s.sources {
		for _, e := range src.all {
			if strings.Contains(e.Command+" "+strings.Join(e.Args, " "), name) {
				return src.file
			}
		}
	}
	return ""
}
