package nvim

import (
	"errors"
	"fmt"
	"time"
)

// answerEvent names the notification that carries a late answer.
const answerEvent = "sidekick_answer"

// await calls method, which promises one notification, and returns what that
// brings. args gets the fields channel and event, which say where to send it.
// ok is false where the method promises none. Nothing holds the editor up
// meanwhile.
func await[T any](c *Client, method string, args map[string]any) (answer T, ok bool, err error) {
	arrived := make(chan T, 1)
	err = c.rpc.RegisterHandler(answerEvent, func(answer T) {
		select {
		case arrived <- answer:
		default: // one is enough
		}
	})
	if err != nil {
		return answer, false, fmt.Errorf("call %s: %w", method, err)
	}
	args["channel"], args["event"] = c.rpc.ChannelID(), answerEvent
	promise, err := Call[struct {
		Waiting bool `msgpack:"waiting"`
	}](c, method, args)
	if err != nil || !promise.Waiting {
		return answer, false, err
	}
	timer := time.NewTimer(time.Until(c.deadline))
	defer timer.Stop()
	select {
	case answer = <-arrived:
		return answer, true, nil
	case <-timer.C:
		return answer, false, fmt.Errorf("call %s: %w", method, errNoNotice)
	}
}

var errNoNotice = errors.New("no answer came in time")
