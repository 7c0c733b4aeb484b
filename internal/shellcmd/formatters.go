package shellcmd

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// formatter is a program that rewrites source files when it is told to, or
// unless it is told not to.
type formatter struct {
	write  string // options (or "sub" words) of which one must be given; "": it writes by default
	check  string // options that keep it from writing
	valued string // options that take a value
	exts   string // which files below a folder it changes
	dir    string // what it works on without operands; "": nothing
	skip   int    // leading operands that are no paths
	root   string // it works on the folder above that holds one of these files
}

const (
	webExts = ".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte .astro .json .jsonc .json5 .css .scss .less .html .md .mdx .yml .yaml .graphql .gql"
	jsExts  = ".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte .astro .json .jsonc .css .graphql"
	pyExts  = ".py .pyi .ipynb"
	cExts   = ".c .h .cc .cpp .cxx .hpp .hh .m .mm .java .proto .cs .js .ts"
)

// formatters holds them by name; "name sub" where only a subcommand formats.
var formatters = sync.OnceValue(func() map[string]formatter {
	return map[string]formatter{
		"gofmt":              {write: "w", valued: "r cpuprofile", exts: ".go"},
		"goimports":          {write: "w", valued: "local srcdir", exts: ".go"},
		"gofumpt":            {write: "w", valued: "lang modpath", exts: ".go"},
		"gci write":          {exts: ".go", valued: "s section"},
		"golines":            {write: "w write-output", valued: "m max-len t", exts: ".go"},
		"go fmt":             {exts: ".go", dir: "."},
		"go fix":             {exts: ".go", dir: "."},
		"golangci-lint run":  {write: "fix", valued: "c config E D", exts: ".go", dir: "."},
		"golangci-lint fmt":  {check: "d diff", exts: ".go", dir: "."},
		"prettier":           {write: "write w", valued: "config parser log-level ignore-path plugin", exts: webExts},
		"eslint":             {write: "fix", check: "fix-dry-run", valued: "c config ext f format rule", exts: jsExts, dir: "."},
		"biome check":        {write: "write fix apply apply-unsafe", valued: "config-path", exts: jsExts, dir: "."},
		"biome format":       {write: "write fix", valued: "config-path", exts: jsExts, dir: "."},
		"biome lint":         {write: "write fix apply", valued: "config-path", exts: jsExts, dir: "."},
		"oxlint":             {write: "fix fix-suggestions", valued: "c config", exts: jsExts, dir: "."},
		"stylelint":          {write: "fix", valued: "config", exts: ".css .scss .less .vue", dir: "."},
		"standard":           {write: "fix", exts: jsExts, dir: "."},
		"xo":                 {write: "fix", exts: jsExts, dir: "."},
		"deno fmt":           {check: "check", valued: "config ext", exts: webExts, dir: "."},
		"deno lint":          {write: "fix", exts: jsExts, dir: "."},
		"dprint fmt":         {exts: webExts + " .rs .toml .py", dir: "."},
		"markdownlint":       {write: "fix f", valued: "c config", exts: ".md"},
		"markdownlint-cli2":  {write: "fix", exts: ".md"},
		"mdformat":           {check: "check", exts: ".md"},
		"black":              {check: "check diff", valued: "l line-length t target-version config c code", exts: pyExts},
		"ruff format":        {check: "check diff", valued: "config line-length", exts: pyExts, dir: "."},
		"ruff check":         {write: "fix fix-only", check: "diff", valued: "select ignore config extend-select", exts: pyExts, dir: "."},
		"ruff":               {write: "fix", valued: "select ignore config", exts: pyExts},
		"isort":              {check: "check c check-only diff d", valued: "profile p l sp", exts: pyExts},
		"autopep8":           {write: "i in-place", valued: "max-line-length select ignore", exts: ".py"},
		"yapf":               {write: "i in-place", valued: "style", exts: ".py"},
		"autoflake":          {write: "i in-place", valued: "imports exclude", exts: ".py"},
		"pyupgrade":          {exts: ".py"},
		"docformatter":       {write: "i in-place", exts: ".py"},
		"djlint":             {write: "reformat", exts: ".html .jinja .j2"},
		"sqlfluff fix":       {valued: "dialect", exts: ".sql", dir: "."},
		"sqlfluff format":    {valued: "dialect", exts: ".sql", dir: "."},
		"rustfmt":            {check: "check", valued: "edition config config-path emit", exts: ".rs"},
		"cargo fmt":          {check: "check", valued: "p package manifest-path", exts: ".rs", root: "Cargo.toml"},
		"cargo fix":          {valued: "p package manifest-path", exts: ".rs", root: "Cargo.toml"},
		"cargo clippy":       {write: "fix", valued: "p package manifest-path", exts: ".rs", root: "Cargo.toml"},
		"leptosfmt":          {check: "check", exts: ".rs"},
		"taplo fmt":          {check: "check", exts: ".toml", dir: "."},
		"taplo format":       {check: "check", exts: ".toml", dir: "."},
		"stylua":             {check: "check c", valued: "config-path f s g column-width", exts: ".lua"},
		"lua-format":         {write: "i in-place", exts: ".lua"},
		"clang-format":       {write: "i", valued: "style", exts: cExts},
		"clang-tidy":         {write: "fix fix-errors", valued: "p checks", exts: cExts},
		"cmake-format":       {write: "i in-place", exts: ".cmake CMakeLists.txt"},
		"shfmt":              {write: "w write", valued: "i ln filename", exts: ".sh .bash .zsh"},
		"dart format":        {check: "show", valued: "l line-length o output", exts: ".dart"},
		"dart fix":           {write: "apply", exts: ".dart", dir: "."},
		"terraform fmt":      {exts: ".tf .tfvars", dir: "."},
		"tofu fmt":           {exts: ".tf .tfvars", dir: "."},
		"packer fmt":         {exts: ".hcl", dir: "."},
		"terragrunt hclfmt":  {exts: ".hcl", dir: "."},
		"rubocop":            {write: "a A autocorrect autocorrect-all auto-correct x", valued: "only c config", exts: ".rb .rake Gemfile Rakefile", dir: "."},
		"standardrb":         {write: "fix", exts: ".rb", dir: "."},
		"php-cs-fixer fix":   {check: "dry-run", valued: "rules config", exts: ".php", dir: "."},
		"phpcbf":             {valued: "standard", exts: ".php", dir: "."},
		"pint":               {check: "test", exts: ".php", dir: "."},
		"mix format":         {check: "check-formatted", exts: ".ex .exs .heex", dir: "."},
		"gleam format":       {check: "check", exts: ".gleam", dir: "."},
		"zig fmt":            {check: "check", exts: ".zig"},
		"nixfmt":             {check: "check c", exts: ".nix"},
		"nixpkgs-fmt":        {check: "check", exts: ".nix"},
		"alejandra":          {check: "check c", exts: ".nix"},
		"ktlint":             {write: "F format", exts: ".kt .kts", dir: "."},
		"google-java-format": {write: "i replace r", exts: ".java"},
		"swiftformat":        {check: "lint dryrun", valued: "config rules", exts: ".swift"},
		"swift-format":       {write: "i in-place", exts: ".swift"},
		"swiftlint":          {write: "fix autocorrect", exts: ".swift", dir: "."},
		"ocamlformat":        {write: "i inplace", exts: ".ml .mli"},
		"dune fmt":           {exts: ".ml .mli dune", dir: "."},
		"fourmolu":           {write: "i", valued: "m mode", exts: ".hs"},
		"ormolu":             {write: "i", valued: "m mode", exts: ".hs"},
		"hlint":              {write: "refactor", exts: ".hs"},
		"elm-format":         {write: "yes", exts: ".elm"},
		"buf format":         {write: "w write", exts: ".proto", dir: "."},
		"buildifier":         {check: "mode", exts: ".bzl .bazel BUILD WORKSPACE"},
		"yamlfmt":            {check: "lint dry", exts: ".yml .yaml", dir: "."},
		"csharpier":          {check: "check", exts: ".cs", dir: "."},
		"dotnet format":      {check: "verify-no-changes", exts: ".cs .fs .vb", dir: "."},
		"scalafmt":           {check: "check test list", valued: "c config", exts: ".scala .sbt", dir: "."},
		"cljfmt fix":         {exts: ".clj .cljs .cljc .edn", dir: "."},
		"jsonnetfmt":         {write: "i in-place", exts: ".jsonnet .libsonnet"},
		"latexindent":        {write: "w overwrite", exts: ".tex"},
		"just":               {write: "fmt", check: "check", exts: "justfile Justfile .justfile", dir: "."},
		"treefmt":            {check: "fail-on-change", dir: "."},
		"pre-commit run":     {valued: "files hook-stage", dir: "."},
		"lint-staged":        {dir: "."},
		"typos":              {write: "w write-changes", dir: "."},
		"codespell":          {write: "w write-changes", valued: "L S", dir: "."},
		"jscodeshift":        {check: "d dry", valued: "t transform extensions parser", exts: jsExts},
	}
})

