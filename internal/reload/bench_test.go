package reload_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sidekick/internal/nvim/nvimtest"
	"sidekick/internal/reload"
)

// BenchmarkReload compares a reload with :edit of the same file: milliseconds
// for which the editor is busy (processor time of Neovim's main thread, redraw
// included, on a screen of 100 by 30), medians, and their ratio.
//
//	scripts/bench reload
//
// What highlighting costs after any change is Neovim's own: 0.10 parses a Lua
// file anew as a whole.
func BenchmarkReload(b *testing.B) {
	for _, version := range nvimtest.Versions {
		for _, lines := range []int{100, 10_000, 200_000} {
			for _, share := range []string{"few", "many", "all"} {
				for _, syntax := range []string{"plain", "treesitter"} {
					if syntax == "treesitter" && version == "0.7" {
						continue // ships no parser
					}
					b.Run(fmt.Sprintf("%s/%d/%s/%s", version, lines, share, syntax), func(b *testing.B) {
						benchmarkReload(b, nvimtest.Binary(b, version), lines, share, syntax == "treesitter")
					})
				}
			}
		}
	}
}

func benchmarkReload(b *testing.B, binary string, lines int, share string, treesitter bool) {
	home := nvimtest.NewHome(b)
	texts := [2]string{program(lines, share, "a"), program(lines, share, "b")}
	ours := startBench(b, home, binary, texts[0], "ours.lua", treesitter)
	stock := startBench(b, home, binary, texts[0], "stock.lua", treesitter)
	changed := slices.IndexFunc(strings.Split(texts[0], "\n"), func(line string) bool { return strings.HasSuffix(line, "-- a") })
	var reloads, edits []time.Duration
	// One round is not counted: the first reload of a buffer of which nothing is known.
	for i := range b.N + 1 {
		before, after := texts[i%2], texts[(i+1)%2]
		whole := false
		took := ours.busy(func() {
			names := []string{ours.path}
			client := dial(b, ours.Address)
			if err := reload.BeforeEdit(names).Tell(client); err != nil {
				b.Fatal(err)
			}
			write(b, ours.path, after)
			result, err := reload.File(client, &reload.Request{Names: names, Before: &before, Say: say})
			if err != nil || !result.Blocked && len(result.Buffers) != 1 {
				b.Fatalf("%+v, %v", result, err)
			}
			whole = !result.Blocked && result.Buffers[0].State == reload.Reloaded
			client.Close()
		})
		nvimtest.Eventually(b, "the buffer is the file", func() error {
			var line string // all lines would leave Neovim other memory than :edit's
			ours.Lua(&line, `return vim.fn.getline(...)`, changed+1)
			if line != strings.Split(after, "\n")[changed] {
				return errors.New("it is not")
			}
			return nil
		})
		if whole { // else still at work after the round before: it caught up by itself
			reloads = append(reloads, took)
		}
		write(b, stock.path, after)
		edits = append(edits, stock.busy(func() { stock.Command("edit!") }))
	}
	if strings.Join(ours.Lines(ours.path), "\n")+"\n" != texts[(b.N+1)%2] {
		b.Fatal("the buffer is not the file")
	}
	if len(reloads) < 2 {
		b.Fatalf("%d of %d reloads were made in one go", len(reloads), b.N+1)
	}
	r, e := median(reloads[1:]), median(edits[1:])
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ms(r), "reload-ms")
	b.ReportMetric(ms(e), "edit-ms")
	b.ReportMetric(float64(r)/float64(e), "ratio")
	if bar := bars[lines][share]; bar > 0 {
		b.ReportMetric(bar, "bar")
	}
}

// bars are the ratios to stay below.
var bars = map[int]map[string]float64{
	10_000:  {"few": 0.6, "many": 1.5, "all": 1.5},
	200_000: {"few": 0.2, "many": 2.5, "all": 2.5},
}

type benchEditor struct {
	*nvimtest.Editor
	path string
	pid  int
	b    *testing.B
}

func startBench(b *testing.B, home nvimtest.Home, binary, text, name string, treesitter bool) benchEditor {
	e := benchEditor{Editor: home.Start(b, binary), path: home.Write(b, name, text), b: b}
	if err := e.RPC.AttachUI(100, 30, map[string]any{}); err != nil {
		b.Fatal(err)
	}
	e.Lua(&e.pid, `return vim.fn.getpid()`)
	e.Command("filetype off | syntax off | set noswapfile")
	if treesitter {
		e.Lua(nil, `vim.api.nvim_create_autocmd('BufReadPost', {callback = function(event)
			vim.treesitter.start(event.buf, 'lua')
		end})`)
	}
	e.Edit(e.path)
	return e
}

// busy returns how long Neovim is busy with do and with what follows from it.
func (e benchEditor) busy(do func()) time.Duration {
	from := e.processorTime()
	do()
	// 0.12 parses in slices, after the redraw: what is still to do counts too.
	e.Lua(nil, `vim.cmd('redraw')
		local highlighter = (vim.treesitter.highlighter or {}).active
		if highlighter and highlighter[vim.api.nvim_get_current_buf()] then
			vim.treesitter.get_parser(0, 'lua'):parse()
		end`)
	return e.processorTime() - from
}

// processorTime is what the kernel has given to Neovim's main thread. Unlike a
// clock, it does not count what else the machine does.
func (e benchEditor) processorTime() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", e.pid))
	if err != nil {
		e.b.Fatalf("this benchmark needs Linux: %v", err)
	}
	ns, err := strconv.ParseInt(strings.Fields(string(text))[0], 10, 64)
	if err != nil {
		e.b.Fatal(err)
	}
	return time.Duration(ns)
}

// program is a Lua program of functions of 20 lines, of which some lines end in
// tag.
func program(lines int, share, tag string) string {
	every := map[string]int{"few": max(1, lines/3), "many": 20, "all": 1}[share]
	var text strings.Builder
	for i := range lines {
		end := "usual"
		if (i+1)%every == 0 {
			end = tag
		}
		switch i % 20 {
		case 0:
			fmt.Fprintf(&text, "local function name%d(value) -- %s\n", i, end)
		case 19:
			fmt.Fprintf(&text, "end -- %s\n", end)
		default:
			fmt.Fprintf(&text, "  value[%d] = call(%d, 'text') -- %s\n", i, i*7, end)
		}
	}
	return text.String()
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

func ms(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}
