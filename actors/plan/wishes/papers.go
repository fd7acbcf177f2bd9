package wishes

import "github.com/hmap-project/hmap/actors/plan/words"

var (
	// papersHan and papersEng: papers that an authority or a platform wants to see.
	papersHan = `资质|证件|证照|证明|执照|许可证?|材料|手续|批文|什么证|哪些证|啥证`
	papersEng = `papers|paperwork|documents?|documentation|licen[cs](?:e|es|ing)|certificates?|certifications?|permits?|qualifications?|credentials`
	// tradesHan and tradesEng: what they are wanted for.
	tradesHan = `开店|开[一个家]{0,2}.{0,10}店|开网店|卖|售|经营|入驻`
	tradesEng = `(?:open|start|run|set up|launch|operate|register|opening|starting|running|setting up|operating) (?:an? |my |our |the )?(?:[\w-]+ ){0,3}(?:shop|store|business)|sell|selling|deal in|dealing in`

	wantsPapers = words.MustCompile(`(?i)(?:` + tradesHan + `).{0,24}(?:要|需|准备|提供|提交|办|有).{0,8}(?:` + papersHan + `)|(?:要|需|准备|提供|提交|办)(?:理|要|交)?.{0,8}(?:` + papersHan + `).{0,12}(?:` + tradesHan + `)` +
		`|\b(?:` + papersEng + `)\b.{0,60}\b(?:` + tradesEng + `)\b|\b(?:` + tradesEng + `)\b.{0,60}\b(?:` + papersEng + `)\b|\bwhat\b.{0,20}\b(?:need|needs|needed|required?|have to have)\b.{0,20}\b(?:` + tradesEng + `)\b`)
)

// WantsPapers reports whether a text asks which papers somebody needs to open a shop or to sell something.
func WantsPapers(text string) bool { return wantsPapers.MatchString(text) }

// tradeHan are the goods that a shop sells: 手机 of 开一家卖手机的店, 酒 of 卖酒要什么证.
var tradeHan = words.MustCompile(`(?:[卖售]|经营)([^\s，。,；;？?的要需得应必有办能可以是什么哪些]{1,8})(?:的|要|需|得|应|必|有|办)`)

// TradeIn is what a text that asks for the papers of a trade says is sold; "" when it does not say so in these words.
func TradeIn(text string) string {
	if m := tradeHan.FindStringSubmatch(text); m != nil && WantsPapers(text) {
		return m[1]
	}
	return ""
}
