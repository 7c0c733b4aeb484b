package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// completeCmd answers the functions that `sidekick init` defines in a shell.
type completeCmd struct {
	Words []string `arg:"" optional:"" help:"The command line, up to the cursor."`
}

// files is the answer by which the shell completes file names itself.
const files = ":files"

// Run prints a line for each candidate: its value, a tab, what it means.
func (c completeCmd) Run(w *world, k *kong.Kong) error {
	for _, candidate := range complete(k.Model.Node, c.Words) {
		fmt.Fprintln(w.Stdout, candidate)
	}
	return nil
}

// complete returns what may stand in place of the last of words.
func complete(node *kong.Node, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	flags := node.Flags
	var value *kong.Flag // the word is its value
	operands := 0
	for _, word := range words[:len(words)-1] {
		switch {
		case word == "=": // bash takes "--flag=value" apart
		case value != nil:
			value = nil
		case strings.HasPrefix(word, "-"):
			value = wantsValue(flags, word)
		case child(node, word) != nil:
			node = child(node, word)
			flags = append(flags, node.Flags...)
			if node.Passthrough {
				return []string{files}
			}
		default:
			operands++
		}
	}
	if last == "=" {
		last = ""
	}
	name, typed, assigned := strings.Cut(last, "=")
	switch {
	case value != nil:
		return values(value.Value, "", last)
	case assigned && strings.HasPrefix(name, "-"):
		if flag := wantsValue(flags, name); flag != nil {
			return values(flag.Value, name+"=", typed)
		}
		return nil
	case strings.HasPrefix(last, "-"):
		return flagNames(flags, last)
	}
	var found []string
	for _, c := range node.Children {
		if !c.Hidden && strings.HasPrefix(c.Name, last) {
			found = append(found, c.Name+"\t"+c.Help)
		}
	}
	if operands < len(node.Positional) {
		found = append(found, values(node.Positional[operands], "", last)...)
	}
	return found
}

func child(node *kong.Node, word string) *kong.Node {
	for _, c := range node.Children {
		if c.Name == word {
			return c
		}
		for _, alias := range c.Aliases {
			if alias == word {
				return c
			}
		}
	}
	return nil
}

// wantsValue returns the flag that word names, where its value is still to come.
func wantsValue(flags []*kong.Flag, word string) *kong.Flag {
	for _, flag := range flags {
		if word == "--"+flag.Name || flag.Short != 0 && word == "-"+string(flag.Short) {
			if flag.IsBool() || flag.IsCounter() {
				return nil
			}
			return flag
		}
	}
	return nil
}

func flagNames(flags []*kong.Flag, prefix string) []string {
	var found []string
	for _, flag := range flags {
		if name := "--" + flag.Name; !flag.Hidden && strings.HasPrefix(name, prefix) {
			found = append(found, name+"\t"+flag.Help)
		}
	}
	return found
}

// values lists what a flag or an operand may be.
func values(value *kong.Value, before, typed string) []string {
	if value.Tag != nil && value.Tag.Get("predict") == "file" {
		if before != "" {
			return nil // the shell would not find a file of that name
		}
		return []string{files}
	}
	var found []string
	for _, choice := range value.EnumSlice() {
		if choice != "" && strings.HasPrefix(choice, typed) {
			found = append(found, before+choice+"\t"+value.Help)
		}
	}
	return found
}
