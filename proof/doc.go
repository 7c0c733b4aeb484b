// Package proof holds the tests that judge the whole: a model test, in which a
// random person and a random agent work on the same files with real Neovims.
package proof
