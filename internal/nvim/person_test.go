package nvim_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"sidekick/internal/nvim"
	"sidekick/internal/nvim/nvimtest"
)

func TestInputAndEval(t *testing.T) {
	nvimtest.Each(t, func(t *testing.T, binary string) {
		home := nvimtest.NewHome(t)
		editor := home.Start(t, binary)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		client, err := nvim.Dial(ctx, editor.Address)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		if err := client.Input("iT\u00fcr <lt><Esc>"); err != nil {
			t.Fatal(err)
		}
		nvimtest.Eventually(t, "the text", func() error {
			got, err := client.Eval("getline(1) .. &modified")
			if err != nil || got != "T\u00fcr <1" {
				return fmt.Errorf("%q, %w", got, err)
			}
			return nil
		})
		if got, err := client.Eval("6 * 7"); err != nil || got != "42" {
			t.Errorf("a number: %q, %v", got, err)
		}
		if got, err := client.Eval("no such thing"); err == nil {
			t.Errorf("nonsense is %q", got)
		}
	})
}
