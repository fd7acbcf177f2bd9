// Package figures works figures out from the rows that a tool returned: a [Folding] lays a reckoning on the columns of a list, a [Sheet] holds the
// rows that a request limits itself to, exact sums, means and groups come of them, and words that say how they were worked out.
package figures
