// Package plan is the mind that needs no large model: from a request, the cards on offer and what was observed so far it
// decides the next actions, the question to ask back, or the answer. It also keeps a language model honest: it offers it the
// few cards that matter ([Index.Find]) and checks what it plans ([Index.Check]).
//
// A request goes through these stations, each a file or a package below this one:
//
//	goal.go      what is wanted: answers to questions, context, earlier turns (turns.go); read without courtesies (courtesy.go) and slips of the fingers (spelling.go, sounds.go), bare code in a fence (runnable.go); what is said meanwhile (steered.go), and which parts it counts for (narrowed.go); what "the second one" (refer.go, places.go, list.go), "it" (pronoun.go),
//	             "of them" (among.go), "all but the first" (therest.go), "all late orders" (every.go), what a part of the sentence takes out of a change (spared.go, withheld.go, without.go, eachbut.go), under which state of its thing one is wished (ifstate.go) and whose that is (whose.go), what a note shall say (noted.go), what the last change took away (undo.go), which goods stay as they are (keptkind.go), what is looked at where a change is refused (onlylook.go), "and October?" (instead.go), "who buys it?" (further.go) and "no, last month" (corrected.go) mean there; what nothing on offer can do (outside.go, basket.go, notdone.go), and what is only asked how it is done (howto.go); files of a connected server (elsewhere.go, onserver.go)
//	filing/      a request that is all about text files of the session, read to its last word and bound to the tools for them (filing.go)
//	wishes/      the goal cut into clauses that each want one thing
//	facts/       typed values read from the text: dates, ids, people, quotes, numbers
//	cards/       what a card says of its tool, read once
//	retrieve.go  the cards nearest in meaning to a clause: words, hashed n-grams, embeddings as far as they are believed (trust.go), fused by rank
//	terminals.go which tools a request of several wishes wants, for a full plan: judged in its stretches (survey.go, match.go, resemble.go, contest.go, feeding.go);
//	             one in Chinese by what its parts wish (han.go, hanparts.go)
//	choose.go    which tool or agent each clause wants, for the next round (order.go, halves.go, fan.go, behind.go)
//	bind.go      facts onto the parameters of a card, by type, rule and nearness (fields/, fromto.go, known.go, enum.go, drawn.go)
//	scant.go     the same for cards that say no more than a name, a type and some words: in English by what is learned (slots.go, with tokens.go, spans.go,
//	             slotnear.go, slottraits.go, slotweights.go), in Chinese by its marks (ends.go, labels.go); what signs tell in both (signed.go, moments.go)
//	graph.go     which field of which tool can fill which parameter
//	weave.go     the same for a full plan ([Index.PlanAll]): how likely each way is (traits.go, weights.go, spots.go,
//	             relate.go, evidence.go), which names of fields say nothing (hollow.go) and what all names wear (badges.go), and of how many fields it asks (looked.go)
//	search.go    the cheapest plan backward from the terminal tools to what is known (solve.go, solver/), and what else could be done and why it was not (alternatives.go, reasons.go, explain.go)
//	gate.go      a look before each change that a person would be asked to agree to, what it forbids (state.go), what is there now (present.go), and what goes against the words of the change (contrary.go)
//	schedule.go  what runs first when not all may run at once
//	think.go     the next round: dispatch, ask, or answer; again after every observation (next.go, step.go, thought.go)
//	answer.go    words and tables from observations, nothing that no observation says (render/), and figures worked out from rows (figures/)
//
// All of them stand on words/, which knows the two languages.
//
// What was learned from the public sets is remade by HMAP_TRAIN=1 go test -run TestTerminalWeights (terminals_weights.go) and
// HMAP_LEARN=1 go test -run 'TestWeights|TestSlotWeights' (weights.go, slotweights.go); each prints what it reaches on the half that it did not see.
//
// Everything here is pure: no clock, no network, no goroutine left behind; the same input gives the same outcome, byte for byte. An
// [Index] is never written after [NewIndex], so it is safe from many goroutines.
package plan
