package hook

import (
	"cmp"
	"context"
	"slices"
	"time"

	"sidekick/internal/contextnote"
	"sidekick/internal/nvim"
)

// errorsLimit is how long language servers may take to speak about a change.
const errorsLimit = time.Second

// fileErrors are the new errors in one file.
type fileErrors struct {
	file   string // the buffer's name
	errors []contextnote.Error
}

// reloadedBuffer is a buffer that has just been brought in line with its file.
type reloadedBuffer struct {
	number int
	name   string
}

// newErrors runs reload in one Neovim, and waits a short time for what its
// language servers find new in the buffers that reload returns. It waits for
// nothing where the user does not want it or no server serves the buffers.
func (e *event) newErrors(ctx context.Context, c *nvim.Client, reload func() ([]reloadedBuffer, error)) ([]fileErrors, error) {
	if !e.config.Context.Diagnostics {
		_, err := reload()
		return nil, err
	}
	before, served, beforeErr := c.Errors()
	buffers, err := reload()
	if err != nil || !served || beforeErr != nil || len(buffers) == 0 {
		return nil, err
	}
	var numbers []int
	for _, b := range buffers {
		numbers = append(numbers, b.number)
	}
	after, err := c.AwaitErrors(numbers, errorsLimit)
	if err != nil {
		return nil, nil //nolint:nilerr // the reload went well, which is what counts
	}
	var found []fileErrors
	for _, b := range buffers {
		fresh := contextnote.NewErrors(errorsOf(before, b.number), errorsOf(after, b.number))
		if len(fresh) > 0 && e.withheld(ctx, b.name) == "" {
			found = append(found, fileErrors{b.name, fresh})
		}
	}
	return found, nil
}

func errorsOf(all []nvim.Error, buffer int) []contextnote.Error {
	var list []contextnote.Error
	for _, x := range all {
		if x.Buffer == buffer {
			list = append(list, contextnote.Error{Line: x.Line, Column: x.Column, Message: x.Message, Source: x.Source, Text: x.Text})
		}
	}
	return list
}

// errorParts puts what several Neovims found into words, each file once.
func (e *event) errorParts(found []fileErrors) []string {
	byFile := map[string][]contextnote.Error{}
	var files []string
	for _, f := range found {
		if byFile[f.file] == nil {
			files = append(files, f.file)
		}
		byFile[f.file] = append(byFile[f.file], f.errors...)
	}
	slices.Sort(files)
	var parts []string
	for _, file := range files {
		list := byFile[file]
		slices.SortStableFunc(list, func(a, b contextnote.Error) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
		})
		parts = append(parts, contextnote.Errors(e.relative(file), slices.Compact(list)))
	}
	if len(parts) > 0 {
		e.did("new errors told")
	}
	return parts
}
