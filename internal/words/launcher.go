package words

import (
	"errors"
	"fmt"
	"strings"
)

// Why no Neovim can be started.
const (
	NoNvim         = "no Neovim on PATH"
	NvimIsSidekick = "every nvim on PATH is sidekick itself or a script that calls it"
	InstallNvim    = "install Neovim, or name its binary in SIDEKICK_NVIM"
)

// NvimVariableUnfit is for a $SIDEKICK_NVIM that cannot be used.
func NvimVariableUnfit(value string) string {
	return fmt.Sprintf("SIDEKICK_NVIM=%s is no Neovim that can be run; the one on PATH starts instead", value)
}

// NoSocket is for a Neovim that starts without the socket of its own.
func NoSocket(errs []error) string {
	return "this Neovim starts without its own socket: " + oneLine(errs)
}

// NoRuntime is for a Neovim that starts without the Lua runtime.
func NoRuntime(errs []error) string {
	return "this Neovim starts without sidekick's Lua part, which the first hook brings: " + oneLine(errs)
}

func oneLine(errs []error) string {
	return strings.ReplaceAll(errors.Join(errs...).Error(), "\n", "; ")
}
