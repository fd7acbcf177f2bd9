// Package actors is the minds of hmap: intake, which takes tasks from the queue; the agent actor, of which there is one for every
// call that runs; and the minds that think for it, with a language model or without. The [Team] is all agents of one node.
// Two minds think. The planner goes by rules and never waits. The thinker asks a language model, and keeps it honest with the planner:
// mind_offer.go shows it few tools, mind_check.go audits what it wants before any of it runs (mind_known.go: where ids come from),
// mind_ask.go sends back what fails, and answers that do nothing (mind_idle.go), mind_sure.go says when the planner can act alone, and mind_lead.go lets it.
//
// An actor is only a cache of the fold over its call's records. It appends what actors/round says is due, thinks and calls
// beside itself, and can be killed at any moment: whoever folds the log next goes on after the last record.
package actors
