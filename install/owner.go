package install

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sidekick/internal/claude"
)

// program is the name under which sidekick is known, ours and the one written
// in Rust.
const program = "sidekick"

// isOurs tells an entry of ours, for whatever path and by whatever version, by
// the one thing that the client keeps when it rewrites the file: the command
// and its arguments. binary is the path of the running one, which may have
// another name.
func isOurs(binary string) func(claude.Handler) bool {
	return func(h claude.Handler) bool {
		if h.Type != "command" || !slices.Equal(h.Args, []string{"hook"}) {
			return false
		}
		name := path.Base(h.Command)
		return name == program || name == path.Base(binary)
	}
}

// shellLine is one plain command `PATH hook`, with whatever plain words behind
// it: no list, pipe or redirection, of which we would take away a part that is
// somebody else's.
var shellLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^\\s*((?:\"[^\"`]*\"|'[^']*'|\\\\.|[^\\s\"'`;&|<>()\\\\])+)" +
		"\\s+hook(?:\\s[^;&|<>()`]*)?$")
})

// isShellForm tells an entry of the sidekick written in Rust: `sidekick hook`
// as a shell line, with any path.
func isShellForm(h claude.Handler) bool {
	if h.Type != "command" || h.Args != nil {
		return false
	}
	m := shellLine().FindStringSubmatch(h.Command)
	return m != nil && path.Base(strings.NewReplacer(`"`, "", "'", "", `\`, "").Replace(m[1])) == program
}
