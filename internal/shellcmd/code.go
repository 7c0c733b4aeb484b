package shellcmd

import (
	"path"
	"strings"
)

func registerCode() {
	register(interpreter, "python", "python2", "python3", "pypy3", "node", "nodejs", "tsx", "ts-node", "php", "lua", "luajit", "Rscript", "osascript", "pwsh", "powershell")
}

// interpreter follows python -c CODE, node -e CODE, python - <<EOF, and python
// -m TOOL.
func interpreter(in *interp, st *state, c *call) stream {
	args := c.args
	for len(args) > 0 && strings.HasPrefix(args[0][0], "-") && args[0][0] != "-" {
		s := args[0][0]
		args = args[1:]
		inline := contains("-c -e --eval -p --print -pe -r -Command", s)
		if strings.HasPrefix(s, "-c") && len(s) > 2 && c.name != "node" {
			args, inline = append([]arg{{s[2:]}}, args...), true
		}
		switch {
		case inline && len(args) > 0:
			for _, code := range args[0] {
				in.code(st, c.name, code, args[1:])
			}
			return stream{}
		case s == "-m" && len(args) > 0:
			return in.run(st, args, c.in)
		case (s == "-W" || s == "-X" || s == "--require" || s == "-File") && len(args) > 0 && s != "-File":
			args = args[1:]
		}
	}
	if len(args) > 0 && args[0][0] != "-" {
		if s, ok := in.throwaway(st, args[0]); ok {
			in.code(st, c.name, s, args[1:])
		}
		return stream{}
	}
	if c.in.known {
		in.code(st, c.name, c.in.text, args[min(1, len(args)):])
	}
	return stream{}
}

// codeWrites finds what a program of any language does to change a file.
var codeWrites = lazy(codeWritesText)

const codeWritesText = `(?i)` +
	`open\w*\s*\([^()]*(?:\([^()]*\)[^()]*)*,\s*(?:mode\s*=\s*)?['"]\+?[rb<]*[wax>+]|` + // open(x, "w"), File.open
	`\.open\(\s*(?:mode\s*=\s*)?['"][rb]*[wax+]|` + // Path(x).open("w")
	`open\s*[( ]\s*(?:my\s+)?\$?\w+\s*,\s*['"]\+?>|` + // Perl's open(F, ">x")
	`write_?(?:text|bytes|lines|file|sync|all)|append_?(?:file|all)|write\w*stream|copy_?file|bun\.write|` +
	`file\.(?:write|binwrite|rename|delete|unlink)|fileutils|shutil\.|file_put_contents|fputs?\b|fwrite|` +
	`\bos\.(?:remove|unlink|rename|replace|truncate|system|popen)|\.rename\(|\brename\b|\bunlink\b|\brm(?:Sync)?\(|` +
	`truncate|subprocess|child_process|execSync|spawnSync|\bsystem\s*\(|popen|inplace|fileinput|\$\^I|` +
	`set-content|out-file|add-content|remove-item|move-item|copy-item|\bto_(?:csv|json|excel|parquet)\(|\.save\(|` +
	`\b(?:json|yaml|toml|pickle|tomli_w|tomlkit)\.(?:safe_)?dump\(|io\.output`

var (
	vimWrites = lazy(`(?:^|[|:+ ])(?:wq?a?|xa?|wall|wqall|up|update|write|wri|sav\w*)(?:$|[|! ])|ZZ|writefile|` + codeWritesText)
	awkWrites = lazy(`\bprintf?\b[^\n|;}]*>|system\s*\(`)
)

// writes reports whether code of a language changes files at all.
func writes(language, code string) bool {
	switch language {
	case "vim":
		return vimWrites().MatchString(code)
	case "awk", "gawk", "mawk", "nawk":
		return awkWrites().MatchString(code)
	}
	return codeWrites().MatchString(code)
}

// codeWalks finds a program that looks for its files by itself.
var codeWalks = lazy(`r?glob\s*\(|os\.walk|\.walk\(|listdir|scandir|iterdir|readdir|Dir\[|Dir\.(?:glob|each)|ls-files|fs\.globSync|glob\.sync|find2perl|File::Find`)

