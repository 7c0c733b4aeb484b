package proof

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sidekick/embed"
	"sidekick/install"
	"sidekick/internal/journal"
	"sidekick/internal/nvim/nvimtest"
	"sidekick/lua"
)

// faultVariable makes this test binary do one thing of writers in the folder that
// its argument names.
const faultVariable = "SIDEKICK_PROOF_FAULT"

func faultProcess(what, dir string) {
	if err := writers[what](dir); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// writers are all that writes files of ours or of the person's.
var writers = map[string]func(dir string) error{
	"install": func(dir string) error {
		_, err := install.Install(settingsIn(dir))
		return err
	},
	"uninstall": func(dir string) error {
		_, err := install.Uninstall(settingsIn(dir))
		return err
	},
	"cache": func(dir string) error {
		_, err := embed.Write(lua.FS, filepath.Join(dir, "cache"), lua.Version())
		return err
	},
	"log": func(dir string) error {
		return journal.Open(journal.Path(dir)).Add(journal.Entry{Time: time.Unix(1e9, 0), Event: "added", Reason: strings.Repeat("r", 3000)})
	},
}

func settingsIn(dir string) install.Request {
	return install.Request{File: filepath.Join(dir, "settings.json"), Binary: "/opt/sidekick"}
}

// files returns the files below dir and what they hold.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		found[strings.TrimPrefix(path, dir+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// whole fails where a file is neither what it was before nor what it is
// afterwards, or where one is missing. Of the log the lines that were there have
// to be. rest: files that nothing leads to may be left, as after a crash.
func whole(t testing.TB, dir string, before, after map[string]string, rest bool) {
	t.Helper()
	found := files(t, dir)
	for name, text := range found {
		old, wasThere := before[name]
		done, isThere := after[name]
		switch {
		case name == "ballast":
		case strings.HasSuffix(name, "log.jsonl"):
			if !strings.HasPrefix(text, old) {
				t.Errorf("%s: lines were lost", name)
			}
		case wasThere && text == old, isThere && text == done:
		case !wasThere && !isThere && rest:
		default:
			t.Errorf("%s holds half of it, or is left over: %d bytes; before %d, afterwards %d", name, len(text), len(old), len(done))
		}
	}
	for name := range before {
		if _, ok := found[name]; !ok && after[name] != "" {
			t.Errorf("%s is gone", name)
		}
	}
}

// fill makes a folder as it is before a writer works.
func fill(t testing.TB, dir, what string) {
	t.Helper()
	text := `{"permissions": {"allow": [` + strings.Repeat(`"Bash(ls)", `, 3000) + `"Read"]}}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writers["log"](dir); err != nil {
		t.Fatal(err)
	}
	if what == "uninstall" {
		if err := writers["install"](dir); err != nil {
			t.Fatal(err)
		}
	}
}

// states returns what a writer makes of a folder.
func states(t *testing.T, what string) (before, after map[string]string) {
	t.Helper()
	dir := nvimtest.NewHome(t).Dir
	fill(t, dir, what)
	before = files(t, dir)
	if err := writers[what](dir); err != nil {
		t.Fatal(err)
	}
	return before, files(t, dir)
}

// A writer that is killed, earlier or later, leaves the old file or the new one,
// and the next one works.
func TestKilledWhileItWrites(t *testing.T) {
	for what := range writers {
		t.Run(what, func(t *testing.T) {
			before, after := states(t, what)
			killed := 0
			for life := time.Duration(0); life < 300*time.Millisecond; life += life/8 + 500*time.Microsecond {
				dir := nvimtest.NewHome(t).Dir
				fill(t, dir, what)
				cmd := exec.Command(os.Args[0], dir)
				cmd.Env = append(os.Environ(), faultVariable+"="+what)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				timer := time.AfterFunc(life, func() { _ = cmd.Process.Kill() })
				err := cmd.Wait()
				timer.Stop()
				whole(t, dir, before, after, true)
				if err := writers[what](dir); err != nil {
					t.Errorf("after a kill: %v", err)
				}
				if err == nil {
					break // from here on it ends before it is killed
				}
				killed++
			}
			if killed == 0 {
				t.Error("none was killed")
			}
		})
	}
}

// A full disk leaves the old file or the new one, and nothing beside it; the hook
// still answers, and all works again once there is room.
func TestFullDisk(t *testing.T) {
	if os.Getenv("SIDEKICK_PROOF_MOUNTS") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$", "-test.v")
		cmd.Env = append(os.Environ(), "SIDEKICK_PROOF_MOUNTS=own")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
		if os.Getuid() != 0 { // a user of one's own may mount, too
			cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
		}
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestFullDisk/hook") {
			t.Fatalf("%v:\n%s", err, out)
		}
		return
	}
	if err := syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		t.Fatal(err)
	}
	for what := range writers {
		t.Run(what, func(t *testing.T) {
			before, after := states(t, what)
			full := 0
			for room := 0; room <= 512<<10; room += 4 << 10 {
				dir := smallDisk(t, what, room)
				err := writers[what](dir)
				whole(t, dir, before, after, false)
				if err != nil {
					full++
				}
				check(t, os.Remove(filepath.Join(dir, "ballast")))
				if err := writers[what](dir); err != nil {
					t.Errorf("with room again: %v", err)
				}
				check(t, syscall.Unmount(dir, syscall.MNT_DETACH))
				if err == nil && full > 0 {
					break
				}
			}
			if full == 0 {
				t.Error("the disk was never full")
			}
		})
	}
	t.Run("hook", func(t *testing.T) {
		home := nvimtest.NewHome(t)
		path := home.Write(t, "notes.txt", "one\n")
		typed(t, home, nvimtest.Binary(t, "0.10"), path)
		state := filepath.Join(home.Dir, ".local", "state")
		check(t, os.MkdirAll(state, 0o755))
		check(t, syscall.Mount("tmpfs", state, "tmpfs", 0, "size=4k"))
		check(t, os.WriteFile(filepath.Join(state, "ballast"), make([]byte, 4096), 0o600))
		if answer, _ := ask(t, home, path); !denied(answer) {
			t.Errorf("the hook answers %+v, want a deny", answer)
		}
		check(t, syscall.Unmount(state, syscall.MNT_DETACH))
	})
}

// smallDisk is a folder as fill makes it, with room bytes left.
func smallDisk(t *testing.T, what string, room int) string {
	t.Helper()
	const size = 2 << 20
	dir := nvimtest.NewHome(t).Dir
	check(t, syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)))
	fill(t, dir, what)
	var stat syscall.Statfs_t
	check(t, syscall.Statfs(dir, &stat))
	ballast := int64(stat.Bavail)*stat.Bsize - int64(room)
	check(t, os.WriteFile(filepath.Join(dir, "ballast"), make([]byte, ballast), 0o600))
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A hook that may open few files comes again until every one of many Neovims was
// asked: silence would mean that nothing is unsaved.
func TestFewDescriptors(t *testing.T) {
	home := nvimtest.NewHome(t)
	path := home.Write(t, "notes.txt", "one\n")
	binary := nvimtest.Binary(t, "0.10")
	var all sync.WaitGroup
	for range 31 {
		all.Go(func() { home.StartFound(t, binary, "-n", "-u", "NONE") })
	}
	all.Wait()
	typed(t, home, binary, path)
	payload, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": home.Dir, "tool_name": "Edit",
		"tool_input": map[string]any{"file_path": path, "old_string": "a", "new_string": "b"},
	})
	check(t, err)
	for _, descriptors := range []int{20, 14, 10} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = home.Environ(hookVariable+"="+home.Dir, fmt.Sprintf("%s=%d", descriptorsVariable, descriptors))
		cmd.Stdin = strings.NewReader(string(payload))
		out, err := cmd.Output()
		if err != nil || !strings.Contains(string(out), `"deny"`) {
			t.Errorf("with %d descriptors the hook answers %q, %v, want a deny", descriptors, out, err)
		}
	}
}

// The runtime folder was removed under a living Neovim: it cannot be asked, and
// its swap file speaks for it.
func TestRuntimeDirRemoved(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		path := home.Write(t, "notes.txt", "one\n")
		e := home.StartFound(t, binary)
		e.Edit(path)
		e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'}) vim.cmd('preserve')`)
		check(t, os.RemoveAll(home.Runtime))
		nvimtest.Eventually(t, "deny", func() error {
			if answer, _ := ask(t, home, path); !denied(answer) {
				return fmt.Errorf("the hook answers %+v", answer)
			}
			return nil
		})
	})
}

