package wishes

import "github.com/hmap-project/hmap/actors/plan/words"

// asksGoods: 卖 with 了, 得 or 最 tells of sales that were made, and so does a period.
var asksGoods = words.MustCompile(`(?i)(?:^|[^好能以了])(?:有?卖|在卖|售卖)(?:些|的)?(?:都?有)?(?:哪些|哪几[种款个样]|什么|啥)[^了过得最好赚火快贵多少]{0,12}$` +
	`|\b(?:which|what)(?: [\w-]+){0,4} (?:do|does) (?:we|you|they|i|(?:the|our|my|your) (?:shop|store)) (?:sell|stock|carry)\s*\??$`)

// AsksGoods reports whether a text asks which goods the shop has on sale, and not how they sold.
func AsksGoods(text string) bool { return asksGoods.MatchString(text) }
