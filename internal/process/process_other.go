//go:build !linux

package process

import "errors"

func editors(string) []*Editor { return nil }

// Links returns nothing: this system does not tell.
func (e *Editor) Links() []string { return nil }

// CommandLine returns nothing: this system does not tell.
func (e *Editor) CommandLine() string { return "" }

// Dir returns an error: this system does not tell.
func (e *Editor) Dir() (string, error) { return "", errors.ErrUnsupported }

// Stopped reports false: this system does not tell.
func (e *Editor) Stopped() bool { return false }
