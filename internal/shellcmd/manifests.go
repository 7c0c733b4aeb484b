package shellcmd

import (
	"path"
	"strings"
	"sync"
)

// manifest says which files a package manager's subcommands rewrite.
type manifest struct {
	subs  string // the subcommands; "" is the bare name
	files string // in the nearest folder above that holds one of them
}

var managers = sync.OnceValue(func() map[string][]manifest {
	return map[string][]manifest{
		"npm":       {{"install i add uninstall remove rm un update up upgrade version pkg init dedupe audit link set-script", "package.json package-lock.json npm-shrinkwrap.json"}},
		"pnpm":      {{"install i add remove rm uninstall update up upgrade import init dedupe patch-commit", "package.json pnpm-lock.yaml pnpm-workspace.yaml"}},
		"yarn":      {{"install add remove up upgrade version init set dedupe", "package.json yarn.lock .yarnrc.yml"}},
		"bun":       {{"install i add remove rm update upgrade init", "package.json bun.lock bun.lockb"}},
		"deno":      {{"add remove install update outdated", "deno.json deno.jsonc deno.lock package.json"}},
		"cargo":     {{"add remove rm update generate-lockfile upgrade init set-version", "Cargo.toml Cargo.lock"}},
		"go":        {{"mod get work", "go.mod go.sum go.work go.work.sum"}},
		"uv":        {{"add remove lock sync init version", "pyproject.toml uv.lock"}},
		"poetry":    {{"add remove lock update init version install", "pyproject.toml poetry.lock"}},
		"pdm":       {{"add remove lock update install init", "pyproject.toml pdm.lock"}},
		"pipenv":    {{"install uninstall update lock", "Pipfile Pipfile.lock"}},
		"bundle":    {{"install update add remove lock init", "Gemfile Gemfile.lock"}},
		"composer":  {{"install require remove update init dump-autoload", "composer.json composer.lock"}},
		"mix":       {{"deps.get deps.update deps.unlock", "mix.lock"}},
		"swift":     {{"package", "Package.swift Package.resolved"}},
		"dotnet":    {{"add remove sln", ".csproj .fsproj .sln .slnx packages.lock.json"}},
		"terraform": {{"init providers", ".terraform.lock.hcl"}},
		"flutter":   {{"pub", "pubspec.yaml pubspec.lock"}},
		"dart":      {{"pub", "pubspec.yaml pubspec.lock"}},
		"nix":       {{"flake", "flake.nix flake.lock"}},
		"luarocks":  {{"init", ".luarocks"}},
	}
})

func registerManifests() {
	for name := range managers() {
		if _, ok := commands[name]; !ok {
			register(func(in *interp, st *state, c *call) stream {
				manifests(in, st, c.name, c.args)
				return stream{}
			}, name)
		}
	}
}

// manifests records the files that a package manager rewrites. Read-only
// forms of those commands (npm audit, go mod download) pass.
func manifests(in *interp, st *state, name string, args []arg) {
	o := options(args, "C prefix w workspace filter manifest-path p")
	if o.has("g", "global", "dry-run", "frozen-lockfile", "immutable", "locked", "help", "frozen", "locked") {
		return
	}
	sub := ""
	if len(o.rest) > 0 {
		sub = o.rest[0][0]
	} else if name != "yarn" {
		return
	} else {
		sub = "install"
	}
	if len(o.rest) > 1 {
		switch sub + " " + o.rest[1][0] {
		case "go mod":
		case "mod download", "mod graph", "mod verify", "mod why", "work vendor", "pkg get", "flake show", "flake check",
			"flake metadata", "package resolve", "package describe", "sln list", "providers schema", "pub global", "pub deps", "pub outdated", "pub run":
			return
		}
	}
	if sub == "audit" && (len(o.rest) < 2 || o.rest[1][0] != "fix") || sub == "version" && len(o.rest) < 2 ||
		sub == "mod" && len(o.rest) < 2 || sub == "package" && len(o.rest) > 1 && !contains("update init add-dependency resolve", o.rest[1][0]) {
		return
	}
	for _, m := range managers()[name] {
		if !contains(m.subs, sub) {
			continue
		}
		files := strings.Fields(m.files)
		for _, dir := range append(o.values("C", "prefix"), arg{"."}) {
			for _, d := range dir {
				for _, p := range in.abs(st, d) {
					if open(p) {
						continue
					}
					top := in.root(p, files...)
					for _, f := range files {
						if strings.HasPrefix(f, ".") && strings.Count(f, ".") == 1 {
							in.file(st, name+" "+sub, Writes, arg{p + "/" + star + f})
						}
						in.file(st, name+" "+sub, Writes, arg{path.Join(p, f)})
						if top != "" {
							in.file(st, name+" "+sub, Writes, arg{path.Join(top, f)})
						}
					}
				}
			}
		}
	}
}
