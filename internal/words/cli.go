package words

// SeeHelp is the hint for a command line that sidekick does not know.
const SeeHelp = "sidekick --help lists the commands and flags"

// InitHeader stands above what a shell evaluates.
func InitHeader(shell string) string {
	return "sidekick for " + shell + ": the alias nvim, and completion. Printed by sidekick init; nothing else is changed."
}
