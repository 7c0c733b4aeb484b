package hook

import (
	"sidekick/internal/claude"
	"sidekick/internal/filename"
	"sidekick/internal/nvim"
	"sidekick/internal/shellcmd"
	"sidekick/internal/swapfile"
	"sidekick/internal/words"
)

// threat says which of the open files a tool call would hit.
type threat func([]editor) []hit

// threatOf returns the threat of a call, nil for one that cannot write.
func threatOf(e *event) threat {
	if paths := e.payload.Writes(); len(paths) > 0 {
		targets := e.targets(paths)
		return func(editors []editor) []hit { return e.fileHits(targets, editors) }
	}
	command := e.payload.Command()
	if command == "" {
		return nil
	}
	switch e.payload.Tool {
	case claude.Bash:
		return func(editors []editor) []hit { return e.commandHits(shellcmd.Bash, command, editors) }
	case claude.PowerShell:
		return func(editors []editor) []hit { return e.commandHits(shellcmd.PowerShell, command, editors) }
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

// commandHits finds what a command line would touch among the protected files,
// those in editors that could not be asked among them.
func (e *event) commandHits(
	touches func(string, shellcmd.Env, []string) (shellcmd.Touch, bool),
	command string, editors []editor,
) []hit {
	byName := map[string]hit{}
	var names []string
	protect := func(open nvim.OpenFile, holder, address string) {
		file, err := filename.Resolve(open.Name, "/", e.Home)
		if err != nil {
			return // a buffer's name that no file can have
		}
		if _, known := byName[file.Real]; !known {
			byName[file.Real] = hit{file: target{file, open.Name}, open: open, holder: holder, address: address}
			names = append(names, file.Real)
		}
	}
	for _, ed := range editors {
		for _, open := range ed.Files {
			if counts(open, e.config.Guard) && open.Name != "" {
				protect(open, ed.name(), ed.Address)
			}
		}
	}
	for _, work := range swapfile.Unsaved(e.Swaps, func(pid int) bool { return answered(editors, pid) }) {
		open := nvim.OpenFile{Name: work.File, Modified: true, Visible: true, Current: true}
		protect(open, unasked(work.PID), "")
	}
	if len(names) == 0 {
		return nil
	}
	lookup := func(name string) (string, bool) {
		value := e.Getenv(name)
		return value, value != ""
	}
	touch, ok := touches(command, shellcmd.Disk(e.payload.Cwd, e.Home, lookup, names), names)
	if !ok {
		return nil
	}
	found := byName[touch.File]
	found.how = words.CommandTouches(touch.By, string(touch.Effect), touch.Dir)
	return []hit{found}
}
