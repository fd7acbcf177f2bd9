package shop

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

type campaignQuery struct {
	span
	Category string `json:"category,omitempty" jsonschema:"title=类目" jsonschema_description:"推广的商品类目" jsonschema_extras:"x-needs=category"`
	Channel  string `json:"channel,omitempty" jsonschema:"title=渠道" jsonschema_description:"推广渠道"`
	Outcome  string `json:"outcome,omitempty" jsonschema:"title=盈亏,enum=亏钱,enum=赚钱,enum=losing,enum=profitable" jsonschema_description:"只要亏钱的或赚钱的活动；问花了、赚了多少时不填；不填为全部"`
	State    string `json:"state,omitempty" jsonschema:"title=进行状态,enum=进行中,enum=已结束,enum=running,enum=ended" jsonschema_description:"只在问正在进行、在投的活动，或已经结束的活动时填"`
	length
}

func (q *campaignQuery) understand() {
	q.State = chinese(q.State)
	q.Category, q.Channel = chinese(q.Category), chinese(q.Channel)
	if zh, ok := map[string]string{"亏钱": "亏", "losing": "亏", "赚钱": "赚", "profitable": "赚"}[q.Outcome]; ok {
		q.Outcome = zh
	}
}

type campaignReport struct {
	told
	Count     int            `json:"count" jsonschema:"title=活动数"`
	Cost      float64        `json:"cost" jsonschema:"title=花费合计" jsonschema_description:"元"`
	Sales     float64        `json:"sales" jsonschema:"title=带来的销售额" jsonschema_description:"元"`
	ROI       float64        `json:"roi" jsonschema:"title=投入产出比" jsonschema_description:"销售额除以花费"`
	Profit    float64        `json:"profit" jsonschema:"title=盈亏" jsonschema_description:"元；带来的销售额乘该类目的毛利率，减去花费，负数为亏"`
	Rate      float64        `json:"click_rate_percent" jsonschema:"title=点击率（%）" jsonschema_description:"点击占曝光的比例，%"`
	Click     float64        `json:"cost_per_click" jsonschema:"title=点击成本" jsonschema_description:"花费除以点击，元"`
	Channels  []channelLine  `json:"channels" jsonschema:"title=分渠道" jsonschema_description:"投入产出比高的在前"`
	Campaigns []campaignLine `json:"campaigns" jsonschema:"title=活动" jsonschema_description:"最近的在前"`

	during Period
}

type channelLine struct {
	Channel string  `json:"channel" jsonschema:"title=渠道" jsonschema_extras:"x-provides=channel"`
	Cost    float64 `json:"cost" jsonschema:"title=花费" jsonschema_description:"元"`
	Sales   float64 `json:"sales" jsonschema:"title=销售额" jsonschema_description:"元"`
	ROI     float64 `json:"roi" jsonschema:"title=投入产出比"`
	Profit  float64 `json:"profit" jsonschema:"title=盈亏" jsonschema_description:"元；负数为亏"`
	Count   int     `json:"campaigns" jsonschema:"title=活动数"`
	Orders  int     `json:"orders" jsonschema:"title=订单数"`
	Shown   int     `json:"impressions" jsonschema:"title=曝光"`
	Clicks  int     `json:"clicks" jsonschema:"title=点击"`
	Rate    float64 `json:"click_rate_percent" jsonschema:"title=点击率（%）" jsonschema_description:"点击占曝光的比例，%"`
	Click   float64 `json:"cost_per_click" jsonschema:"title=点击成本" jsonschema_description:"花费除以点击，元"`
}

