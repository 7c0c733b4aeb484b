package words

// SeeHelp is the hint for a command line that sidekick does not know.
const SeeHelp = "sidekick --help lists the commands and flags"

// InitHeader stands above what a shell evaluates.
func InitHeader(shell string, alias, completion bool) string {
	what := "the alias nvim, and completion"
	switch {
	case !alias:
		what = "completion"
	case !completion:
		what = "the alias nvim"
	}
	return "sidekick for " + shell + ": " + what + ". Printed by sidekick init; nothing else is changed."
}

// NoCompletion is for a shell for which there is an alias only.
func NoCompletion(shell string) string { return "there is no completion for " + shell }
