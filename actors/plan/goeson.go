package plan

import (
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// GoesOn is an earlier question about a file with what a request adds to it or puts in its place, that says nothing but columns and values of the file, times and figures:
// and per product in September? is one question with that before it. What has a form that only an answer before it gives a sense, as only for East has, may name what the file lacks:
// the file says so. Without an earlier question
// it is what the request itself says. false: it is none of this file, or stands alone.
func (x *Index) GoesOn(earlier, request string, f bus.File, now time.Time) (string, bool) {
	said, needs := pruned(request)
	if said == "" && ofThose.MatchString(request) { // its rows are told by the question before it, and the tool by the whole
		said, needs = strings.TrimSpace(request), true
	}
	if said == "" {
		var short bool
		if said, short = elliptic(request); !short || !x.inWordsOf(said, f, now).ok {
			return "", false
		}
	}
	if len(earlier)+len(said) > maxPointing || needs && (f.Description == "" || facts.FileName.MatchString(" "+request) || ofHouse.MatchString(request) || words.LongNumber.MatchString(request) || x.wishesChange(request)) {
		return "", false
	}
	if earlier == "" {
		return said, true
	}
	if drawThat.MatchString(request) { // the last kind of chart is the one that is wanted
		earlier = drawnSo.ReplaceAllString(earlier, "")
	}
	return join(earlier, said, Language(request)), true
}

// ofThose speaks of the rows of the answer before it, and is no question without them.
var ofThose = words.MustCompile(`(?i)^(?:(?:and|so|now|then|ok),? )*(?:(?:of|among|from) (?:them|these|those)\b|(?:how many|which|who|what|whose)\b.{0,40}?\b(?:of|among|from) (?:them|these|those)\b)|^(?:那么?|然后|，)*(?:其中|这(?:里面|些(?:里面?|当中|中))|里面)`)

// drawnSo is what [elliptic] made of a wish for a chart, at the end of the question that it went on with.
var drawnSo = words.MustCompile(`(?:, draw(?: an?)?(?: [a-z]+)? [a-z]+|，画[^，,]{1,4}图表?)$`)

// drawThat wants what was told before drawn, and says nothing else: draw that as a bar chart, 把上面的结果画成折线图, 换成饼图.
var drawThat = words.MustCompile(`(?i)^(?:(?:now|please|can you|could you) )*(?:(?:draw|plot|chart|graph|make|turn|show|put|give|visuali[sz]e)(?: me)?)?(?: (?:that|this|it|them|these|those|(?:the|these|those) (?:results?|figures|numbers))(?: above)?)?` +
	`(?:(?:^| )(?:as|in|into|in to))?((?: an?)?(?: (?:bar|line|pie|column))? (?:chart|graph|plot|diagram)s?)?(?: (?:of|from|for|with) (?:that|this|it|them|these|those|(?:the|these) (?:results?|figures|numbers)))?(?:,? please)?[.!?]?$` +
	`|^(?:请|再|帮我|给我|那|，)*(?:把|将|用)?(?:它们?|这个|这些|上面|刚才|以上|结果|的|数据)*(?:都|也)?(?:画成?|绘制成?|做成?|换成|改成|用|生成|展示成|变成|看|来)?(?:一?[张个幅])?((?:柱[状形]?|条形?|折?线|饼[状形]?)?图表?)(?:吧|看看|一下|来?(?:表示|展示|显示))?[。.!！]?$`)

// drawsIt tells plot it from make it, where nothing names a chart.
var drawsIt = words.MustCompile(`(?i)\b(?:draw|plot|chart|graph|visuali[sz]e)\b`)

// Forms of a request that asks for a part of the answer before it, for another order or for other groups of the same, each with what it says in its groups.
var (
	partOnly = words.MustCompile(`(?i)^(?:(?:and|but|now|please|ok|okay|then|so),? )*(?:(?:show|give|list)(?: me)? )?(?:it |that |this )?(?:only|just)(?: (?:show|give|me|the|for|in|of|with|at|on|those|ones|rows|list))* (.{1,60}?)(?:,? please)?[.!?]*$` +
		`|^(?:(?:and|but|now|please|then|so),? )*(?:filter|limit|restrict|narrow)(?:ed)?(?: (?:it|that|this|them|these|those))?(?: down)? (?:by|to|for|on) (.{1,60}?)[.!?]*$|^(?:(?:for|in|of) )?(?:the )?(\S.{0,40}?) (?:only|alone)[.!?]*$` +
		`|^(?:那|再|请|现在|帮我|给我|，)*(?:只|仅|光|单独?)(?:看看?|要|算|统计|显示|查|保留|限于?|留|列出?)(?:一?下)?(.{1,30}?)(?:的)?(?:数据|部分|情况)?(?:就行|就好|即可|吧)?[。.!！]*$|^(?:那|再|请|帮我|，)*(?:筛选出?|过滤出?|限定为?|限于|缩小到)(.{1,30}?)(?:的)?(?:数据|部分)?[。.!！]*$`)
	splitBy = words.MustCompile(`(?i)^(?:(?:and|now|please|then|can you|could you),? )*(?:split|break|divide|slice|cut)(?: (?:it|that|this|them|these|those|each(?: one)?|the (?:results?|figures?|numbers?)))?(?: (?:up|down|out|further))* (?:by|per|into|for each) (.{1,40}?)(?:,? please)?[.!?]*$` +
		`|^(?:请|帮我|把(?:它|这个|结果|上面的)|，)*(?:再|进一步|继续)(?:按照?|分)(.{1,20}?)(?:来)?(?:分组?|拆分?|拆开|细分|统计|汇总|看|分开|划分|展开)?(?:一?下|吧|看看)?[。.!！]*$`)
	groupedBy = words.MustCompile(`(?i)^(?:(?:and|now|please|then|instead),? )*(?:(?:re)?group(?:ed)?|aggregate|put together)?(?: (?:it|that|this|them))?(?:^| )((?:by|per|for each) .{1,40}?)(?: instead)?(?:,? please)?[.!?]*$` +
		`|^(?:请|那|改成?|换成|还是|，)*(按照?.{1,20}?)(?:来)?(?:分组?|拆分?|拆开|分开|划分|统计|汇总|看|算|展开)(?:一?下|吧|看看|呢)?[。.!！?？]*$|^(?:请|那|改成?|换成|还是|，)*(按照?[^统计的汇呢？?]{1,8})$`)
	firstFew = words.MustCompile(`(?i)^(?:(?:and|now|please|then),? )*(?:(?:show|give|list|tell)(?: me)? |only |just |what (?:are|is) )?(?:the )?((?:top|bottom|best|worst|first|last|highest|lowest|largest|smallest) (?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten))(?: (?:ones?|of (?:them|these|those|that)|only|please|rows))*[.!?]*$` +
		`|^(?:请|那|再|，)*(?:只|仅)?(?:看|要|显示|列出|给我|取)?(?:看看)?((?:排名|排在)?(?:前|倒数|最后)(?:\d{1,3}|[一二两三四五六七八九十])(?:名|个|位|条|行|家|大|项))(?:就行|吧|呢|是哪些|有哪些)?[。.!！?？]*$`)
	// otherEnd: the lowest?, 最高的是哪个, 第二名呢; shareOfIt: what share is that, 占多少.
	otherEnd = words.MustCompile(`(?i)^(?:(?:and|but|now|so|then|ok),? )*(?:what (?:about|is|was) |how about |which (?:one )?(?:is|was|has|had) |who (?:is|was|has) )?((?:the )?(?:(?:second|third|fourth|fifth|\d{1,2}(?:st|nd|rd|th))[- ])?(?:highest|lowest|largest|smallest|biggest|best|worst|most|least|fewest|longest|shortest|oldest|youngest|cheapest|most (?:expensive|popular)|least popular))(?: ones?)?[.!?]*$` +
		`|^(?:那么?|再|，)*(最[高低多少大小好差贵长短强弱]|最便宜|最年[轻长]|倒?数?第[二三四五\d]{1,2}(?:名|位|[高低多少大小])|倒数第一)的?(?:是|又是|有)?(?:哪一?[个种家位款]|什么|谁|多少)?(?:呢)?[。.!！?？]*$`)
	shareOfIt = words.MustCompile(`(?i)^(?:(?:and|so|now),? )*what(?:'s| is| was)? (?:the )?(share|percentage|percent|proportion)(?: of (?:the )?(?:total|all))?(?: (?:is|was|are) (?:that|this|it|they|those|these))?[.!?]*$|^(?:那么?|这|它们?|，)*(占(?:总数的?)?(?:比例?|多少|百分之几)|比例|占比)(?:是?多少)?(?:呢)?[。.!！?？]*$`)
	sortedBy  = words.MustCompile(`(?i)^(?:(?:and|now|please|then),? )*(sort(?:ed)? .{1,40}?|(?:in )?(?:ascending|descending)(?: order)?|from (?:high(?:est)? to low(?:est)?|low(?:est)? to high(?:est)?))[.!?]*$|^(?:请|那|，)*((?:从[高低大小]到[高低大小]|[升降]序)(?:排[序列])?|按.{1,12}排序)[。.!！]*$`)
)

// pruned is what such a request says; "" when it is none. strong: without an answer before it, it has no sense at all.
func pruned(request string) (said string, strong bool) {
	request = strings.TrimSpace(request)
	if drawThat.MatchString(request) {
		return "", false
	}
	for _, form := range []*words.Pattern{splitBy, partOnly, firstFew, otherEnd, shareOfIt, sortedBy, groupedBy} {
		m := form.FindStringSubmatch(request)
		if m == nil {
			continue
		}
		said = strings.TrimSpace(strings.Join(m[1:], ""))
		switch {
		case form == splitBy && Language(request) == "zh":
			said = "再按" + said
		case form == splitBy:
			said = "split by " + said
		}
		return said, true
	}
	return "", false
}

// elliptic is what a request says that is no question without the one before it: 那9月呢, and per product?
func elliptic(request string) (said string, ok bool) {
	request = strings.TrimSpace(request)
	if m := drawThat.FindStringSubmatch(request); m != nil && (m[1] != "" || m[2] != "" || drawsIt.MatchString(request)) {
		if m[2] != "" {
			return "画" + m[2], true
		}
		return "draw" + words.Either(m[1] != "", strings.ToLower(m[1]), " a chart"), true
	}
	for _, re := range []*words.Pattern{insteadOf, onlyNamed} {
		if m := re.FindStringSubmatch(request); m != nil {
			return strings.TrimRight(m[1], "?？ "), true
		}
	}
	return "", false
}
