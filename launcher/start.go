package launcher

import (
	"path/filepath"
	"strings"
)

// mark ends the command that sidekick hands to Neovim. It is a comment to
// Neovim, and shows a second sidekick in the chain that there was a first.
const mark = `|"sidekick`

// loadChunk runs start.lua. A file that does not load is removed, so that the
// next start writes it anew.
const loadChunk = `(function(a) local f = loadfile(a[1]) if f then pcall(f, a[2]) else os.remove(a[1]) end end)(_A)`

// startCommand is the Ex command that makes Neovim listen on socket and load the
// runtime that lies in folder, in version. Both are left out where they are "".
//
// It is a --cmd, which Neovim runs before any configuration, also with --clean
// and -u NONE. --listen would not do: depending on the version it silently
// listens elsewhere, deletes a file or ends Neovim where the path is taken, and
// takes the place of the person's own --listen. Lua's pcall
// keeps errors from the screen and from v:errmsg; neither :try nor :silent! does.
func startCommand(socket, folder, version string) string {
	var parts []string
	if socket != "" {
		parts = append(parts, "call luaeval('pcall(vim.fn.serverstart,_A)',"+quote(socket)+")")
	}
	if folder != "" {
		start := filepath.Join(folder, "_sidekick", "start.lua")
		parts = append(parts, "call luaeval('"+loadChunk+"',["+quote(start)+","+quote(version)+"])")
	}
	if len(parts) == 0 {
		return ""
	}
	parts = append(parts, "unlet! $"+triedVar)
	return strings.Join(parts, "|") + mark
}

// quote makes a string of Vim script.
func quote(s string) string {
	s = "'" + strings.ReplaceAll(s, "'", "''") + "'"
	return strings.ReplaceAll(s, "\n", `'."\n".'`)
}

// maxPreCommands is how many --cmd Neovim takes before it gives up.
const maxPreCommands = 10

// insert puts our command before the person's arguments.
func insert(command string, args []string, preCommands int) []string {
	if preCommands < maxPreCommands {
		return append([]string{"--cmd", command}, args...)
	}
	// All places are taken, so the first of them gets ours in front of it.
	out := append([]string(nil), args...)
	for i, arg := range out {
		if arg == "--cmd" {
			// Not behind the mark: to older versions the comment goes on.
			out[i+1] = strings.TrimSuffix(command, mark) + "\n" + out[i+1]
			return out
		}
	}
	return out
}

// strip takes away what another sidekick in the chain inserted: its socket has
// that one's name.
func strip(args []string) (rest []string, found bool) {
	if len(args) >= 2 && args[0] == "--cmd" && strings.HasSuffix(args[1], mark) {
		return args[2:], true
	}
	return args, false
}
