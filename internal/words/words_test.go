package words

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sentences are all functions that make one. The test below knows when one is
// missing here.
var sentences = map[string]any{
	"AddAlias":          AddAlias,
	"AllHooksOff":       AllHooksOff,
	"BadConfig":         BadConfig,
	"BinaryAnswers":     BinaryAnswers,
	"BinaryFails":       BinaryFails,
	"BinaryGone":        BinaryGone,
	"BinaryForeign":     BinaryForeign,
	"BinaryTalks":       BinaryTalks,
	"CalledFrom":        CalledFrom,
	"CalledTwice":       CalledTwice,
	"CommandTouches":    CommandTouches,
	"DenyCommand":       DenyCommand,
	"DenyEdit":          DenyEdit,
	"DiffCut":           DiffCut,
	"ErrorsCut":         ErrorsCut,
	"EventsMissing":     EventsMissing,
	"HeldBack":          HeldBack,
	"InitHeader":        InitHeader,
	"Installed":         Installed,
	"LeftOut":           LeftOut,
	"LogEntry":          LogEntry,
	"LogError":          LogError,
	"LogUnanswered":     LogUnanswered,
	"ManagedOnly":       ManagedOnly,
	"NeovimsAnswer":     NeovimsAnswer,
	"NeovimsSilent":     NeovimsSilent,
	"NewError":          NewError,
	"NewErrors":         NewErrors,
	"NoAnswer":          NoAnswer,
	"NoCompletion":      NoCompletion,
	"NoJournal":         NoJournal,
	"NoRuntime":         NoRuntime,
	"NoSocket":          NoSocket,
	"NoVersion":         NoVersion,
	"NotJSON":           NotJSON,
	"NotStrict":         NotStrict,
	"NotLetThrough":     NotLetThrough,
	"NvimFound":         NvimFound,
	"NvimVariableUnfit": NvimVariableUnfit,
	"OtherProgram":      OtherProgram,
	"OtherSidekick":     OtherSidekick,
	"OtherVersion":      OtherVersion,
	"PeerFound":         PeerFound,
	"PluginsOnly":       PluginsOnly,
	"ProbeFailed":       ProbeFailed,
	"ProbeFine":         ProbeFine,
	"ProbeSlow":         ProbeSlow,
	"RecoveryPending":   RecoveryPending,
	"Registered":        Registered,
	"ReplacedSidekick":  ReplacedSidekick,
	"ReviewEdited":      ReviewEdited,
	"ReviewOutdated":    ReviewOutdated,
	"ReviewRejected":    ReviewRejected,
	"ReviewSettled":     ReviewSettled,
	"ReviewStale":       ReviewStale,
	"ReviewText":        ReviewText,
	"ReviewUndone":      ReviewUndone,
	"ReviewUnsaved":     ReviewUnsaved,
	"RuntimeFine":       RuntimeFine,
	"RuntimeSecond":     RuntimeSecond,
	"Selection":         Selection,
	"SelectionLeftOut":  SelectionLeftOut,
	"SelectionNotes":    SelectionNotes,
	"SettingsIgnored":   SettingsIgnored,
	"SettingsRead":      SettingsRead,
	"ShellHasAlias":     ShellHasAlias,
	"ShellHasNone":      ShellHasNone,
	"ShellSilent":       ShellSilent,
	"ShellUnknown":      ShellUnknown,
	"StaleRead":         StaleRead,
	"StatusMore":        StatusMore,
	"SwapFine":          SwapFine,
	"SwapOff":           SwapOff,
	"TextKept":          TextKept,
	"TextKeptForAgent":  TextKeptForAgent,
	"TooOld":            TooOld,
	"TookTooLong":       TookTooLong,
	"Uninstalled":       Uninstalled,
	"UnsavedFiles":      UnsavedFiles,
	"Waiting":           Waiting,
}

// typed is the package as the compiler sees it.
func typed(t *testing.T) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var parsed []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := config.Check("words", fset, parsed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// Every sentence, as it is read, is in one golden file.
func TestGolden(t *testing.T) {
	scope := typed(t).Scope()
	var out strings.Builder
	for _, name := range scope.Names() {
		object := scope.Lookup(name)
		if !object.Exported() {
			continue
		}
		switch object := object.(type) {
		case *types.Const:
			if object.Val().Kind() == constant.String {
				fmt.Fprintf(&out, "%s\n    %s\n", name, constant.StringVal(object.Val()))
			}
		case *types.Func:
			if name == "WithHint" || name == "Hints" {
				continue
			}
			make, ok := sentences[name]
			if !ok {
				t.Errorf("%s is not in the table of sentences", name)
				continue
			}
			fmt.Fprintf(&out, "%s\n", name)
			for _, text := range samples(make) {
				fmt.Fprintf(&out, "    %s\n", strings.ReplaceAll(text, "\n", "\n    "))
			}
		}
	}
	golden := filepath.Join("testdata", "words.golden")
	if os.Getenv("UPDATE") != "" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if diff := cmp.Diff(string(want), out.String()); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for i, line := range strings.Split(out.String(), "\n") {
		for _, bad := range []string{"failed to", "please", "Please", "sorry", "oops", "%!", "!\n"} {
			if strings.Contains(line, bad) {
				t.Errorf("golden line %d has %q: %s", i+1, bad, line)
			}
		}
	}
}

// samples calls a function with few, many, true and false, and returns what
// differs.
func samples(make any) []string {
	f := reflect.ValueOf(make)
	seen := map[string]bool{}
	var texts []string
	for variant := range 4 {
		args := []reflect.Value{}
		for i := range f.Type().NumIn() {
			args = append(args, sample(f.Type().In(i), variant))
		}
		text := fmt.Sprint(f.Call(args)[0])
		if !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	return texts
}

// sample is a value of a type: the first two variants mean one, the others
// several; odd ones true.
func sample(kind reflect.Type, variant int) reflect.Value {
	value := reflect.New(kind).Elem()
	if kind == reflect.TypeFor[error]() {
		value.Set(reflect.ValueOf(errors.New("the problem")))
		return value
	}
	switch kind.Kind() {
	case reflect.String:
		value.SetString("TEXT")
	case reflect.Bool:
		value.SetBool(variant%2 == 1)
	case reflect.Int:
		value.SetInt(int64(1 + variant/2*2))
	case reflect.Slice:
		for range 1 + variant/2*2 {
			value = reflect.Append(value, sample(kind.Elem(), variant))
		}
	case reflect.Struct:
		for i := range kind.NumField() {
			value.Field(i).Set(sample(kind.Field(i).Type, variant))
		}
	}
	return value
}
