package nvim_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sidekick/internal/nvim"
	"sidekick/internal/nvim/nvimtest"
)

func dial(t *testing.T, address string) *nvim.Client {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	t.Cleanup(cancel)
	client, err := nvim.Dial(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func TestModifiedNamesAtHitEnter(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		address := home.NewAddress()
		term := home.Terminal(t, []string{binary, "--clean", "--listen", address})
		e := home.Attach(t, address)
		var want []string
		for i := range 150 { // more than one page
			path := home.Write(t, fmt.Sprintf("a folder with %%/file %d.txt", i), "text\n")
			e.Edit(path)
			e.Lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, {'typed'}) vim.o.hidden = true`)
			want = append(want, path)
		}
		term.Type(":echo 'a' | echo 'b'\r")
		nvimtest.Eventually(t, "hit-enter prompt", func() error {
			mode, err := dial(t, address).Mode()
			if err == nil && mode.Answers() {
				err = fmt.Errorf("mode %+v", mode)
			}
			return err
		})
		got, err := dial(t, address).ModifiedNames()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("modified names (-want +got):\n%s", diff)
		}
	})
}
