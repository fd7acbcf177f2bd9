// Package actors is the minds of hmap: intake, which takes tasks from the queue; the agent actor, of which there is one for every
// call that runs; and the minds that think for it, with a language model or without. The [Team] is all agents of one node.
//
// An actor is only a cache of the fold over its call's records. It appends what actors/round says is due, thinks and calls
// beside itself, and can be killed at any moment: whoever folds the log next goes on after the last record.
package actors
