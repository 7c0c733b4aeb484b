package launcher

import "strings"

// kind is what a call of Neovim is for.
type kind int

const (
	// editor opens an editor, for a person or a GUI: it gets socket and runtime.
	editor kind = iota
	// tool prints something, runs a script or speaks to another Neovim, and ends.
	tool
	// remote hands files to another Neovim, and becomes an editor where that one
	// does not listen ("Editing locally").
	remote
)

// call is what Neovim's arguments say that matters here.
type call struct {
	kind        kind
	server      string // value of --server
	preCommands int    // how many --cmd there are
}

// classify reads Neovim's arguments the way Neovim does: what follows "--" is a
// file, a value is no option whatever it looks like, one dash can carry several
// letters, and the names of long options come in any case.
func classify(args []string) call {
	var c call
	if len(args) > 0 && strings.EqualFold(args[0], "-ll") {
		return call{kind: tool}
	}
	exMode := false
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			break
		}
		var o option
		switch {
		case strings.HasPrefix(arg, "--"):
			o = longOption(strings.ToLower(arg[2:]))
		case strings.HasPrefix(arg, "-"):
			o = letters(arg[1:], &exMode)
		}
		if o.kind == tool {
			return call{kind: tool}
		}
		if o.kind == remote {
			c.kind = remote
		}
		hasValue := o.value == always || o.value == unlessOption && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-")
		if !hasValue || i+1 >= len(args) {
			continue
		}
		i++
		switch arg {
		case "--cmd":
			c.preCommands++
		case "--server":
			c.server = args[i]
		}
	}
	return c
}

// option is what one argument with a dash means.
type option struct {
	kind  kind
	value value
}

// value says whether the next argument belongs to the option.
type value int

const (
	never value = iota
	always
	unlessOption // -S: its file may be left out
)

func longOption(name string) option {
	switch name {
	case "help", "version", "api-info":
		return option{kind: tool}
	}
	for _, prefix := range []string{"cmd", "listen", "server", "startuptime"} {
		if strings.HasPrefix(name, prefix) {
			return option{value: always}
		}
	}
	if sub, ok := strings.CutPrefix(name, "remote"); ok {
		if strings.HasPrefix(sub, "-expr") || strings.HasPrefix(sub, "-send") || strings.HasPrefix(sub, "-ui") {
			return option{kind: tool}
		}
		return option{kind: remote}
	}
	return option{}
}

// letters reads what follows one dash. exMode remembers an -e or -E, which makes
// a later -s or - mean "silent": a batch job.
func letters(text string, exMode *bool) option {
	if text == "" && *exMode {
		return option{kind: tool}
	}
	for i := 0; i < len(text); i++ {
		last := i+1 == len(text)
		switch text[i] {
		case '?', 'h', 'v', 'l':
			return option{kind: tool}
		case 'e', 'E':
			*exMode = true
		case 's':
			if *exMode {
				return option{kind: tool}
			}
			return option{value: always}
		case 'S':
			return option{value: unlessOption}
		case 'i', 'u', 'U', 'W':
			return option{value: always}
		case 'c', 'q', 't': // -cquit and -c quit
			if last {
				return option{value: always}
			}
			return option{}
		case 'V': // -V9file
			return option{}
		case 'w': // -w20 is a number, -w file and -w 20 are not in one piece
			if last {
				return option{value: always}
			}
		}
	}
	return option{}
}
