package words

import "fmt"

// CommandTouches says how a command line would touch a file: by is the
// command's own name, effect what it does ("writes", "removes", "moves",
// "replaces"), dir the folder that it covers, or "".
func CommandTouches(by, effect, dir string) string {
	switch {
	case effect == "replaces" && dir != "":
		return fmt.Sprintf("`%s` may replace it, as any file in %s", by, dir)
	case effect == "replaces":
		return fmt.Sprintf("`%s` may replace it", by)
	case dir != "":
		return fmt.Sprintf("`%s` %s it with all in %s", by, effect, dir)
	}
	return fmt.Sprintf("`%s` %s it", by, effect)
}
