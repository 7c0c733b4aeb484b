# shellcheck shell=bash disable=SC2034
# Sourced by the scripts: the one place for folders and pinned versions.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
testenv=${SIDEKICK_TESTENV:-${XDG_CACHE_HOME:-$HOME/.cache}/sidekick-testenv}
export SIDEKICK_TESTENV=$testenv
PATH=$testenv/bin:$PATH

claude_version=2.1.197
stylua_version=2.5.2
nushell_version=0.115.1

# Go tools: command, package, version. They are built from source.
go_tools=(
  "shfmt mvdan.cc/sh/v3/cmd/shfmt v3.14.1"
  "gotestsum gotest.tools/gotestsum v1.13.0"
  "golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint v2.15.0"
)
# Needs a database of vulnerabilities, which not every machine reaches: see
# scripts/vulncheck.
govulncheck_version=v1.9.0
# goreleaser makes the release files; scripts/release builds it when it is first needed.
goreleaser_version=v2.15.1

# Neovim: folder, exact version or series (a trailing dot), the Debian suites to
# look in. The last one moves: it is taken from the first suite that still has it.
neovims=(
  "0.7 0.7.2 bookworm"
  "0.10 0.10.4 trixie"
  "0.12 0.12. sid forky"
)

say() { printf '%s\n' "${0##*/}: $*"; }
complain() { printf '%s\n' "${0##*/}: $*" >&2; }
die() {
  complain "$*"
  exit 1
}
