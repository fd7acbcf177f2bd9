package round

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/consent"
)

// Who is asked for leave for several calls may agree to some of them: "yes, but only the first two", 除了第三个都可以. The calls are told apart by their
// place in the ask, or by an id among their arguments. Words that say anything besides are no such answer.

const (
	countHan = `[一二两三四五六七八九十]{1,3}|\d{1,3}`
	measure  = `(?:个|单|笔|条|项|件|款|位|号)`
	ordinals = `first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,3}(?:st|nd|rd|th)`
	counts   = `one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}`
)

var (
	headOf   = regexp.MustCompile(`(?:最?前|头)(?:面的?)?(` + countHan + `)` + measure + `|\b(?:the )?first (` + counts + `)\b`)
	tailOf   = regexp.MustCompile(`最?后(?:面的?)?(` + countHan + `)` + measure + `|\b(?:the )?last (` + counts + `)\b`)
	fromTo   = regexp.MustCompile(`第?(` + countHan + `)` + measure + `?(?:-|~|–|—|到|至)第?(` + countHan + `)` + measure + `?|(?:\b(?:numbers?|nos?\.?|items?|rows?|lines?) )?#?\b(\d{1,3}) ?(?:-|–|—|to|through|until) ?#?(\d{1,3})\b`)
	placeOf  = regexp.MustCompile(`第(` + countHan + `)` + measure + `?|(` + `\d{1,3})号|\b(?:the )?(` + ordinals + `)(?: one| item)?\b|(?:#|\b(?:numbers?|nos?\.?|items?|rows?|lines?) )(\d{1,3})\b|(最后那?个|\bthe last(?: one)?\b)`)
	listOf   = regexp.MustCompile(`第((?:` + countHan + `)(?:[、和与及](?:` + countHan + `))+)` + measure + `?`) // 第1、3个
	between  = regexp.MustCompile(`[、和与及]`)
	bareOf   = regexp.MustCompile(`\b(\d{1,3})(个|单|笔|条|项|件|款|位)?`)
	idOf     = regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9_-]{4,63}`)
	portions = regexp.MustCompile(`[,，。.;；!！\n]+`)

	asks   = regexp.MustCompile(`[?？]|[吗么呢嘛]$`)
	spaces = regexp.MustCompile(`\s+`)

	excludes = regexp.MustCompile(`除外|除了?|以外|之外|不(?:同意|要|用|需要|必|改|取消|发|动|执行|做|处理|可以|行)|别|先?(?:留着?|保留|跳过)|\b(?:except(?: for| that)?|excluding|apart from|other than|all but|but not|not|don['’]?t|do not|skip|leave(?: out)?|without|spare|keep)\b`)
	includes = regexp.MustCompile(`只|仅|光|\b(?:only|just)\b`)
	agrees   = regexp.MustCompile(consent.Chinese + `|\b` + consent.English + `\b`)
	theOther = regexp.MustCompile(`其[他它余]的?|剩下的?|别的|\b(?:the )?(?:others?|rest|remaining(?: ones)?)\b`)
	// connects are the words around places that say nothing of which: those of deeds are among doings.
	connects = regexp.MustCompile(`但是?|不过|那就?|请|麻烦|就|都|也|全部?|所有的?|把|给|对|其中|这|那|要|吧|了|的|里面?|和|跟|与|及|、|&|还有|以及|个|单|项|条|笔|几|订单|商品|产品|退款|消息|客户|买家|现在|先|可|好|行|就行|\b(?:but|and|the|ones?|of|them|these|those|please|with|to|for|all|everything|every|are|is|orders?|products?|items?|refunds?|messages?|customers?|buyers?|it|that|on|then|now|go ahead|also|a)\b`)
	doings   = regexp.MustCompile(`执行|处理|同意|批准|动|做|改价?|取消|发货?|发送|退款?|通知|调价?|降价?|涨价?|提价?|补货?|开票?|关闭?|\b(?:approve|do|make|run|change|update|set|cancel|ship|send|message|refund|raise|lower|increase|reduce|restock|issue|close)\b`)
	anyDeed  = regexp.MustCompile(`^(?:执行|处理|同意|批准|动|做|改|approve|do|make|run|change)$`)
)

// numerals are the numbers that are written as words.
var numerals = map[string]int{"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10}

// numeral reads a number up to 99; 0 when it is none.
func numeral(s string) int {
	if n, ok := numerals[s]; ok {
		return n
	}
	if n, err := strconv.Atoi(strings.TrimRight(s, "stndrh")); err == nil {
		return n
	}
	if ten, one, ok := strings.Cut(s, "十"); ok && len(s) > 0 {
		tens := 1
		if ten != "" {
			tens = numerals[ten]
		}
		if one == "" {
			return tens * 10
		}
		if numerals[one] > 0 {
			return tens*10 + numerals[one]
		}
	}
	return 0
}

// Picked reads which of the calls of an ask somebody agrees to, in their order. sure: they agreed to those in as many words, as against merely leaving others out,
// so that leave need not be asked for again. ok is false when the words are no such answer, above all when they say anything else besides.
func Picked(text string, ask bus.Ask) (yes []bool, sure, ok bool) {
	n := 1 + len(ask.Others)
	text = spaces.ReplaceAllString(strings.ToLower(strings.TrimSpace(text)), " ")
	if n < 2 || asks.MatchString(text) || len(text) > 400 {
		return nil, false, false
	}
	in, out := make([]bool, n), make([]bool, n)
	some, without, placed := false, false, false
	left := false // the places of this part are those that are left out
	for _, part := range portions.Split(text, -1) {
		places, rest, fits := placesIn(part, ask)
		if !fits {
			return nil, false, false
		}
		excluded, included, agreed := excludes.MatchString(rest), includes.MatchString(rest), false
		rest = theOther.ReplaceAllString(excludes.ReplaceAllString(rest, " "), " ")
		if agreed = agrees.MatchString(rest) || theOther.MatchString(part); agreed {
			rest = agrees.ReplaceAllString(rest, " ")
		}
		for _, deed := range doings.FindAllString(rest, -1) {
			if !anyDeed.MatchString(deed) && !strings.Contains(strings.ToLower(ask.Question), strings.TrimRight(deed, "货款价票")) {
				return nil, false, false
			}
		}
		rest = connects.ReplaceAllString(doings.ReplaceAllString(includes.ReplaceAllString(rest, " "), " "), " ")
		if strings.TrimSpace(rest) != "" || excluded && len(places) == 0 {
			return nil, false, false
		}
		sure = sure || agreed || included
		if len(places) == 0 {
			continue
		}
		placed = true
		if excluded || included || agreed {
			left = excluded && !included
		}
		for _, p := range places {
			if left {
				out[p], without = true, true
			} else {
				in[p], some = true, true
			}
		}
	}
	if !placed {
		return nil, false, false
	}
	yes = make([]bool, n)
	for i := range yes {
		yes[i] = (!some || in[i]) && !(without && out[i])
	}
	return yes, sure, true
}

// placesIn are the calls that a part of a text names, counted from 0, and the text without them. False: it names one that is not there, or a mere number of calls.
func placesIn(part string, ask bus.Ask) (places []int, rest string, ok bool) {
	n, ok := 1+len(ask.Others), true
	take := func(re *regexp.Regexp, read func(groups []string)) {
		part = re.ReplaceAllStringFunc(part, func(s string) string {
			var groups []string
			for _, g := range re.FindStringSubmatch(s)[1:] {
				if g != "" {
					groups = append(groups, g)
				}
			}
			read(groups)
			return " "
		})
	}
	span := func(from, to int) {
		ok = ok && 1 <= from && from <= to && to <= n
		for i := from; ok && i <= to; i++ {
			places = append(places, i-1)
		}
	}
	part = idOf.ReplaceAllStringFunc(part, func(s string) string {
		i := slices.IndexFunc(argumentsOf(ask), func(raw json.RawMessage) bool { return named(raw, s) })
		if i < 0 {
			return s
		}
		span(i+1, i+1)
		return " "
	})
	take(headOf, func(g []string) { span(1, numeral(g[0])) })
	take(tailOf, func(g []string) { span(n+1-max(numeral(g[0]), 1), n) })
	take(listOf, func(g []string) {
		for _, at := range between.Split(g[0], -1) {
			span(numeral(at), numeral(at))
		}
	})
	take(fromTo, func(g []string) { span(numeral(g[0]), numeral(g[1])) })
	take(placeOf, func(g []string) {
		if at := numeral(g[0]); at > 0 {
			span(at, at)
		} else {
			span(n, n)
		}
	})
	bare := bareOf.FindAllStringSubmatch(part, -1)
	if slices.ContainsFunc(bare, func(m []string) bool { return m[2] != "" }) || len(bare) == 1 && len(places) == 0 { // only 2: the second, or two of them?
		return nil, part, false
	}
	take(bareOf, func(g []string) { span(numeral(g[0]), numeral(g[0])) })
	return places, part, ok
}

// argumentsOf are those of the calls of an ask, in their order.
func argumentsOf(ask bus.Ask) []json.RawMessage {
	out := []json.RawMessage{ask.Arguments}
	for _, o := range ask.Others {
		out = append(out, o.Arguments)
	}
	return out
}

// named reports whether an argument is this text, large and small letters alike.
func named(arguments json.RawMessage, text string) bool {
	given, _ := decoded(arguments).(map[string]any)
	for _, v := range given {
		if s, is := v.(string); is && strings.EqualFold(s, text) {
			return true
		}
	}
	return false
}

// picked notes what was said to an ask for leave of which some calls were picked: a no to the others, and a yes to these where that is sure; else leave for them is
// asked for once more. False: the words pick nothing.
func (s *State) picked(a *Act, in bus.Input) bool {
	if in.Kind != bus.Answer || a.Ask.ID != a.Child || a.Ask.Kind != bus.Approval {
		return false
	}
	yes, sure, ok := Picked(in.Text, *a.Ask)
	if !ok {
		return false
	}
	n, _ := s.owner(a.Child)
	s.Answers = append(s.Answers, Answered{*a.Ask, in})
	calls := []string{a.Child}
	for _, o := range a.Ask.Others {
		calls = append(calls, o.Call)
	}
	for i, call := range calls {
		at := slices.IndexFunc(n.Acts, func(o *Act) bool { return o.Child == call && o.ToolName == a.ToolName && o.Result == nil })
		if at < 0 || yes[i] && !sure {
			continue
		}
		if n.Acts[at].said == nil {
			n.Acts[at].said = map[string]bus.Input{}
		}
		n.Acts[at].said[call] = bus.Input{Kind: bus.Refuse, By: in.By}
		if yes[i] {
			n.Acts[at].said[call] = bus.Input{Kind: bus.Approve, By: in.By}
		}
	}
	a.Ask, a.unclear = nil, false
	return true
}
