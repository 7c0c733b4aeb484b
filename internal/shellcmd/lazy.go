package shellcmd

import (
	"regexp"
	"sync"
)

// lazy compiles a pattern when it is first needed. A hook runs before every
// edit, and most of them look at no command: compiling all patterns at the
// start would take longer than all the rest of the hook.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
