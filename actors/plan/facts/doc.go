// Package facts reads the values that a text shows by itself, before any schema is looked at: dates and periods, people, phone numbers, codes,
// links, quotes, numbers with their units, paths, places. A [Fact] keeps its place in the text. Stretches of time are told relative to a clock
// that the caller gives, so the same text and time give the same facts.
package facts
