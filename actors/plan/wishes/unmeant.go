package wishes

import (
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// A verb of change is no wish where it is refused ("do not cancel", 不用催发货) or only told of ("the buyer wrote: please cancel").
// Both are scopes: they reach from the word that opens them to the one that ends the thought. Where it is not clear how far a
// refusal reaches, it reaches farther: a change that was not made can be asked for again.

// lacking is a state of things that are looked for, "paid orders without a refund": no verb of change stands before it, and what they are without is no deed.
const lacking = `^\W*(?:(?:please|and|can|could|you|i|want|need|to|would|like|show|list|find|get|give|display|see|view|look|check|up|for|at|which|what|who|how|many|count|number|tell|are|is|were|was|there|do|did|we|have|had|of|me|us|all|any|every|the|my|our|total|newest|latest|oldest|last|this|past|recent|today|yesterday|month|week|year|paid|shipped|unshipped|completed|finished|delivered|cancelled|open|in|on|from|s|\d{1,4}|[a-z]+(?:day|ember|uary|ober))(?:['’]s)?[ ,]+)*` +
	`(?:orders?|products?|items?|goods|customers?|buyers?|clients?|parcels?|shipments?|packages?|refunds?|invoices?|campaigns?|skus?|models?) (?:(?:that|which|are|is|were|still|placed|in|from|of|last|this|month|week|year|today|yesterday|[a-z]+(?:day|ember|uary|ober)) )*without (?:(?:an?|any) )?[a-z]*(?:[a-fh-z]|[a-mo-z]g|[a-hj-z]ng)\b`

// refusals open a scope; what their first group matches looks like a refusal and is none: 能不能, 分别, 别忘了, 不想要了, "don't forget
// to", and the states of things ("has not shipped").
var (
	// RefusalHan and RefusalEng open what a text refuses; their first group only looks like a refusal.
	RefusalHan = words.MustCompile(`(有没有|[能可要会该想用需]不[能可要会该想用需]|[特分级类区性识个判鉴告辨]别|别(?:的|人|处|家|名)|(?:不要|不可以?|不能|别|勿)(?:再)?(?:忘|犹豫|等|拖|客气)|不(?:得|能|可|会)不|不(?:想|需)?(?:要|用|买)了|不(?:仅|但|只))` +
		`|不(?:要|用|必|需|准|许|能|可|得|想|打算|应|该|会|再|给|替|帮|愿|希望|建议|允许|同意|批准|支持|接受)|[别勿甭]|[无毋][需须]|禁止|严禁|切莫|停止|暂停|避免|以免|以防|免得|防止|而非|没有?(?:说|让|叫|要|想|打算|同意|答应|决定|允许|必要)|不是(?:说|让|叫|要|想)|不到|(?:以后|回头|下次|过几天)再`)
	RefusalEng = words.MustCompile(`(?i)\b(?:is|are|was|were|be|have|has|had|am|'m|'re)(?:n['’]t| not) (?:yet )?(?:to|going|asking|asked|telling|told|saying|said|planning|planned|trying|supposed|allowed|permitted|meant|necessary|needed|required|time|about|decided|agreed|approved|ready|ok|okay)\b` +
		`|(` + lacking + `|\bnot (?:just|only|merely)\b|(?:\bdo not|n['’]t|\bnot|\bnever) (?:ever )?(?:forget|hesitate|fail|miss|wait|delay)\b|\b(?:why do|can|could|wo|would)n['’]t you\b|\b(?:why not)\b|\bno need,|\b(?:what|who|which(?: \w+){0,2}) (?:did|does|do|has|have)(?:n['’]t| not) (?:yet )?\w+\b` +
		`|\b(?:is|are|was|were|be|been|has|have|had|am)(?:n['’]t| not)(?: (?:yet|been|being))* \w+\b|\bnot (?:yet |been )*\w+ed\b)` +
		`|(?:n['’]t|\bnot|\bnever|\bcannot|\bdont)\b(?:,[^,.;!?]{1,60},)?|\bno (?:need|reason|wish|one)\b|\bnobody\b|\bwithout\b|\binstead of\b|\brather than\b|\bavoid(?:ing)?\b|\brefrain\b|\bprevent\b|\bforbid(?:den)?\b|\bprohibit(?:ed)?\b|\bhold off\b|\bnor\b|\bneither\b|\b(?:stop|quit) \w*ing\b`)
	// refusalBack refuses what stands before it: 退款就不用了.
	refusalBack = words.MustCompile(`(?:不用|不必|不需要|免|算)了|(?:不用|不必|先别|先不要?)(?:做|办|弄|动|处理|操作)`)
	// takenBack ends a request that is not wanted after all, all of it: 取消订单 1，不，先别; "cancel it, no wait, don't".
	takenBack = words.MustCompile(`(?i)[，,。.;；！!—-]\s*(?:(?:哦|噢|啊|等等|等一下|等下|不对?|还是)[，,。！!\s]*)*(?:先别|别了|先不|不了|先?算了|先等等|当我没说)[吧啊呀了]*[\s。.！!~]*$|` +
		// or of which it is not sure yet that it is, or which somebody else wanted and was refused
		`(?:还|我还?|但|但是|可是|不过|[，,。；;\s])(?:还)?(?:没有?(?:想好|决定|确定|考虑好|定)|拿不定主意|不确定|在犹豫|再想想|再考虑|先?考虑一下|想一想)[^，,。；;]{0,6}[\s。.！!~]*$|[，,。；;\s](?:但是?|可是?|不过)?我们?(?:还)?(?:没有?|不|拒绝)(?:同意|答应|批准|照做|允许|肯)?了?[\s。.！!~]*$|` +
		`(?:或者?|还是)(?:先)?(?:不|别)\p{Han}{0,6}[\s。.！!]*$|\bor not\b[\s.!]*$|\b(?:but|and|though|;|,) ?(?:i(?:['’]m| am) )?(?:i )?(?:not (?:yet )?sure|have(?:n['’]t| not) (?:yet )?(?:decided|made up my mind)|undecided|still (?:thinking|deciding))(?: yet| about it)?[\s.!]*$|[,;.]\s*(?:but )?i (?:did(?:n['’]t| not)|have(?:n['’]t| not)|never|do(?:n['’]t| not)) (?:agree|agreed|say yes|approve|approved)[\s.!]*$|\?\s*no[\s.!]*$|` +
		`[,.;!—-]\s*(?:(?:oh|no|nah|wait|actually|sorry|hold on|on second thoughts?)[,.!\s]+)*(?:please )?(?:do not|don['’]?t|never ?mind|forget (?:it|that|about it)|scratch that)[\s.!]*$`)
	// doneHan tells what somebody of ours has done already, and supposed opens what is only thought of, or is not meant: neither is a wish.
	doneHan  = words.MustCompile(`我们?(?:刚刚?才?|已经?|早就|早已|之前|上次|昨天|前天)[^，,。；;！!？?\n]{0,24}?了`)
	supposed = words.MustCompile(`(?i)(?:^|[，,。；;！!\s]|我)不是(?:取消|退款|退货|发货|改|降|涨|删|催|关闭|开票|补货)|假装|假设|假定|模拟|(?:翻译|改写|润色|造句|念一遍)[^：:\n]{0,30}[:：]|(?:假如|如果|要是|倘若)我们?(?:现在)?(?:取消|退款|退货|发货|改|降|涨|删|催|关闭|开票|补货)|(?:本来|原本|原先|之前|差一?点儿?|险些|几乎)(?:是)?(?:我)?(?:想|要|打算|准备|就)?(?:[把将给对])?|(?:在|正)?考虑(?:要不要|是否|是不是)?|\b(?:translate|rewrite|rephrase|proofread)[^:\n]{0,40}:|\b(?:pretend|imagine|suppose|assume|simulat\w+|almost|nearly|was going to|were going to|was about to|used to|thinking (?:about|of)|considering|maybe|perhaps)\b`)
	// ThoughtEnds ends a refusal. A comma before a number only goes on counting: 不要给订单 1, 2 发货.
	ThoughtEnds = words.MustCompile(`(?i)[。；;！!？?\n]|\.(?:\s|$)|[，,]\s*(?:[^\d\s]|$)|但|而是|只(?:要|需|是|用)|直接|了(?:帮|请|麻烦|就)|\b(?:but|please|just|only|however)\b`)
	// series: the comma of "do not cancel, refund or change it" ends nothing.
	series = words.MustCompile(`(?i)^[，,][^.;!?。；！？\n]{0,100}(?:\b(?:or|nor)\b|或)`)
)

// told opens the words of somebody else; its first group makes that person the one who is spoken to. Behind a colon they reach
// to the end of the sentence.
var (
	told3 = `客户|买家|顾客|用户|对方|他们?|她们?|留言|备注|邮件|短信|消息`
	// ToldHan and ToldEng open the words of somebody else.
	ToldHan = words.MustCompile(`([给向跟对和与帮替为]|告诉|通知|联系)?(?:` + told3 + `)[^，。,；;！!？?\n]{0,12}?(?:说|问|写道|写着|写的是|声称|表示|留言|反映|抱怨|[:：])`)
	ToldEng = words.MustCompile(`(?i)(\b(?:to|tell|inform|notify|ask|email|message) )?\b(?:(?:the|a|an|our|my|this|that|his|her|their) )?(?:buyer|customer|client|user|shopper|he|she|they|someone|message|note|mail|email|letter)s?(?: [\w-]+){0,3}?(?: (?:wrote|writes|said|says|claims|claimed|complains|complained|told (?:me|us)|ask(?:s|ed)(?: me| us)? (?:if|whether|why|how|when))\b| ?:| (?:ask(?:s|ed)) ?:)`)
	// SentenceEnds is the end of a sentence.
	SentenceEnds = words.MustCompile(`[。！!？?\n]|\.(?:\s|$)`)
	colon        = words.MustCompile(`^\s*[:：]`)
	quoted       = words.MustCompile(`"[^"]*"|“[^”]*”|「[^」]*」|『[^』]*』|‘[^’]*’|(?:^|[\s(（:：])'[^'\n]{1,200}'`)
	// endorsed: what somebody else said is made the user's own wish.
	endorsed = words.MustCompile(`(?i)照办|照做|按(?:他|她|客户|买家|顾客)说的|\b(?:do (?:so|it|that|as (?:he|she|they))|go ahead)\b`)
)

// OwnWish is a text of the same length with spaces for what it refuses or only reports, so that every verb of change that is left
// is the user's own wish.
func OwnWish(s string) string {
	out := []byte(s)
	blank := func(from, to int) { copy(out[from:to], strings.Repeat(" ", to-from)) }
	if (strings.ContainsAny(s, quoteSigns) || ToldHan.MatchString(s) || ToldEng.MatchString(s)) && !endorsed.MatchString(s) {
		if strings.ContainsFunc(quoted.ReplaceAllString(s, ""), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) { // else the request itself is quoted
			for _, m := range quoted.FindAllStringIndex(s, -1) {
				blank(m[0], m[1])
			}
		}
		for _, re := range []*words.Pattern{ToldHan, ToldEng} {
			Scopes(s, re, func(from, to int) { blank(from, min(to, toldUntil(s, from))) }, func(at int) *words.Pattern {
				if colon.MatchString(s[at:]) || strings.HasSuffix(s[:at], ":") || strings.HasSuffix(s[:at], "：") {
					return SentenceEnds
				}
				return ThoughtEnds
			})
		}
	}
	for _, re := range []*words.Pattern{RefusalHan, RefusalEng} {
		Scopes(s, re, blank, func(int) *words.Pattern { return ThoughtEnds })
	}
	for _, m := range supposed.FindAllStringIndex(s, -1) {
		to := len(s)
		if e := ThoughtEnds.FindStringIndex(s[m[1]:]); e != nil {
			to = m[1] + e[0]
		}
		blank(m[0], to)
	}
	for _, re := range []*words.Pattern{doneHan, takenBack} {
		for _, m := range re.FindAllStringIndex(s, -1) {
			blank(words.Either(re == takenBack, 0, m[0]), m[1])
		}
	}
	if !words.Wide(s) {
		return string(out)
	}
	from := 0
	for _, m := range refusalBack.FindAllStringIndex(s, -1) {
		if ends := ThoughtEnds.FindAllStringIndex(s[from:m[0]], -1); len(ends) > 0 {
			from += ends[len(ends)-1][0]
		}
		blank(from, m[0])
		from = m[1]
	}
	return string(out)
}

// toldUntil is where the words end that begin at a byte: of a message of ours where the next wish begins, of somebody else's nowhere.
func toldUntil(s string, from int) int {
	lead := s[strings.LastIndexAny(s[:from], "，,。；;.\n")+1 : from]
	if !TellOthers.MatchString(lead) {
		return len(s)
	}
	return SaidUntil(s, from)
}

// quoteSigns are those with which quoted begins.
const quoteSigns = "\"“「『‘'"

// Scopes blanks what the matches of a pattern open, each up to what ends it there.
func Scopes(s string, opens *words.Pattern, blank func(from, to int), ends func(at int) *words.Pattern) {
	done := 0
	for _, m := range opens.FindAllStringSubmatchIndex(s, -1) {
		if m[2] >= 0 || m[1] < done {
			continue
		}
		end := ends(m[1])
		for done = m[1]; done < len(s); {
			e := end.FindStringIndex(s[done:])
			if e == nil {
				done = len(s)
				break
			}
			if done += e[0]; !series.MatchString(s[done:]) {
				break
			}
			done++
		}
		blank(m[1], done)
	}
}
