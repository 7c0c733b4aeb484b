package shellcmd_test

import (
	"strings"
	"testing"
	"time"

	"sidekick/internal/cputest"
	"sidekick/internal/shellcmd"
)

// FuzzBash holds that no text makes the analysis panic or run long.
func FuzzBash(f *testing.F) {
	for _, l := range table(f) {
		f.Add(l.command)
	}
	files := []string{"/proj/a.txt", "/proj/src/main.go"}
	f.Fuzz(func(t *testing.T, command string) {
		start := cputest.Used(t)
		shellcmd.RawBash(command, shellcmd.Env{Cwd: "/proj", Home: "/home/u"}, files)
		shellcmd.RawPowerShell(command, shellcmd.Env{Cwd: "/proj", Home: "/home/u"}, files)
		if took := cputest.Used(t) - start; took > 20*time.Second {
			t.Fatalf("took %v", took)
		}
	})
}

// TestHostile feeds what makes a naive walker explode: deep nesting, doubling
// variables, endless recursion, huge products, a megabyte of anything.
func TestHostile(t *testing.T) {
	const mb = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, mb/len(s)) }
	cases := map[string]string{
		"doubling":  "a=xxxxxxxx; " + strings.Repeat("a=$a$a; ", 60) + "echo > $a",
		"recursion": "f() { f; f; }; f; echo done",
		"products":  "echo " + strings.Repeat("{a,b,c,d}", 30),
		"eval":      `x='eval "$x"; eval "$x"'; eval "$x"`,
		"bash -c":   strings.Repeat("bash -c 'x' ; ", 5000),
		"loops":     strings.Repeat("for i in {1..99}; do ", 60) + "x" + strings.Repeat("; done", 60),
		"globs":     "rm " + strings.Repeat("*a", 5000) + " " + strings.Repeat("**/", 3000) + "x",
		"operands":  "rm " + fill("b "), "stars": "rm " + fill("*"), "newlines": fill("\n"), "text": fill("lorem ipsum "),
		"here": "cat > b.txt <<'EOF'\n" + fill("if (x) { y[0] }\n") + "EOF\n",
	}
	for _, s := range []string{"(", "{ ", "$(", "\"$(", "`", "if ", "while ", "a|", "a&&", "${a:-", "$((", "[[ (", "a=(", "<(", "case a in ", "f() ", "{a,", "@(", "'", "\\", "<<E\n", "\x00", "\xff", "! ", "for x in a; do "} {
		cases[s] = fill(s)
		cases["short "+s] = strings.Repeat(s, 900)
	}
	for name, command := range cases {
		t.Run(name, func(t *testing.T) {
			start := cputest.Used(t)
			shellcmd.RawBash(command, shellcmd.Env{Cwd: "/proj", Home: "/home/u"}, []string{"/proj/a.txt", "/proj/src/main.go"})
			shellcmd.RawPowerShell(command, shellcmd.Env{Cwd: "/proj"}, []string{"/proj/a.txt"})
			if took := cputest.Used(t) - start; took > 10*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}
