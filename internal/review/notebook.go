package review

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// cell is the source of one notebook cell.
type cell struct {
	source string
	kind   string // "code", "markdown", "raw"
}

// notebook is the part of an .ipynb file that a review shows.
type notebook struct {
	Cells []struct {
		ID     string          `json:"id"`
		Kind   string          `json:"cell_type"`
		Source json.RawMessage `json:"source"` // a string or a list of strings
	} `json:"cells"`
	Metadata struct {
		Language struct {
			Name string `json:"name"`
		} `json:"language_info"`
	} `json:"metadata"`
}

// language names what the code cells are written in: Python where it says
// nothing, as the client assumes.
func (n notebook) language() string {
	if name := n.Metadata.Language.Name; name != "" {
		return strings.ToLower(name)
	}
	return "python"
}

// cell finds a cell by its id, or by "cell-N", the N-th from 0, which the client
// shows for cells that have none.
func (n notebook) cell(id string) (cell, error) {
	index := -1
	for i, c := range n.Cells {
		if c.ID != "" && c.ID == id {
			index = i
			break
		}
	}
	if index < 0 {
		number, ok := strings.CutPrefix(id, "cell-")
		i, err := strconv.Atoi(number)
		if !ok || err != nil || i < 0 || i >= len(n.Cells) {
			return cell{}, fmt.Errorf("no cell %q in the notebook", id)
		}
		index = i
	}
	c := n.Cells[index]
	var whole string
	if json.Unmarshal(c.Source, &whole) == nil {
		return cell{whole, c.Kind}, nil
	}
	var parts []string
	if err := json.Unmarshal(c.Source, &parts); err != nil {
		return cell{}, fmt.Errorf("source of cell %q: %w", id, err)
	}
	return cell{strings.Join(parts, ""), c.Kind}, nil
}
