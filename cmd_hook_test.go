package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sidekick/internal/nvim/nvimtest"
)

// Whatever is wrong with the disk, with what is in the place of our files or with
// the limits: an edit of unsaved text is refused, exit status 0, nothing on
// stderr, which the client would show to the agent.
func TestHookIsRightOnASickMachine(t *testing.T) {
	home := nvimtest.NewHome(t)
	file := home.Write(t, "notes.txt", "line 1\n")
	saved := home.Write(t, "saved.txt", "line 1\n")
	editor := home.StartFound(t, nvimtest.Binary(t, "0.12"), saved, file)
	editor.Command("edit " + file)
	editor.Type("Atyped<Esc>")
	payload := func(file string) string {
		return home.Write(t, filepath.Base(file)+".json", fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"PreToolUse",`+
			`"tool_name":"Edit","tool_input":{"file_path":%q,"old_string":"line","new_string":"x"}}`, home.Dir, file))
	}
	refused, passed := payload(file), payload(saved)
	// Each line is run as root in a mount namespace of its own; $S is our folder
	// in the state home, $C the file of options.
	for name, line := range map[string]string{
		"well":                  "true",
		"full disk":             "mkdir -p $S; mount -t tmpfs -o size=8k none $S; cat /dev/zero >$S/x 2>/dev/null",
		"full disk, old log":    "mkdir -p $S; mount -t tmpfs -o size=8k none $S; echo '{' >$S/log.jsonl; cat /dev/zero >$S/x 2>/dev/null",
		"no inodes":             "mkdir -p $S; mount -t tmpfs -o nr_inodes=1 none $S",
		"read-only":             "mkdir -p $S; mount -t tmpfs -o ro none $S",
		"all of it read-only":   "mount --bind $H $H; mount -o remount,ro,bind $H",
		"a file for a folder":   "mkdir -p $(dirname $S); echo >$S",
		"a pipe for a log":      "mkdir -p $S; mkfifo $S/log.jsonl",
		"a folder for a log":    "mkdir -p $S/log.jsonl",
		"a device for a log":    "mkdir -p $S; ln -s /dev/full $S/log.jsonl",
		"a pipe for the notes":  "mkdir -p $S; mkfifo $S/sessions",
		"a pipe for options":    "mkdir -p $(dirname $C); mkfifo $C",
		"noise for options":     "mkdir -p $(dirname $C); head -c 65536 /dev/urandom >$C",
		"endless options":       "mkdir -p $(dirname $C); ln -s /dev/zero $C",
		"no file may grow":      "ulimit -f 0",
		"few files may be open": "ulimit -n 24",
		"another language":      "export LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8",
		"umask":                 "umask 0277",
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct {
				payload string
				deny    bool
			}{{refused, true}, {passed, false}} {
				cmd := exec.Command("unshare", "-m", "sh", "-c", line+"; exec "+sidekick(t)+" hook <"+c.payload)
				cmd.Dir = home.Dir
				state := t.TempDir()
				cmd.Env = home.Environ("XDG_STATE_HOME="+state, "XDG_CONFIG_HOME="+state+"/config",
					"S="+state+"/sidekick", "C="+state+"/config/sidekick/config.toml", "H="+home.Dir)
				var out, errs strings.Builder
				cmd.Stdout, cmd.Stderr = &out, &errs
				if err := cmd.Run(); err != nil || errs.String() != "" {
					t.Errorf("%s: %v, %q", c.payload, err, errs.String())
				}
				if got := strings.Contains(out.String(), `"permissionDecision":"deny"`); got != c.deny {
					t.Errorf("%s: %q", c.payload, out.String())
				}
			}
		})
	}
}