// The clock jumps between the hook and Neovim. A call that looks late is refused;
// then the swap file speaks, or the person is told. One that looks early is made.
// The next calls work.
func TestClockJumps(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		for _, hours := range []int{1, -1} {
			home := nvimtest.NewHome(t)
			path := home.Write(t, "notes.txt", "one\n")
			other := home.Write(t, "other.txt", "one\n")
			e := home.StartFound(t, binary)
			e.Edit(other)
			e.Lua(nil, `vim.o.hidden = true`)
			e.Edit(path)
			e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'}) vim.cmd('preserve')`)
			if answer, _ := ask(t, home, path); !denied(answer) { // brings the runtime
				t.Fatalf("the hook answers %+v, want a deny", answer)
			}
			e.Lua(nil, `
				local runtime, hours = require('_sidekick'), ...
				NOW = runtime.now
				runtime.now = function() return NOW() + hours * 3600000 end`, hours)
			if answer, _ := ask(t, home, path); !denied(answer) {
				t.Errorf("%d h: the hook answers %+v, want a deny", hours, answer)
			}
			check(t, os.WriteFile(other, []byte("two\n"), 0o644))
			post(t, home, other)
			if refused := e.Lines(other)[0] == "one"; refused != (hours > 0) {
				t.Errorf("%d h: refused is %t", hours, refused)
			}
			e.Lua(nil, `require('_sidekick').now = NOW`)
			post(t, home, other)
			if got := strings.Join(e.Lines(other), " "); got != "two" {
				t.Errorf("%d h: the buffer holds %q after the clock is right again", hours, got)
			}
			if got := strings.Join(e.Lines(path), " "); got != "typed one" {
				t.Errorf("%d h: unsaved text is %q", hours, got)
			}
		}
	})
}
