package shellcmd

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// PowerShell is Bash for a PowerShell command line. There is no parser for the
// language here, only words: quotes, backtick escapes, variables set to plain
// strings in the same command, pipes, blocks, and redirections. Cmdlets that
// write are known by name and alias; git, formatters and other programs are
// judged as in Bash; a call of [IO.File] and its like that names a file and
// writes touches it.
func PowerShell(command string, env Env, files []string) (Touch, bool) {
	return guarded(powerShell, command, env, files)
}

func powerShell(command string, env Env, files []string) (Touch, bool) {
	if len(files) == 0 || len(command) > maxCommand {
		return byWordsOnly(command, env, files)
	}
	in := newInterp(env, files)
	st := newState(env)
	command = strings.ReplaceAll(command, "\x00", "")
	var piped stream
	for _, s := range psStatements(command) {
		if !in.step() {
			break
		}
		if !s.piped {
			piped = stream{}
		}
		piped = in.psCommand(st, s.words, piped)
	}
	if in.hit == nil && dotNet().MatchString(command) {
		for _, f := range files {
			if in.names(st, strings.ReplaceAll(command, `\`, "/"), f, true) {
				in.touch(f, dotNet().FindString(command), Writes, "")
			}
		}
	}
	if in.lost {
		in.byWords(command)
	}
	if in.hit == nil {
		return Touch{}, false
	}
	return *in.hit, true
}

func byWordsOnly(command string, env Env, files []string) (Touch, bool) {
	in := newInterp(env, files)
	if len(files) > 0 {
		in.byWords(command)
	}
	if in.hit == nil {
		return Touch{}, false
	}
	return *in.hit, true
}

var dotNet = lazy(`(?i)\[(?:System\.)?IO\.File(?:Info)?\]::(?:Write|Append|Delete|Move|Copy|Replace|Create|Open)\w*|\[(?:System\.)?IO\.(?:StreamWriter|FileStream)\]|\bNew-Object\s+(?:System\.)?IO\.(?:StreamWriter|FileStream)`)

// psWriter says what a cmdlet does to the paths it is given.
type psWriter struct {
	effect Effect
	names  int  // how many leading operands are files that it changes
	dest   bool // the last operand is where it puts things
	force  bool // only with -Force
}

var psWriters = sync.OnceValue(func() map[string]psWriter {
	return map[string]psWriter{
		"set-content": {effect: Writes, names: 1}, "add-content": {effect: Writes, names: 1}, "clear-content": {effect: Writes, names: 1},
		"out-file": {effect: Writes, names: 1}, "tee-object": {effect: Writes, names: 1}, "export-csv": {effect: Writes, names: 1},
		"export-clixml": {effect: Writes, names: 1}, "set-item": {effect: Writes, names: 1}, "clear-item": {effect: Writes, names: 1},
		"remove-item": {effect: Removes, names: 1}, "move-item": {effect: Moves, names: 1, dest: true}, "rename-item": {effect: Moves, names: 1, dest: true},
		"copy-item": {dest: true}, "new-item": {effect: Writes, names: 1, force: true}, "expand-archive": {dest: true},
		"invoke-webrequest": {}, "invoke-restmethod": {}, "start-bitstransfer": {dest: true},
	}
})

var psAliases = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"sc": "set-content", "ac": "add-content", "clc": "clear-content", "tee": "tee-object", "epcsv": "export-csv", "si": "set-item",
		"ri": "remove-item", "rm": "remove-item", "del": "remove-item", "erase": "remove-item", "rd": "remove-item", "rmdir": "remove-item",
		"mi": "move-item", "mv": "move-item", "move": "move-item", "rni": "rename-item", "ren": "rename-item",
		"ci": "copy-item", "cpi": "copy-item", "cp": "copy-item", "copy": "copy-item", "ni": "new-item", "iwr": "invoke-webrequest",
		"wget": "invoke-webrequest", "curl": "invoke-webrequest", "irm": "invoke-restmethod",
		"sl": "set-location", "cd": "set-location", "chdir": "set-location", "pushd": "push-location", "popd": "pop-location",
		"gci": "get-childitem", "ls": "get-childitem", "dir": "get-childitem", "gi": "get-item", "gc": "get-content", "cat": "get-content", "type": "get-content",
		"echo": "write-output", "write": "write-output", "%": "foreach-object", "?": "where-object", "foreach": "foreach-object", "where": "where-object", "select": "select-object", "sort": "sort-object",
	}
})

// psReaders print and do nothing else; some share a name with a Unix program.
var psReaders = []string{
	"get-content", "write-output", "write-host", "select-string", "get-item", "test-path", "where-object",
	"foreach-object", "select-object", "sort-object", "measure-object", "get-location", "resolve-path", "compare-object",
}

// psCommand follows one command. piped is what the command before it lists.
func (in *interp) psCommand(st *state, words []psWord, piped stream) stream {
	var args []psWord
	for i := 0; i < len(words); i++ {
		if w := words[i]; w.redirect {
			if i+1 < len(words) {
				i++
				in.file(st, ">", Writes, in.psValue(st, words[i]))
			}
			continue
		}
		args = append(args, words[i])
	}
	if len(args) == 0 {
		return stream{}
	}
	if name, ok := strings.CutPrefix(args[0].text, "$"); ok && len(args) > 2 && args[1].text == "=" {
		st.vars[strings.ToLower(name)] = value{alts: in.psValue(st, args[2])}
		return in.psCommand(st, args[2:], piped)
	}
	if args[0].text == "&" || args[0].text == "." {
		args = args[1:]
	}
	if len(args) == 0 {
		return stream{}
	}
	name := strings.ToLower(args[0].text)
	if full, ok := psAliases()[name]; ok {
		name = full
	}
	var operands []arg
	given := map[string]arg{}
	for i := 1; i < len(args); i++ {
		flag, isFlag := strings.CutPrefix(args[i].text, "-")
		if !isFlag || args[i].quoted || flag == "" {
			operands = append(operands, in.psValue(st, args[i]))
			continue
		}
		flag, val, joined := strings.Cut(strings.ToLower(flag), ":")
		switch {
		case joined && val != "":
			given[flag] = arg{psSlashes(val)}
		case contains("force recurse confirm whatif append nonewline passthru verbose r fo f raw file directory noclobber f rf", flag) || i+1 == len(args):
			given[flag] = nil
		default:
			i++
			given[flag] = in.psValue(st, args[i])
		}
	}
	switch name {
	case "set-location", "push-location":
		if p := append(operands, given["path"], given["literalpath"]); len(p[0]) > 0 {
			cd(in, st, &call{args: p[:1]})
		}
		return stream{}
	case "get-childitem":
		roots := operands
		if p := append(given["path"], given["literalpath"]...); len(p) > 0 {
			roots = []arg{p}
		}
		var names arg
		for _, f := range append(given["filter"], given["include"]...) {
			names = append(names, treeGlob(f, false))
		}
		return stream{names: within(roots, names)}
	}
	w, ok := psWriters()[name]
	if _, dry := given["whatif"]; dry {
		return stream{}
	}
	if !ok {
		if slices.Contains(psReaders, name) {
			in.psBlocks(st, args[1:], piped)
			return stream{names: union(flat(operands), piped.words())}
		}
		if slices.Contains(psKeyword, name) || strings.HasPrefix(name, "$") {
			return piped
		}
		if strings.HasPrefix(name, "rm") || commands[name] != nil {
			all := []arg{{path.Base(psSlashes(name))}}
			for _, a := range args[1:] {
				all = append(all, in.psValue(st, a))
			}
			return in.run(st, all, piped)
		}
		return stream{}
	}
	in.psWrite(st, name, w, operands, given, piped)
	return piped
}

var psKeyword = []string{"if", "else", "elseif", "while", "do", "try", "catch", "finally", "return", "param", "function", "switch", "for", "in"}

// psWrite records what a writing cmdlet does.
func (in *interp) psWrite(st *state, name string, w psWriter, operands []arg, given map[string]arg, piped stream) {
	if _, forced := given["force"]; w.force && !forced {
		return
	}
	paths := append(append(arg{}, given["path"]...), append(given["literalpath"], given["filepath"]...)...)
	rest := operands
	if len(paths) == 0 && len(rest) > 0 {
		paths, rest = rest[0], rest[1:]
	}
	if len(paths) == 0 {
		paths = piped.words()
	}
	if w.names > 0 {
		in.tree(st, name, w.effect, each(paths, glob))
	}
	in.file(st, name, Writes, append(given["outfile"], given["outputpath"]...))
	if !w.dest {
		return
	}
	dest := append(append(arg{}, given["destination"]...), append(given["destinationpath"], given["newname"]...)...)
	if len(dest) == 0 && len(rest) > 0 {
		dest = rest[0]
	}
	switch name {
	case "expand-archive":
		in.tree(st, name, Replaces, dest)
	case "rename-item":
		for _, p := range paths {
			in.file(st, name, Writes, each(dest, func(d string) string { return path.Join(path.Dir(p), d) }))
		}
	default:
		_, recursive := given["recurse"]
		in.into(st, name, []arg{each(paths, glob)}, dest, recursive)
	}
}

// psBlocks follows the { } of a ForEach-Object, with $_ for what is piped.
func (in *interp) psBlocks(st *state, args []psWord, piped stream) {
	for _, a := range args {
		if !a.block || in.depth > maxDepth || !in.step() {
			continue
		}
		in.depth++
		inner := st.fork()
		names := piped.words()
		if len(names) == 0 {
			names = arg{anything}
		}
		for _, v := range []string{"_", "psitem"} {
			inner.vars[v] = value{alts: names}
		}
		var out stream
		for _, s := range psStatements(a.text) {
			if !s.piped {
				out = stream{}
			}
			out = in.psCommand(inner, s.words, out)
		}
		in.depth--
	}
}
