package words

// The acts of the demo, and what is said where there is nothing to show.
const (
	DemoTyped       = "A person types in Neovim, and does not save."
	DemoBlocked     = "The agent wants to edit the file. The hook answers:"
	DemoSaved       = "The person saves (:w)."
	DemoAllowed     = "The agent tries the same edit again. The hook answers:"
	DemoNoObjection = "(nothing: the edit goes ahead as the person's own permissions say)"
	DemoReloaded    = "The agent has put three lines on top. In Neovim:"
	DemoUndo        = "One undo (u) brings back the text before the agent's edit:"
	DemoEnd         = "That is all. Nothing is left behind: the file and the Neovim are gone."
)