func registerFormatters() {
	for name := range formatters() {
		tool, _, _ := strings.Cut(name, " ")
		if _, ok := commands[tool]; !ok {
			register(format, tool)
		}
	}
	register(goTool, "go")
}

func format(in *interp, st *state, c *call) stream {
	f, by, args, ok := formatterOf(c)
	if !ok {
		manifests(in, st, c.name, c.args)
		return stream{}
	}
	if c.name == "cargo" { // what follows -- is for the formatter itself
		args = slices.DeleteFunc(slices.Clone(args), func(a arg) bool { return a[0] == "--" })
	}
	long := onedash(args)
	o := options(long, f.valued)
	given := func(list string) bool {
		return list != "" && slices.ContainsFunc(strings.Fields(list), func(n string) bool { return o.has(n) })
	}
	if f.write != "" && !given(f.write) && !inplaceMode(o) || given(f.check) {
		return stream{}
	}
	if dry(o) {
		return stream{}
	}
	paths := o.rest[min(f.skip, len(o.rest)):]
	if f.root != "" {
		for _, cwd := range st.cwds {
			root := in.root(cwd, f.root)
			if root == "" {
				root = cwd
			}
			in.cover(st, by, f, []arg{{root}})
		}
		return stream{}
	}
	if len(paths) == 0 && f.dir != "" {
		paths = []arg{{f.dir}}
	}
	if len(paths) == 1 && paths[0][0] == "-" {
		return stream{}
	}
	in.cover(st, by, f, paths)
	return stream{}
}

