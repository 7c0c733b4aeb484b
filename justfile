# Short names for scripts/. Everything works without just, too.

_default:
    @just --list

# install what the tests and linters need
setup:
    scripts/setup

# build ./sidekick (without cgo: the dynamic linker would double the time of its start)
build:
    CGO_ENABLED=0 go build -o sidekick .

# lint and run every test; or only some: just test ./hook -run Deny
test *args:
    scripts/test {{args}}

# linters and formatters, changing nothing
lint:
    scripts/lint

# format every file in place
fmt:
    scripts/fmt

# medians and ratios of what people wait for
bench *args:
    scripts/bench {{args}}
