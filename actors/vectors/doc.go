// Package vectors brings the vectors of an embedding model to the planner without ever being in its way. Those of cards are asked for beside,
// in batches, and kept in the cache of the bus for all nodes and the next start; until all cards of an index have theirs it does without. The
// vector of a request is waited for a moment only, and from a model that is slow or down not even that for a while.
//
// Guaranteed: nothing here fails a thought, or holds it up for longer than [Options].Wait. Vectors of different models are never compared.
// Not guaranteed: that there are vectors. Memory holds those of 16,384 cards, and the cache of the bus as many as 56 MiB do (of 1,536 numbers: 9,000);
// an agent whose cards find no room plans without, and the log says so once.
package vectors