func (in *interp) cover(st *state, by string, f formatter, paths []arg) {
	exts := strings.Fields(f.exts)
	for i, p := range paths {
		paths[i] = each(p, func(s string) string {
			if rest, ok := strings.CutSuffix(s, "..."); ok && (rest == "" || strings.HasSuffix(rest, "/")) {
				if s = strings.TrimSuffix(rest, "/"); s == "" {
					return "."
				}
			}
			return treeGlobs(s)
		})
	}
	in.treeIf(st, by, Replaces, func(file, _, _ string) bool { return hasExt(file, exts) }, paths...)
}

// treeGlobs is for programs that expand a quoted glob themselves.
func treeGlobs(s string) string {
	if strings.ContainsAny(s, "*{") {
		if i := strings.IndexByte(s, '{'); i >= 0 {
			s = s[:i] + "*"
		}
		return treeGlob(s, false)
	}
	return s
}

// formatterOf finds a call's entry: by name and subcommand, or by name.
func formatterOf(c *call) (f formatter, by string, args []arg, ok bool) {
	for i, a := range c.args {
		sub, lit := a.lit()
		if !lit || strings.HasPrefix(sub, "-") || strings.HasPrefix(sub, "+") {
			continue
		}
		if f, ok = formatters()[c.name+" "+sub]; ok {
			return f, c.name + " " + sub, append(slices.Clone(c.args[:i]), c.args[i+1:]...), true
		}
		break
	}
	f, ok = formatters()[c.name]
	return f, c.name, c.args, ok
}

// onedash makes -fix and -write=false of Go and Terraform tools long options.
func onedash(args []arg) []arg {
	out := slices.Clone(args)
	for i, a := range out {
		s := a[0]
		if len(s) > 3 && s[0] == '-' && s[1] != '-' {
			switch name, _, _ := strings.Cut(s[1:], "="); name {
			case "check", "write", "diff", "recursive", "local", "list", "style", "fix", "fix-errors", "autocorrect":
				out[i] = arg{"-" + s}
			}
		}
	}
	return out
}

// inplaceMode is for the tools that say --mode inplace.
func inplaceMode(o opts) bool {
	return slices.ContainsFunc(o.values("m", "mode"), func(a arg) bool { return a[0] == "inplace" })
}

// dry finds the ways to say "do not write" that tools share.
func dry(o opts) bool {
	for _, a := range append(o.values("write", "output", "o", "emit"), o.values("check")...) {
		switch a[0] {
		case "false", "none", "show", "stdout", "json":
			return true
		}
	}
	return o.has("dry-run", "stdin", "stdin-filename", "help", "version") ||
		o.has("check") && len(o.values("check")) == 0 && !o.has("write", "w", "fix")
}

// goTool follows the go command's writers: fmt, fix, generate, mod, get.
func goTool(in *interp, st *state, c *call) stream {
	sub, ok := commandName(skipOptions(c.args, "C"))
	if !ok {
		return stream{}
	}
	switch sub {
	case "fmt", "fix":
		return format(in, st, c)
	case "generate":
		in.treeIf(st, "go generate", Replaces, func(f, _, _ string) bool { return in.generated(f) }, arg{"."})
	case "run": // go run TOOL@version args: a formatter as well as any
		if rest := skipOptions(after(c.args, "run"), "C mod tags"); len(rest) > 0 {
			if s, ok := rest[0].lit(); ok && strings.Contains(s, "@") {
				s, _, _ = strings.Cut(s, "@")
				return in.run(st, append([]arg{{path.Base(s)}}, rest[1:]...), c.in)
			}
		}
	case "build", "test":
		o := options(onedash(c.args), "o coverprofile tags run count timeout")
		in.file(st, "go "+sub, Writes, o.values("o")...)
	default:
		manifests(in, st, "go", c.args)
	}
	return stream{}
}

// generated reports whether a file says that a generator writes it.
func (in *interp) generated(file string) bool {
	base := path.Base(file)
	if strings.Contains(base, "_gen.") || strings.Contains(base, ".gen.") || strings.HasSuffix(base, "_string.go") ||
		strings.HasSuffix(base, ".pb.go") || strings.HasPrefix(base, "mock_") || strings.HasPrefix(base, "zz_generated") {
		return true
	}
	if in.env.Read == nil {
		return false
	}
	text, _ := in.env.Read(file)
	return strings.Contains(text[:min(len(text), 2048)], "Code generated")
}
