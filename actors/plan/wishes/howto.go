package wishes

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Who asks how a change is made to a thing that is named ("How do I cancel order N?") wants neither the change nor a look at the thing, but the words
// that have it done here.

var (
	wayHan = words.MustCompile(`(?:我|我们)?(?:应该|应当|该|要|想|可以|能)?(?:怎么|如何|怎样)(?:才能|才可以|可以|能|才|去|来|样)?`)
	wayEng = words.MustCompile(`(?i)^\s*(?:(?:so|and|well|please)[, ]+)?(?:can you (?:tell|show) me |(?:tell|show) me |what is the way to |what's the way to )?(?:how (?:do|can|should|could|would) (?:i|we|you|one)|how to|the way to)\s+`)
	// whyHan: 怎么取消了, 怎么还没发货 and 怎么退款这么慢 wonder about what has happened.
	whyHan = words.MustCompile(`(?:怎么|如何|怎样)(?:还|又|就|都|不|没|会|被|这么|那么|办|回事|突然|已)|了(?:呢|啊|呀)?\s*[?？]?$|的\s*[?？]?$`)
)

// WishOf is the wish of which a clause asks how it is done; "" when it asks no such thing.
func (c Clause) WishOf() string {
	if PoliteAsk.MatchString(c.Text) || !howTo.MatchString(c.Text) {
		return ""
	}
	wish := wayEng.ReplaceAllString(c.Text, "")
	if wish == c.Text {
		if whyHan.MatchString(c.Text) {
			return ""
		}
		if wish = wayHan.ReplaceAllString(c.Text, ""); wish == c.Text {
			return ""
		}
	}
	return strings.Trim(wish, " ?？。.呢啊呀，,")
}
