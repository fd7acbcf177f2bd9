// Package cards reads the cards of tools and agents: an [Entry] is a card with its parameters, results, verbs and words read from it, and says of
// itself what it takes, returns, lists and changes. A [Reader] reads each card once for several readers.
package cards
