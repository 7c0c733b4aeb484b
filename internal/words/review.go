package words

import (
	"fmt"
	"path/filepath"
)

// Review is what the sentences of a review speak of.
type Review struct {
	Path        string // absolute
	Cell        string // of a notebook, "" for a file
	Change      string // "modify", "create", "insert cell", "delete cell"
	Agent       string // "Claude"
	Subagent    bool
	BecomesUnix bool // the file's CR LF would become LF
}

// ReviewText returns the texts that Neovim shows: "label" names the target,
// "old" and "new" head the two windows, "waiting" is the line for a person who
// is busy.
func ReviewText(r Review) map[string]string {
	label := filepath.Base(r.Path)
	if r.Cell != "" {
		label = fmt.Sprintf("cell %s of %s", r.Cell, label)
	}
	agent := r.Agent
	if r.Subagent {
		agent += "'s subagent"
	}
	verb, old := "proposes to change", label+" as it is"
	switch r.Change {
	case "create":
		verb, old = "proposes the new file", label+" does not exist yet"
	case "insert cell":
		verb, old = "proposes a new cell after", "a new cell"
		if r.Cell == "" {
			verb = "proposes a new first cell in"
		}
	case "delete cell":
		verb = "proposes to delete"
	}
	heading := fmt.Sprintf("%s %s %s", agent, verb, label)
	if r.BecomesUnix {
		heading += " (line ends become LF)"
	}
	return map[string]string{
		"label":   label,
		"old":     old,
		"new":     heading,
		"waiting": heading + ": :SidekickBridgeReview shows it",
	}
}

// ReviewRejected tells the agent that the person said no.
func ReviewRejected(path, reason string) string {
	if reason == "" {
		return fmt.Sprintf("The user looked at this change to %s in Neovim and rejected it. Nothing was written. "+
			"Do not make the same change by other means; continue without it, or ask the user what they want instead.", path)
	}
	return fmt.Sprintf("The user looked at this change to %s in Neovim and rejected it. Nothing was written. Their reason: %s\n"+
		"Adapt to the reason; do not make the same change by other means.", path, reason)
}

// ReviewUndone tells the agent that the person took every part of the change out.
func ReviewUndone(path string) string {
	return fmt.Sprintf("The user took every part of this change to %s out while reviewing it, so nothing was written. "+
		"Do not make the same change by other means; continue without it, or ask the user what they want instead.", path)
}

// ReviewOutdated tells the agent that the person would take the change, but not
// against the file as it is now.
func ReviewOutdated(path string) string {
	return fmt.Sprintf("The user wants this change, but %s changed on disk while they reviewed it, so nothing was written. "+
		"Read the file again and make the edit against its present text.", path)
}

// ReviewEdited tells the agent that the person changed its proposal before they
// accepted it; a diff follows.
func ReviewEdited(path string) string {
	return fmt.Sprintf("The user edited your proposed change to %s before accepting it; the file holds their version. "+
		"Keep what they changed, and read the file again before you edit the same place. "+
		"From your proposal to what was written:", path)
}

// ReviewStale tells the person that the file changed under the review.
func ReviewStale(path string) string {
	return fmt.Sprintf("%s changed on disk: accepting asks Claude to read it again, rejecting rejects", filepath.Base(path))
}

// ReviewNotText tells the person that their text cannot travel.
const ReviewNotText = "the proposal is not UTF-8 text any more: undo the last change, or reject it"

// ReviewUnsaved tells the person that accepting would bring their own unsaved
// text and the agent's into conflict.
func ReviewUnsaved(path, editor string) string {
	return fmt.Sprintf("%s has unsaved changes in %s: :w or :e! it, then accept", filepath.Base(path), editor)
}

// ReviewSettled tells the person how a review ended; "" where they did it
// themselves and saw it.
func ReviewSettled(path, outcome string) string {
	name := filepath.Base(path)
	switch outcome {
	case "accepted elsewhere":
		return fmt.Sprintf("the change to %s was accepted in the terminal", name)
	case "rejected elsewhere":
		return fmt.Sprintf("the change to %s was not accepted in the terminal", name)
	case "outdated":
		return fmt.Sprintf("Claude is asked to read %s again", name)
	case "withdrawn":
		return fmt.Sprintf("the change to %s was withdrawn: the agent is gone", name)
	}
	return ""
}