type campaignLine struct {
	Name        string  `json:"name" jsonschema:"title=活动名称"`
	From        string  `json:"from" jsonschema:"title=开始日期"`
	To          string  `json:"to" jsonschema:"title=结束日期"`
	Cost        float64 `json:"cost" jsonschema:"title=花费" jsonschema_description:"元"`
	Sales       float64 `json:"sales" jsonschema:"title=销售额" jsonschema_description:"元"`
	ROI         float64 `json:"roi" jsonschema:"title=投入产出比"`
	Profit      float64 `json:"profit" jsonschema:"title=盈亏" jsonschema_description:"元；负数为亏"`
	Orders      int     `json:"orders" jsonschema:"title=订单数"`
	Impressions int     `json:"impressions" jsonschema:"title=曝光"`
	Clicks      int     `json:"clicks" jsonschema:"title=点击"`
	Rate        float64 `json:"click_rate_percent" jsonschema:"title=点击率（%）" jsonschema_description:"点击占曝光的比例，%"`
	Click       float64 `json:"cost_per_click" jsonschema:"title=点击成本" jsonschema_description:"花费除以点击，元"`
	ID          int     `json:"campaign_id" jsonschema:"title=活动编号" jsonschema_extras:"x-provides=campaign_id"`
}

type proposalQuery struct {
	Budget   float64 `json:"budget" jsonschema:"title=总预算,minimum=100,maximum=10000000" jsonschema_description:"元"`
	Category string  `json:"category,omitempty" jsonschema:"title=类目" jsonschema_description:"推广的商品类目；不填则按全店的历史效果" jsonschema_extras:"x-needs=category"`
	Days     int     `json:"days,omitempty" jsonschema:"title=天数,minimum=1,maximum=90" jsonschema_description:"活动天数，默认14"`
}

func (q *proposalQuery) understand() { q.Category = chinese(q.Category) }

type proposal struct {
	told
	Subject  string         `json:"subject" jsonschema:"title=推广对象"`
	Budget   float64        `json:"budget" jsonschema:"title=总预算" jsonschema_description:"元"`
	Days     int            `json:"days" jsonschema:"title=天数"`
	Sales    float64        `json:"expected_sales" jsonschema:"title=预计带来的销售额" jsonschema_description:"元"`
	Split    []proposalLine `json:"split" jsonschema:"title=预算分配"`
	LastYuan float64        `json:"last_yuan_margin" jsonschema:"title=最后一元预算的毛利" jsonschema_description:"元；小于1说明预算偏高，再投不划算"`
	Margin   float64        `json:"margin_percent" jsonschema:"title=毛利率（%）" jsonschema_description:"%"`
	Usual    float64        `json:"usual_daily_cost" jsonschema:"title=过去日均花费" jsonschema_description:"投放的日子里各渠道合计，元；预算超出很多时预计只能参考"`
	Basis    string         `json:"basis" jsonschema:"title=依据"`
}

type proposalLine struct {
	Channel string  `json:"channel" jsonschema:"title=渠道" jsonschema_extras:"x-provides=channel"`
	Budget  float64 `json:"budget" jsonschema:"title=预算" jsonschema_description:"元"`
	ROI     float64 `json:"roi" jsonschema:"title=历史投入产出比"`
	Sales   float64 `json:"expected_sales" jsonschema:"title=预计销售额" jsonschema_description:"元"`
}

type keywordQuery struct {
	Category string `json:"category,omitempty" jsonschema:"title=类目" jsonschema_description:"商品类目；不填为全店" jsonschema_extras:"x-needs=category"`
	Limit    int    `json:"limit,omitempty" jsonschema:"title=个数,minimum=1,maximum=50" jsonschema_description:"列出几个，默认10"`
}

func (q *keywordQuery) understand() { q.Category = chinese(q.Category) }

type keywordReport struct {
	told
	Subject  string        `json:"subject" jsonschema:"title=对象"`
	Count    int           `json:"count" jsonschema:"title=词数" jsonschema_description:"比较过的词"`
	Keywords []keywordLine `json:"keywords" jsonschema:"title=商机词" jsonschema_description:"机会大的在前"`
}

