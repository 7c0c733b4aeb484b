package hook

import (
	"sidekick/internal/claude"
	"sidekick/internal/filename"
)

// threat says which of the open files a tool call would hit.
type threat func([]editor) []hit

// threatOf returns the threat of a call, nil for one that cannot write.
func threatOf(e *event) threat {
	if path := e.payload.FilePath(); path != "" && claude.WritesFile(e.payload.Tool) {
		targets := e.targets([]string{path})
		return func(editors []editor) []hit { return e.fileHits(targets, editors) }
	}
	return nil
}

// target is a file that the call names, and how it names it.
type target struct {
	filename.File
	given string
}

// targets resolves the paths of a call. A path that no file can have is the
// tool's to refuse.
func (e *event) targets(paths []string) []target {
	var targets []target
	for _, path := range paths {
		file, err := filename.Resolve(path, e.payload.Cwd, e.Home)
		if err != nil {
			continue
		}
		targets = append(targets, target{file, path})
	}
	if len(targets) > 0 {
		e.entry.File = targets[0].Path
	}
	return targets
}

// fileHits finds the named files among those that editors protect.
func (e *event) fileHits(targets []target, editors []editor) (hits []hit) {
	for _, file := range targets {
		before := len(hits)
		for _, ed := range editors {
			for _, open := range ed.Files {
				if counts(open, e.config.Guard) && file.Same(open.Name) {
					hits = append(hits, hit{file: file, open: open, holder: ed.name(), address: ed.Address})
				}
			}
		}
		if len(hits) == before {
			hits = append(hits, e.swapHits(file, editors)...)
		}
	}
	return hits
}
