package review

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"sidekick/internal/claude"
)

// Proposal is what an agent wants to write: the text before and after.
type Proposal struct {
	Tool   string
	Path   string // absolute; of the notebook for a cell
	Cell   string // the notebook cell's id, "" for the whole file or a first cell
	Change Change
	Before string // line feeds only, no byte order mark
	After  string
	DOS    bool   // the file has CR LF
	Syntax string // filetype of a notebook's cell, "" = by the file's name

	base  []byte // the file as it was read
	input map[string]json.RawMessage
	exact bool // the client's own result is certain to be After
}

// Change says what kind of change a proposal is.
type Change string

// Kinds of change.
const (
	Modify     Change = "modify"
	Create     Change = "create" // the file does not exist yet
	InsertCell Change = "insert cell"
	DeleteCell Change = "delete cell"
)

// ErrNotText means that the file cannot be shown as UTF-8 text.
var ErrNotText = errors.New("not UTF-8 text")

// Propose computes what a file tool's call would make of its file.
func Propose(p claude.Payload) (Proposal, error) {
	path := p.FilePath()
	if path == "" {
		return Proposal{}, fmt.Errorf("%s names no file", p.Tool)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.Cwd, path)
	}
	out := Proposal{Tool: p.Tool, Path: path, Change: Modify, exact: true}
	if err := json.Unmarshal(p.Input, &out.input); err != nil {
		return Proposal{}, fmt.Errorf("input of %s: %w", p.Tool, err)
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		out.Change, err = Create, nil
	}
	if err != nil {
		return Proposal{}, fmt.Errorf("read the file to review: %w", err)
	}
	if !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0 {
		return Proposal{}, fmt.Errorf("%s: %w", path, ErrNotText)
	}
	out.base = raw
	out.Before, out.DOS = unixText(raw)
	if p.Tool == claude.NotebookEdit {
		err = out.proposeCell(p.Input)
	} else {
		err = out.proposeText(p.Input)
	}
	if err != nil {
		return Proposal{}, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// proposeText fills in After for the tools that change the file's text.
func (p *Proposal) proposeText(input json.RawMessage) error {
	var in struct {
		replacement
		Content string        `json:"content"`
		Edits   []replacement `json:"edits"`
	}
	if err := json.Unmarshal(input, &in); err != nil {
		return err
	}
	switch p.Tool {
	case claude.Write:
		p.After = in.Content
		return nil
	case claude.Edit:
		in.Edits = []replacement{in.replacement}
	}
	p.After = p.Before
	for _, r := range in.Edits {
		after, exact, err := r.apply(p.After)
		if err != nil {
			return err
		}
		p.After = after
		p.exact = p.exact && exact
	}
	return nil
}

// proposeCell narrows the proposal to the source of one notebook cell.
func (p *Proposal) proposeCell(input json.RawMessage) error {
	var in struct {
		Cell   string `json:"cell_id"`
		Source string `json:"new_source"`
		Kind   string `json:"cell_type"`
		Mode   string `json:"edit_mode"`
	}
	if err := json.Unmarshal(input, &in); err != nil {
		return err
	}
	var book notebook
	if err := json.Unmarshal(bytes.TrimPrefix(p.base, []byte(bom)), &book); err != nil {
		return fmt.Errorf("read the notebook: %w", err)
	}
	var old cell
	if in.Mode == "insert" {
		p.Change = InsertCell
	} else {
		var err error
		if old, err = book.cell(in.Cell); err != nil {
			return err
		}
	}
	if in.Mode == "delete" {
		p.Change = DeleteCell
	}
	kind := in.Kind
	if kind == "" {
		kind = old.kind
	}
	p.Syntax = book.language()
	if kind == "markdown" {
		p.Syntax = "markdown"
	}
	p.Cell, p.Before, p.After, p.DOS = in.Cell, old.source, in.Source, false
	return nil
}

// Stale reports whether the file is another one now than the proposal was made
// for. A file that was only touched is not.
func (p Proposal) Stale() bool {
	raw, err := os.ReadFile(p.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return p.Change != Create
	}
	return err != nil || p.Change == Create || !bytes.Equal(raw, p.base)
}

// Done reports whether the file holds the proposed text: somebody accepted it
// in another place.
func (p Proposal) Done() bool {
	if p.Tool == claude.NotebookEdit || p.After == p.Before {
		return false
	}
	raw, err := os.ReadFile(p.Path)
	if err != nil {
		return false
	}
	text, _ := unixText(raw)
	return text == p.After
}

// Input is the tool's input for a person's final text: nil where the input as
// it stands gives exactly that.
func (p Proposal) Input(final string) (json.RawMessage, error) {
	if final == p.After && p.exact {
		return nil, nil
	}
	fields := map[string]any{}
	switch p.Tool {
	case claude.Write:
		fields["content"] = final
	case claude.Edit:
		r := hunk(p.Before, final)
		fields["old_string"], fields["new_string"], fields["replace_all"] = r.Old, r.New, false
	case claude.MultiEdit:
		fields["edits"] = []replacement{hunk(p.Before, final)}
	case claude.NotebookEdit:
		fields["new_source"] = final
		if p.Change == DeleteCell {
			fields["edit_mode"] = "replace" // the person kept something of the cell
		}
	default:
		return nil, fmt.Errorf("no way to change the input of %s", p.Tool)
	}
	input := map[string]any{}
	for name, value := range p.input {
		input[name] = value
	}
	for name, value := range fields {
		input[name] = value
	}
	return json.Marshal(input)
}