type keywordLine struct {
	Word        string  `json:"keyword" jsonschema:"title=关键词" jsonschema_extras:"x-provides=keyword"`
	Category    string  `json:"category" jsonschema:"title=类目" jsonschema_extras:"x-provides=category"`
	Searches    int     `json:"searches" jsonschema:"title=月搜索量"`
	Orders      float64 `json:"extra_orders" jsonschema:"title=每月可增订单" jsonschema_description:"估计"`
	Cost        float64 `json:"extra_cost" jsonschema:"title=每月花费" jsonschema_description:"全部点击都付费时，元"`
	Competition float64 `json:"competition_percent" jsonschema:"title=竞争度（%）" jsonschema_description:"有其他商家竞价的搜索占比，%"`
	Coverage    float64 `json:"coverage_percent" jsonschema:"title=本店覆盖（%）" jsonschema_description:"出现过本店商品的搜索占比，%"`
	Growth      float64 `json:"growth_percent" jsonschema:"title=搜索量环比（%）" jsonschema_description:"%"`
	Click       float64 `json:"click_price" jsonschema:"title=点击价" jsonschema_description:"元"`
}

func (s *Shop) marketingTools() []tools.Tool {
	return []tools.Tool{
		look(s, bus.Card{
			Name:        "campaign_results",
			Description: "查看营销推广活动的效果：曝光、点击、花费、订单、销售额、投入产出比、盈亏，分渠道比较；哪些广告亏钱。 Results of marketing campaigns by channel, with ROI and profit; which ads lose money.",
			Tags:        []string{"marketing", "营销", "推广", "投放", "活动效果", "ROI", "campaign", "广告", "广告效果", "ads", "advertising"},
		}, s.campaigns),
		look(s, bus.Card{
			Name:        "propose_campaign",
			Description: "按各渠道的历史投入产出，建议推广预算怎么分配、预计带来多少销售。只是建议，不会投放。 Propose how to split an advertising budget.",
			Tags:        []string{"marketing", "营销", "推广方案", "预算分配", "投放建议", "budget", "投广告", "ad spend"},
		}, proposeCampaign),
		look(s, bus.Card{
			Name:        "opportunity_keywords",
			Description: "推荐商机词：搜索量大、竞争小、本店还没覆盖的关键词，估计每月可增订单。 Opportunity keywords: searched much, contested little, not covered yet.",
			Tags:        []string{"marketing", "营销", "商机词", "关键词", "选词", "keywords"},
		}, opportunityKeywords),
	}
}

