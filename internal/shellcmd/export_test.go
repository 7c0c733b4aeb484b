package shellcmd

// The analyses without the net below them, for the tests that look for panics.
var (
	RawBash       = bash
	RawPowerShell = powerShell
)
