-- Neovim's Lua is LuaJIT.
std = 'luajit'
read_globals = { 'vim' }
-- vim.o.x = y and the like assign to fields of a global that we only read.
globals = { 'vim.o', 'vim.bo', 'vim.wo', 'vim.go', 'vim.g', 'vim.b', 'vim.w', 'vim.v', 'vim.opt', 'vim.opt_local' }
max_line_length = 100
-- A type annotation cannot be wrapped.
max_comment_line_length = false
-- An unused argument documents a callback's shape.
unused_args = false
