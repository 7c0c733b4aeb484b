// Package config reads the user's choices: config.toml, and an environment
// variable for every key, which wins.
package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// Rules of the guard.
const (
	Unsaved = "unsaved" // deny while any buffer of the file has unsaved changes
	Visible = "visible" // deny also while the file is shown in a window
	Current = "current" // deny only while it is unsaved and the current buffer
)

// MaxWait bounds wait: the client ends a hook at its registered timeout.
const MaxWait = 10 * time.Minute

// Config is every option, with its default where the user said nothing.
type Config struct {
	Guard   string
	Wait    time.Duration // how long a denied edit waits for the person to save
	Context Context
}

// Context switches what the agent is told beside its tools' results.
type Context struct {
	Selection   bool
	Unsaved     bool
	StaleReads  bool
	Diagnostics bool
	GitIgnored  bool // also from files that git ignores
}

// Default is the configuration of a user who has no file.
func Default() Config {
	return Config{Guard: Unsaved, Context: Context{Selection: true, Unsaved: true, StaleReads: true, Diagnostics: true, GitIgnored: true}}
}

// key is one option: its name in the file, and how a text sets it. The
// environment's name is SIDEKICK_ and the key in capitals, dots as underscores.
type key struct {
	name string
	set  func(*Config, string) error
}

var keys = []key{
	{"guard", func(c *Config, v string) error {
		switch v {
		case Unsaved, Visible, Current:
			c.Guard = v
			return nil
		}
		return errors.New(`use "unsaved", "visible" or "current"`)
	}},
	{"wait", func(c *Config, v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d < 0 || d > MaxWait {
			return fmt.Errorf(`use a duration from "0s" to %q`, "10m")
		}
		c.Wait = d
		return nil
	}},
	{"context.selection", toggle(func(c *Config) *bool { return &c.Context.Selection })},
	{"context.unsaved", toggle(func(c *Config) *bool { return &c.Context.Unsaved })},
	{"context.stale_reads", toggle(func(c *Config) *bool { return &c.Context.StaleReads })},
	{"context.diagnostics", toggle(func(c *Config) *bool { return &c.Context.Diagnostics })},
	{"context.git_ignored", toggle(func(c *Config) *bool { return &c.Context.GitIgnored })},
}

func toggle(field func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, v string) error {
		on, err := strconv.ParseBool(v)
		if err != nil {
			return errors.New("use true or false")
		}
		*field(c) = on
		return nil
	}
}

// EnvName returns the environment variable of a key: "context.selection" ->
// "SIDEKICK_CONTEXT_SELECTION".
func EnvName(key string) string {
	return "SIDEKICK_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// Load reads the file at path, then the environment. A key that is unknown or
// has a bad value keeps its default and is one of the problems, which name the
// file or variable, the key and what to write. A missing file is no problem, nor
// is no path ("").
func Load(path string, getenv func(string) string) (Config, []error) {
	c := Default()
	problems := c.readFile(path)
	for _, k := range keys {
		if v := getenv(EnvName(k.name)); v != "" {
			if err := k.set(&c, v); err != nil {
				problems = append(problems, fmt.Errorf("%s=%q: %w", EnvName(k.name), v, err))
			}
		}
	}
	return c, problems
}

// longest is how long a file of options may be, in bytes.
const longest = 1 << 20

// readRegular reads a file, and not a pipe, a device or a very long file: the
// hook, and so the agent, would wait for it.
func readRegular(path string) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a regular file", path)
	case info.Size() > longest:
		return nil, fmt.Errorf("%s: longer than 1 MB", path)
	}
	return io.ReadAll(io.LimitReader(file, longest))
}

func (c *Config) readFile(path string) (problems []error) {
	text, err := readRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return []error{err}
	}
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		return []error{fmt.Errorf("%s: %w", path, err)}
	}
	values := map[string]any{}
	flatten("", tree, values)
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if err := c.set(name, values[name]); err != nil {
			problems = append(problems, fmt.Errorf("%s: %s: %w", path, name, err))
		}
	}
	return problems
}

func (c *Config) set(name string, value any) error {
	for _, k := range keys {
		if k.name != name {
			continue
		}
		if err := k.set(c, fmt.Sprint(value)); err != nil {
			return fmt.Errorf("%v is not a value: %w", value, err)
		}
		return nil
	}
	return fmt.Errorf("unknown key; the keys are %s", strings.Join(Keys(), ", "))
}

// Keys lists the names of all options.
func Keys() []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

func flatten(prefix string, tree map[string]any, into map[string]any) {
	for name, value := range tree {
		if table, ok := value.(map[string]any); ok {
			flatten(prefix+name+".", table, into)
			continue
		}
		into[prefix+name] = value
	}
}
