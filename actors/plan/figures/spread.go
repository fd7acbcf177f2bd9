package figures

import (
	"math/big"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// spread words the first and the last of the rows by what is measured, and how far they are apart. Where the list is not the whole, or the tool put it in the order
// of one end, the other end may not be in it: then one of the two is told, and that the rest is not known.
func (s *Sheet) spread() (said string, rows []any) {
	if s.Sorted || s.missing() != 0 {
		said, rows = s.extreme()
		return said + words.Say(s.W.Lang, "列出的不是全部，另一头不在里面，所以算不出相差多少。", " Not all are listed, and the other end is not among them, so how far they are apart cannot be told."), rows
	}
	least, low := s.end(wishes.FoldLeast)
	most, high := s.end(wishes.FoldMost)
	said = most + words.Say(s.W.Lang, "", " ") + least
	if len(low) == 0 || len(high) == 0 {
		return said, s.Rows
	}
	a, b := Amount(cellOf(high[0], s.Of)), Amount(cellOf(low[0], s.Of))
	if a == nil || b == nil || s.compare(high[0], low[0]) == 0 {
		return said, high
	}
	label, unit := s.column()
	said += words.Say(s.W.Lang, "%[1]s相差 %[2]s%[3]s。", " Difference in %[1]s: %[2]s.", label, Decimal(new(big.Rat).Sub(a, b)), unit)
	return said, append(high[:len(high):len(high)], low...)
}

// end is one end of the rows, worded, and the rows that are there.
func (s *Sheet) end(fold wishes.Fold) (string, []any) {
	s.Fold = fold
	return s.extreme()
}