func (s *Shop) campaigns(ctx context.Context, tx *sql.Tx, q campaignQuery) (campaignReport, error) {
	none := campaignReport{}
	p, err := q.span.read(s.now(), Past, always)
	if err != nil {
		return none, err
	}
	if err := knownCategory(ctx, tx, q.Category); err != nil {
		return none, err
	}
	// What a campaign earned is the margin of its category, as measured over all sales, on what it sold, less what it cost.
	const earned = `WITH margins AS (SELECT p.category, 1 - sum(v.quantity * p.cost_fen) * 1.0 / max(sum(v.sales_fen), 1) AS margin FROM sales v JOIN products p USING (sku_id) GROUP BY p.category),
		earned AS (SELECT c.campaign_id, CAST(round(sum(d.sales_fen) * coalesce(m.margin, 0) - sum(d.cost_fen)) AS INTEGER) AS fen
			FROM campaigns c JOIN campaign_days d USING (campaign_id) LEFT JOIN margins m USING (category) WHERE d.day BETWEEN :from AND :to GROUP BY c.campaign_id) `
	const from = ` FROM campaigns c JOIN campaign_days d USING (campaign_id) JOIN earned e USING (campaign_id)
		WHERE (:outcome = '' OR (:outcome = '亏') = (e.fen < 0)) AND (:category = '' OR c.category = :category) AND (:channel = '' OR c.channel = :channel) AND d.day BETWEEN :from AND :to
		AND (:state = '' OR (:state = '进行中') = (c.ends_on >= :today))`
	args := []any{
		sql.Named("category", strings.TrimSpace(q.Category)), sql.Named("channel", strings.TrimSpace(q.Channel)),
		sql.Named("from", p.From.Format(dayForm)), sql.Named("to", p.To.Format(dayForm)), sql.Named("limit", q.length.rows()),
		sql.Named("outcome", q.Outcome), sql.Named("state", q.State), sql.Named("today", s.now().Format(dayForm)),
	}
	report := campaignReport{during: p}
	var cost, sales, profit, shown, clicks int64
	if err := tx.QueryRowContext(ctx, earned+`SELECT count(DISTINCT c.campaign_id), coalesce(sum(d.cost_fen), 0), coalesce(sum(d.sales_fen), 0), coalesce(sum(d.impressions), 0), coalesce(sum(d.clicks), 0)`+from, args...).
		Scan(&report.Count, &cost, &sales, &shown, &clicks); err != nil {
		return none, err
	}
	report.Cost, report.Sales, report.ROI = yuan(cost), yuan(sales), ratio(sales, cost)
	report.Rate, report.Click = digits(100*float64(clicks)/float64(max(shown, 1)), 2), digits(yuan(cost)/float64(max(clicks, 1)), 2)
	if err := tx.QueryRowContext(ctx, earned+`SELECT coalesce(sum(fen), 0) FROM earned WHERE campaign_id IN (SELECT c.campaign_id`+from+`)`, args...).Scan(&profit); err != nil {
		return none, err
	}
	report.Profit = yuan(profit)
	report.Channels, err = rows(ctx, tx, func(r *sql.Rows) (l channelLine, err error) {
		err = r.Scan(&l.Channel, &cost, &sales, &l.Count, &l.Orders, &l.Shown, &l.Clicks, &profit)
		l.Cost, l.Sales, l.ROI, l.Profit = yuan(cost), yuan(sales), ratio(sales, cost), yuan(profit)
		l.Rate, l.Click = digits(100*float64(l.Clicks)/float64(max(l.Shown, 1)), 2), digits(l.Cost/float64(max(l.Clicks, 1)), 2)
		return l, err
	}, earned+`SELECT c.channel, sum(d.cost_fen), sum(d.sales_fen), count(DISTINCT c.campaign_id), sum(d.orders), sum(d.impressions), sum(d.clicks),
		(SELECT sum(x.fen) FROM earned x WHERE x.campaign_id IN (SELECT y.campaign_id FROM campaigns y WHERE y.channel = c.channel)
			AND x.campaign_id IN (SELECT c.campaign_id`+from+`))`+from+` GROUP BY c.channel ORDER BY sum(d.sales_fen) * 1.0 / max(sum(d.cost_fen), 1) DESC`, args...)
	if err != nil {
		return none, err
	}
	report.Campaigns, err = rows(ctx, tx, func(r *sql.Rows) (l campaignLine, err error) {
		err = r.Scan(&l.ID, &l.Name, &l.From, &l.To, &l.Impressions, &l.Clicks, &cost, &l.Orders, &sales, &profit)
		l.Cost, l.Sales, l.ROI, l.Profit = yuan(cost), yuan(sales), ratio(sales, cost), yuan(profit)
		l.Rate, l.Click = digits(100*float64(l.Clicks)/float64(max(l.Impressions, 1)), 2), digits(l.Cost/float64(max(l.Clicks, 1)), 2)
		return l, err
	}, earned+`SELECT c.campaign_id, c.name, c.starts_on, c.ends_on, sum(d.impressions), sum(d.clicks), sum(d.cost_fen), sum(d.orders), sum(d.sales_fen), e.fen`+from+
		` GROUP BY c.campaign_id ORDER BY c.starts_on DESC, c.campaign_id LIMIT :limit`, args...)
	return report, err
}

// ratio is a quotient for people; 0 when nothing was spent.
func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return digits(float64(a)/float64(b), 2)
}

// knownCategory refuses a category that no product has; empty means all.
func knownCategory(ctx context.Context, tx *sql.Tx, category string) error {
	if strings.TrimSpace(category) == "" {
		return nil
	}
	_, err := goods{Category: category}.find(ctx, tx)
	return err
}