// codeMoves finds a program whose names may not be relative to the folder it
// is started in.
var codeMoves = lazy(`join\s*\(|chdir|Path\([^)]*\)\s*/|/\s*['"]|__file__|__dirname|basename`)

// codeGlob finds the extensions that a walking program asks for.
var codeGlob = lazy(`['"][^'"\s]*\*?(\.[A-Za-z0-9]{1,6})['"]`)

// code judges inline code. It touches a file that it names, or that is among
// its arguments, or that it can come across in a walk, if it writes at all.
func (in *interp) code(st *state, by, text string, args []arg) {
	in.bytes += len(text)
	if !in.step() || len(args) == 0 && !in.mentions(text) && !codeWalks().MatchString(text) || !writes(by, text) {
		return
	}
	if !strings.HasSuffix(by, "awk") && by != "vim" { // awk reads its arguments
		in.file(st, by, Writes, args...)
	}
	moves := codeMoves().MatchString(text)
	for _, f := range in.files {
		if in.names(st, text, f, moves) {
			in.touch(f, by, Writes, "")
			return
		}
	}
	if !codeWalks().MatchString(text) {
		return
	}
	var exts []string
	for _, m := range codeGlob().FindAllStringSubmatch(text, 64) {
		exts = append(exts, m[1])
	}
	in.treeIf(st, by, Replaces, func(f, _, _ string) bool { return hasExt(f, exts) }, arg{"."})
}

// mentions is a quick look for the name of any file.
func (in *interp) mentions(text string) bool {
	for _, f := range in.files {
		if strings.Contains(text, path.Base(f)) {
			return true
		}
	}
	return false
}

// names reports whether text has the file's name in it, as a path that can
// mean the file. anywhere: a name without its folders will do.
func (in *interp) names(st *state, text, file string, anywhere bool) bool {
	base := path.Base(file)
	for at := 0; ; {
		i := strings.Index(text[at:], base)
		if i < 0 {
			return false
		}
		i += at
		at = i + 1
		end := i + len(base)
		if end < len(text) && (wordByte(text[end]) || text[end] == '.' && end+1 < len(text) && wordByte(text[end+1])) {
			continue
		}
		if i > 0 && (wordByte(text[i-1]) || text[i-1] == '.') {
			continue
		}
		start := i
		for start > 0 && !strings.ContainsRune(" \t\n'\"`()[]{}<>=,;|&:", rune(text[start-1])) {
			start--
		}
		token := text[start:end]
		token = strings.Replace(token, "~", in.env.Home, strings.Count(token[:min(1, len(token))], "~"))
		for _, p := range in.abs(st, token) {
			if match(p, file) || in.real(p) == file {
				return true
			}
		}
		loose := strings.TrimLeft(token, "./")
		if unknown := strings.LastIndexAny(loose, "$%"); unknown >= 0 { // $dir/a.txt
			if j := strings.IndexByte(loose[unknown:], '/'); j >= 0 {
				loose, anywhere = loose[unknown+j+1:], true
			}
		}
		if anywhere && loose != "" && strings.HasSuffix(file, "/"+loose) {
			return true
		}
	}
}

func wordByte(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// writingWords are what byWords takes for a sign that a command writes.
var writingWords = lazy(`>|\b(?:tee|mv|cp|rm|dd|ln|install|rsync|patch|truncate|shred|unlink|sponge|unzip|tar)\b` +
	`|(?:sed|perl|ruby)\b[^\n|;]*\s-\w*i|--(?:in-place|write|fix)\b|\bgit\s+(?:\S+\s+)*?(?:checkout|restore|stash|reset|clean|apply|rm|mv)\b` +
	`|\b(?:gofmt|goimports|shfmt)\b[^\n|;]*\s-w|\b(?:black|rustfmt|stylua)\b`)

// byWords judges a command that cannot be followed (no shell program, or too
// long) by its words alone: it touches a file that it names if anything in it
// looks like writing.
func (in *interp) byWords(text string) {
	if in.hit != nil {
		return
	}
	st := newState(in.env)
	in.lost, in.steps, in.bytes = false, 0, 0
	for _, f := range in.files { // names first: the expressions are slow on a megabyte
		if in.names(st, text, f, true) && (writingWords().MatchString(text) || codeWrites().MatchString(text)) {
			in.touch(f, "this command", Writes, "")
			return
		}
	}
}
