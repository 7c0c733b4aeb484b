package words

// SeeHelp is the hint for a command line that sidekick does not know.
const SeeHelp = "sidekick --help lists the commands and flags"