func proposeCampaign(ctx context.Context, tx *sql.Tx, q proposalQuery) (proposal, error) {
	none := proposal{}
	if q.Days == 0 {
		q.Days = 14
	}
	if !(q.Budget >= 100 && q.Budget <= 1e7) || q.Days < 1 || q.Days > 90 {
		return none, refuse("预算要在 100 到 10000000 元之间，天数要在 1 到 90 之间；现在是 %g 元、%d 天",
			"a budget is CNY 100 to 10000000 for 1 to 90 days; this is CNY %g for %d days", q.Budget, q.Days)
	}
	if err := knownCategory(ctx, tx, q.Category); err != nil {
		return none, err
	}
	category := strings.TrimSpace(q.Category)
	measured, err := rows(ctx, tx, func(r *sql.Rows) (m ChannelResult, err error) {
		err = r.Scan(&m.Channel, &m.Days, &m.Cost, &m.Sales)
		return m, err
	}, `SELECT c.channel, count(*), sum(d.cost_fen) / 100.0, sum(d.sales_fen) / 100.0 FROM campaigns c JOIN campaign_days d USING (campaign_id)
		WHERE ?1 = '' OR c.category = ?1 GROUP BY c.channel ORDER BY c.channel`, category)
	if err != nil {
		return none, err
	}
	shares, last := SplitBudget(q.Budget, q.Days, measured)
	if last == 0 {
		return none, refuse("%s 没有做过有成交的推广，无从估计；可以不填类目，按全店的历史效果分配",
			"no campaign for %s has sold anything yet, so there is nothing to go by; leave the category out to go by the whole shop", goods{Category: category}.both())
	}
	var margin float64
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(1 - sum(v.quantity * p.cost_fen) * 1.0 / max(sum(v.sales_fen), 1), 0) FROM sales v JOIN products p USING (sku_id) WHERE ?1 = '' OR p.category = ?1`,
		category).Scan(&margin); err != nil {
		return none, err
	}
	out := proposal{Subject: goods{Category: category}.label(), Budget: q.Budget, Days: q.Days, LastYuan: digits(last*margin, 2)}
	total := 0.0
	for _, share := range shares {
		total += share.ExpectedSales
		out.Split = append(out.Split, proposalLine{share.Channel, digits(share.Budget, 2), digits(share.ROI, 2), digits(share.ExpectedSales, 2)})
	}
	out.Sales = digits(total, 2)
	out.Margin, out.Usual = digits(100*margin, 0), digits(usualSpend(measured), 2)
	out.Basis = fmt.Sprintf("%d 个渠道的历史投放；假定销售额随日花费的平方根增长（投得越多，每元带来的越少）", len(measured))
	return out, nil
}

// usualSpend is what all channels together cost on a day that they ran.
func usualSpend(measured []ChannelResult) float64 {
	total := 0.0
	for _, m := range measured {
		total += m.Cost / float64(max(m.Days, 1))
	}
	return total
}

func opportunityKeywords(ctx context.Context, tx *sql.Tx, q keywordQuery) (keywordReport, error) {
	none := keywordReport{}
	if err := knownCategory(ctx, tx, q.Category); err != nil {
		return none, err
	}
	if q.Limit <= 0 {
		q.Limit = 10
	}
	category := strings.TrimSpace(q.Category)
	words, err := rows(ctx, tx, func(r *sql.Rows) (k Keyword, err error) {
		err = r.Scan(&k.Word, &k.Category, &k.Searches, &k.Growth, &k.Competition, &k.ClickCost, &k.OwnImpressions, &k.OwnClicks, &k.OwnOrders)
		return k, err
	}, `SELECT keyword, category, searches, growth, competition, cpc_fen / 100.0, own_impressions, own_clicks, own_orders FROM keywords
		WHERE ?1 = '' OR category = ?1 ORDER BY keyword`, category)
	if err != nil {
		return none, err
	}
	ranked := RankKeywords(words)
	report := keywordReport{Subject: goods{Category: category}.label(), Count: len(ranked), Keywords: []keywordLine{}}
	for _, o := range ranked[:min(q.Limit, 50, len(ranked))] {
		report.Keywords = append(report.Keywords, keywordLine{
			Word: o.Word, Category: o.Category, Searches: int(o.Searches), Orders: digits(o.ExtraOrders, 1), Cost: digits(o.ExtraCost, 0),
			Competition: digits(100*o.Competition, 0), Coverage: digits(100*o.Coverage, 1), Growth: digits(100*o.Growth, 0), Click: o.ClickCost,
		})
	}
	return report, nil
}
