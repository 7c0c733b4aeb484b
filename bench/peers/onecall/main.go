// Onecall is the least that asking one Neovim takes in Go: dial the socket that
// is named on the command line, one call, exit.
package main

import (
	"fmt"
	"os"

	"github.com/neovim/go-client/nvim"
)

func main() {
	client, err := nvim.Dial(os.Args[1], nvim.DialLogf(func(string, ...any) {}))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var modified bool
	err = client.ExecLua(`return vim.api.nvim_buf_get_option(0, 'modified')`, &modified)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(modified)
}
