package main

import (
	"errors"
	"fmt"

	"sidekick/internal/words"
)

type initCmd struct {
	Shell   string `arg:"" enum:"bash,zsh,fish,nu" help:"bash, zsh, fish or nu."`
	NoAlias bool   `help:"Only the completion, for a package's folder of completions."`
}

// Help is shown below the flags.
func (initCmd) Help() string {
	return "Prints what your shell should evaluate: the alias nvim='sidekick nvim', and completion for sidekick (not in nu). It changes no file.\n\n" +
		"In ~/.bashrc or ~/.zshrc (with zsh for bash):\n\n" +
		"    eval \"$(sidekick init bash)\"\n\n" +
		"In ~/.config/fish/config.fish:\n\n" +
		"    sidekick init fish | source\n\n" +
		"In nu, once, and then source the file in config.nu:\n\n" +
		"    sidekick init nu | save -f ~/.cache/sidekick.nu\n\n" +
		"Example: eval \"$(sidekick init bash)\""
}

// Run prints the shell's part.
func (c initCmd) Run(w *world) error {
	script := initScripts[c.Shell]
	text := "# " + words.InitHeader(c.Shell, !c.NoAlias, script.completion != "") + "\n"
	switch {
	case !c.NoAlias:
		text += script.alias
	case script.completion == "":
		return usageError{words.WithHint(errors.New(words.NoCompletion(c.Shell)), words.SeeHelp)}
	case c.Shell == "zsh": // it finds a function by its file, which begins so
		text = "#compdef sidekick\n" + text
	}
	text += script.completion
	if c.NoAlias && c.Shell == "zsh" {
		text += zshAutoload
	}
	_, err := fmt.Fprint(w.Stdout, text)
	return err
}

// zshAutoload runs the function that its file has just defined.
const zshAutoload = `if [[ $funcstack[1] == _sidekick ]]; then
  _sidekick "$@"
fi
`

// initScripts define the alias, and a function that asks sidekick itself what
// fits: a newer sidekick needs no new script.
var initScripts = map[string]struct{ alias, completion string }{
	"bash": {"alias nvim='sidekick nvim'\n", `_sidekick() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = :files ]; then
      compopt -o default
      return
    fi
    COMPREPLY+=("${line%%$'\t'*}")
  done < <("$1" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _sidekick sidekick
`},
	"zsh": {"alias nvim='sidekick nvim'\n", `_sidekick() {
  local line
  local -a candidates
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      _files
      return
    fi
    candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done < <("$words[1]" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe -V sidekick candidates
}
if (( $+functions[compdef] )); then
  compdef _sidekick sidekick
fi
`},
	"fish": {"alias nvim 'sidekick nvim'\n", `function __sidekick_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l candidates (sidekick complete -- $words[2..-1] 2>/dev/null)
    if test "$candidates[1]" = :files
        __fish_complete_path (commandline -ct)
    else
        printf '%s\n' $candidates
    end
end
complete -c sidekick -f -a '(__sidekick_complete)'
`},
	"nu": {"alias nvim = sidekick nvim\n", ""},
}
