package shop

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/invopop/jsonschema"
)

// goods are the arguments that name products, shared by the tools that work on some of them. All empty: the whole shop.
type goods struct {
	Category string `json:"category,omitempty" jsonschema:"title=类目" jsonschema_description:"商品类目" jsonschema_extras:"x-needs=category"`
	Name     string `json:"sku_name,omitempty" jsonschema:"title=商品名称" jsonschema_description:"商品名称或其中一部分，可带品牌" jsonschema_extras:"x-needs=sku_name"`
	SKU      string `json:"sku_id,omitempty" jsonschema:"title=商品编号,pattern=^[0-9]{14}$" jsonschema_description:"14位数字" jsonschema_extras:"x-needs=sku_id"`
}

// understand takes English words for a category or a product.
func (g *goods) understand() { g.Category, g.Name = chinese(g.Category), chineseWithin(g.Name) }

type product struct {
	Name     string  `json:"sku_name" jsonschema:"title=商品名称" jsonschema_extras:"x-provides=sku_name"`
	Category string  `json:"category" jsonschema:"title=类目" jsonschema_extras:"x-provides=category"`
	Brand    string  `json:"brand" jsonschema:"title=品牌"`
	Price    float64 `json:"price" jsonschema:"title=售价" jsonschema_description:"元"`
	Cost     float64 `json:"cost" jsonschema:"title=成本" jsonschema_description:"每件的进货、运费与平台费，元"`
	Stock    int     `json:"stock" jsonschema:"title=库存" jsonschema_description:"件"`
	SKU      string  `json:"sku_id" jsonschema:"title=商品编号" jsonschema_extras:"x-provides=sku_id"`
}

type productQuery struct {
	goods
	length
}

func (q *stockQuery) understand() {
	q.goods.understand()
	if zh, ok := map[string]string{"scarce": "即将售罄", "depleted": "已售罄"}[q.State]; ok {
		q.State = zh
	}
}

type productList struct {
	told
	Count    int       `json:"count" jsonschema:"title=商品数"`
	Products []product `json:"products" jsonschema:"title=商品" jsonschema_description:"不填 limit 则最多20个"`
}

type stockQuery struct {
	goods
	State  string `json:"state,omitempty" jsonschema:"title=库存状态,enum=即将售罄,enum=已售罄,enum=scarce,enum=depleted" jsonschema_description:"不填则全部列出；两周内会卖完的也算快没了"`
	Within int    `json:"within_days,omitempty" jsonschema:"title=天数,minimum=1,maximum=365" jsonschema_description:"只列按最近28天的销量、这么多天内会卖完的商品；不填则全部列出"`
	length
}

type stockList struct {
	told
	Count  int         `json:"count" jsonschema:"title=商品数"`
	Pieces int         `json:"pieces" jsonschema:"title=总库存" jsonschema_description:"这些商品的库存合计，件"`
	Cost   float64     `json:"stock_cost" jsonschema:"title=库存成本" jsonschema_description:"库存按现在的成本价合计，元"`
	Worth  float64     `json:"stock_value" jsonschema:"title=库存总值" jsonschema_description:"库存按现在的售价合计，元"`
	Stock  []stockLine `json:"stock" jsonschema:"title=库存" jsonschema_description:"最先卖完的在前，不填 limit 则最多20个"`
}

type stockLine struct {
	Name   string   `json:"sku_name" jsonschema:"title=商品名称" jsonschema_extras:"x-provides=sku_name"`
	Stock  int      `json:"stock" jsonschema:"title=库存" jsonschema_description:"件"`
	PerDay float64  `json:"sold_per_day" jsonschema:"title=日均销量" jsonschema_description:"最近28天，件"`
	Days   *float64 `json:"days_left,omitempty" jsonschema:"title=可卖天数" jsonschema_description:"库存除以日均销量；最近28天没有卖出的商品没有这一项"`
	SKU    string   `json:"sku_id" jsonschema:"title=商品编号" jsonschema_extras:"x-provides=sku_id"`

	cost, price int64 // fen, of one piece
}

type setStock struct {
	oneGood
	Stock int `json:"stock" jsonschema:"title=库存,minimum=0,maximum=1000000" jsonschema_description:"改成、补货到多少件（不是增减多少）"`
}

type stockSet struct {
	told
	Name   string `json:"sku_name" jsonschema:"title=商品名称"`
	Before int    `json:"before" jsonschema:"title=原库存"`
	Stock  int    `json:"stock" jsonschema:"title=现库存"`
	SKU    string `json:"sku_id" jsonschema:"title=商品编号" jsonschema_extras:"x-provides=sku_id"`
}

type setPrice struct {
	oneGood
	Price float64 `json:"price" jsonschema:"title=新售价,minimum=0.01,maximum=1000000" jsonschema_description:"改成、降价到、涨到多少元，精确到分"`
	Loss  bool    `json:"accept_loss,omitempty" jsonschema:"title=允许亏本" jsonschema_description:"新售价低于成本时必须为 true"`
}

type priceSet struct {
	told
	Name   string  `json:"sku_name" jsonschema:"title=商品名称"`
	Before float64 `json:"before" jsonschema:"title=原售价" jsonschema_description:"元"`
	Price  float64 `json:"price" jsonschema:"title=新售价" jsonschema_description:"元"`
	Margin float64 `json:"margin" jsonschema:"title=毛利" jsonschema_description:"新售价减成本，元"`
	SKU    string  `json:"sku_id" jsonschema:"title=商品编号" jsonschema_extras:"x-provides=sku_id"`
}

func (s *Shop) productTools() []tools.Tool {
	return []tools.Tool{
		look(s, bus.Card{
			Name:        "find_products",
			Description: "按类目、名称、品牌或编号查找商品：店里卖哪些、多少钱一件，给出编号、售价、成本、库存。 Find products: what the shop sells, with price, cost and stock.",
			Tags:        []string{"pricing", "products", "商品", "find products", "售价", "单价", "多少钱", "什么价", "price", "最贵", "最便宜", "cheapest", "most expensive"},
		}, func(ctx context.Context, tx *sql.Tx, q productQuery) (productList, error) {
			all, err := q.goods.find(ctx, tx)
			return productList{Count: len(all), Products: all[:min(q.length.rows(), len(all))]}, err
		}),
		look(s, bus.Card{
			Name:        "stock_level",
			Description: "查看库存还剩多少件、还能卖多少天，库存总值，找出快断货、快卖完的商品。 Show stock: how many pieces are left, how long they last, the value of the inventory, what is about to run out.",
			Tags:        []string{"pricing", "products", "商品", "stock", "inventory", "库存", "断货", "缺货", "快没了", "没货", "卖断", "running low", "out of stock", "库存总值", "库存成本", "库存价值", "inventory value", "stock value"},
		}, s.stockLevel),
		change(s, bus.Card{
			Name:        "set_stock",
			Description: "把一个商品的库存改成多少件：补货到、盘点后更新。要有商品名称或编号，和改成多少件。 Set or restock one product to a number of pieces; needs the product and the number.",
			Effect:      bus.Idempotent, Approval: "ask", Tags: []string{"pricing", "products", "商品", "set stock", "restock", "改库存", "补货", "补货到"},
		}, changeStock),
		change(s, bus.Card{
			Name:        "set_price",
			Description: "把一个商品的售价改成多少元：降价到、涨价到、调到，立即生效。要有商品名称或编号，和新的价格。 Change, lower or raise the price of one product, effective at once; needs the product and the new price.",
			Effect:      bus.Idempotent, Approval: "ask", Tags: []string{"pricing", "products", "商品", "set price", "change price", "改价", "改价格", "改成", "降价到", "降到", "涨价到", "涨到", "调价", "修改售价", "打折"},
		}, s.changePrice),
	}
}

const productColumns = `SELECT p.sku_id, p.name, p.brand, p.category, p.price_fen, p.cost_fen, p.stock FROM products p`

func scanProduct(r *sql.Rows) (p product, err error) {
	var price, cost int64
	err = r.Scan(&p.SKU, &p.Name, &p.Brand, &p.Category, &price, &cost, &p.Stock)
	p.Price, p.Cost = yuan(price), yuan(cost)
	return p, err
}

// answersTo is the condition that product p answers to :name.
const answersTo = `(instr(lower(p.name), lower(:name)) > 0 OR lower(p.category) = lower(:name) OR lower(p.brand) = lower(:name)
	OR (instr(lower(:name), lower(p.brand)) = 1 AND instr(lower(p.name), trim(substr(lower(:name), length(p.brand) + 1))) > 0))`

// wordsOfName parts a name into its words, which stand in it with or without spaces between Chinese and other ones.
var wordsOfName = regexp.MustCompile(`\p{Han}+|[^\p{Han}\s]+`)

// all gives the products meant, by category and name.
func (g goods) all(ctx context.Context, tx *sql.Tx) ([]product, error) {
	name, category := strings.TrimSpace(g.Name), strings.TrimSpace(g.Category)
	all, err := rows(ctx, tx, scanProduct, productColumns+` WHERE (:sku = '' OR p.sku_id = :sku) AND (:category = '' OR lower(p.category) = lower(:category))
		AND (:name = '' OR `+answersTo+`) ORDER BY p.category, p.sku_id`, sql.Named("sku", g.SKU), sql.Named("category", category), sql.Named("name", name))
	if parts := wordsOfName.FindAllString(name, 50); err == nil && len(all) == 0 && len(parts) > 1 { // 5L 空气炸锅, 手机Lite: by each of its words
		all, err = rows(ctx, tx, scanProduct, productColumns+` WHERE (:sku = '' OR p.sku_id = :sku) AND (:category = '' OR lower(p.category) = lower(:category))
			AND NOT EXISTS (SELECT 1 FROM json_each(:parts) WHERE iif(value GLOB '[0-9A-Za-z]*',
				instr(' ' || replace(replace(lower(p.name), lower(p.brand), lower(p.brand) || ' '), lower(p.category), lower(p.category) || ' '), ' ' || lower(value)),
				instr(replace(lower(p.name), ' ', ''), lower(value))) = 0)
			ORDER BY p.category, p.sku_id`, sql.Named("sku", g.SKU), sql.Named("category", category), sql.Named("parts", list(parts)))
	}
	return all, err
}

// find gives the products meant. None is a failure that names near ones.
func (g goods) find(ctx context.Context, tx *sql.Tx) ([]product, error) {
	all, err := g.all(ctx, tx)
	if err != nil || len(all) > 0 {
		return all, err
	}
	known, err := rows(ctx, tx, func(r *sql.Rows) (n string, err error) { err = r.Scan(&n); return n, err }, `SELECT category FROM products UNION SELECT name FROM products ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	if len(known) == 0 {
		return nil, refuse("店里还没有商品",
			"the shop has no products yet")
	}
	near := nearest(strings.TrimSpace(g.Name)+strings.TrimSpace(g.Category), known, 5)
	if len(near) == 0 {
		categories, err := rows(ctx, tx, func(r *sql.Rows) (n string, err error) { err = r.Scan(&n); return n, err }, `SELECT DISTINCT category FROM products ORDER BY 1 LIMIT 20`)
		if err != nil {
			return nil, err
		}
		return nil, refuse("店里没有 %.60q；有的类目是 %s",
			"the shop has no %.60q; its categories are %s", g.both(), several(categories))
	}
	return nil, refuse("店里没有 %.60q；相近的有 %s",
		"the shop has no %.60q; the nearest are %s", g.both(), several(near))
}

// only is the list of the products' ids for a query that filters by them; "[]" when none are named.
func (g goods) only(ctx context.Context, tx *sql.Tx) (string, error) {
	if strings.TrimSpace(g.Category+g.Name+g.SKU) == "" {
		return "[]", nil
	}
	all, err := g.find(ctx, tx)
	return skus(all), err
}

// label names what is meant, for sentences.
func (g goods) label() string {
	var parts []string
	for _, p := range []string{g.Category, g.Name, g.SKU} {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return "全店"
	}
	return strings.Join(parts, " ")
}

// skus is the list of the products' ids for a query.
func skus(all []product) string {
	ids := make([]string, len(all))
	for i, p := range all {
		ids[i] = p.SKU
	}
	return list(ids)
}

// soonDays are the days within which a product is sold out soon: a fortnight, in which new goods can come.
const soonDays = 14

func (s *Shop) stockLevel(ctx context.Context, tx *sql.Tx, q stockQuery) (stockList, error) {
	none := stockList{}
	all, err := q.goods.find(ctx, tx)
	if err != nil {
		return none, err
	}
	const recent = 28
	today := midnight(s.now())
	lines, err := rows(ctx, tx, func(r *sql.Rows) (l stockLine, err error) {
		var sold float64
		if err = r.Scan(&l.SKU, &l.Name, &l.Stock, &sold, &l.cost, &l.price); sold > 0 {
			left := digits(float64(l.Stock)/(sold/recent), 1)
			l.PerDay, l.Days = digits(sold/recent, 2), &left
		}
		return l, err
	}, `SELECT p.sku_id, p.name, p.stock, coalesce(v.sold, 0) AS sold, p.cost_fen, p.price_fen FROM products p
		LEFT JOIN (SELECT sku_id, sum(quantity) AS sold FROM sales WHERE day >= ? AND day < ? GROUP BY sku_id) v USING (sku_id)
		WHERE p.sku_id IN (SELECT value FROM json_each(?)) ORDER BY CASE WHEN sold > 0 THEN p.stock * 1.0 / sold ELSE 1e9 END, p.sku_id`,
		today.AddDate(0, 0, -recent).Format(dayForm), today.Format(dayForm), skus(all))
	if err != nil {
		return none, err
	}
	kept := lines[:0]
	for _, l := range lines {
		within := q.Within
		if q.State == "即将售罄" && within == 0 {
			within = soonDays
		}
		gone := l.Stock == 0 && q.State != ""
		if within == 0 && q.State == "" || gone || q.State != "已售罄" && l.Days != nil && within > 0 && *l.Days <= float64(within) {
			kept = append(kept, l)
		}
	}
	list := stockList{Count: len(kept), Stock: kept[:min(q.length.rows(), len(kept))]}
	var cost, worth int64
	for _, l := range kept {
		list.Pieces, cost, worth = list.Pieces+l.Stock, cost+int64(l.Stock)*l.cost, worth+int64(l.Stock)*l.price
	}
	list.Cost, list.Worth = yuan(cost), yuan(worth)
	return list, nil
}

// oneGood names one product to be changed.
type oneGood struct {
	Name string `json:"sku_name,omitempty" jsonschema:"title=商品名称" jsonschema_description:"要改的商品的名称；与商品编号给一个即可" jsonschema_extras:"x-needs=sku_name"`
	SKU  string `json:"sku_id,omitempty" jsonschema:"title=商品编号,pattern=^[0-9]{14}$" jsonschema_description:"14位数字；与商品名称给一个即可" jsonschema_extras:"x-needs=sku_id"`
}

// JSONSchemaExtend wants one of the two.
func (oneGood) JSONSchemaExtend(s *jsonschema.Schema) { oneOf(s, "sku_name", "sku_id") }

// oneOf adds to a schema that at least one of some properties is there.
func oneOf(s *jsonschema.Schema, properties ...string) {
	for _, p := range properties {
		s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Required: []string{p}})
	}
}

func (g *oneGood) understand() { g.Name = chineseWithin(g.Name) }

// find gives the product meant. A name that several have is a failure that lists them with their ids.
func (g oneGood) find(ctx context.Context, tx *sql.Tx) (product, error) {
	if strings.TrimSpace(g.Name) == "" && g.SKU == "" {
		return product{}, refuse("请说明是哪个商品：商品名称或14位的商品编号",
			"say which product: its name or its number of 14 digits")
	}
	all, err := goods{Name: g.Name, SKU: g.SKU}.find(ctx, tx)
	if err != nil {
		return product{}, err
	}
	name := strings.TrimSpace(g.Name)
	for _, p := range all {
		if len(all) == 1 || p.Name == name {
			return p, nil
		}
	}
	some := names(all[:min(10, len(all))], func(p product) string { return p.Name + "（" + p.SKU + "）" })
	return product{}, refuse("叫 %.60q 的商品有 %d 种，请说明是哪一种：%s",
		"%.60q is the name of %d products; say which one: %s", name, len(all), several(some))
}

func changeStock(ctx context.Context, tx *sql.Tx, q setStock) (stockSet, error) {
	p, err := q.find(ctx, tx)
	if err != nil {
		return stockSet{}, err
	}
	if q.Stock < 0 || q.Stock > 1_000_000 {
		return stockSet{}, refuse("库存要在 0 到 1000000 件之间，不能是 %d",
			"a stock is 0 to 1000000 pieces, not %d", q.Stock)
	}
	_, err = tx.ExecContext(ctx, `UPDATE products SET stock = ? WHERE sku_id = ?`, q.Stock, p.SKU)
	return stockSet{Name: p.Name, Before: p.Stock, Stock: q.Stock, SKU: p.SKU}, err
}

func (s *Shop) changePrice(ctx context.Context, tx *sql.Tx, q setPrice) (priceSet, error) {
	none := priceSet{}
	p, err := q.find(ctx, tx)
	if err != nil {
		return none, err
	}
	if !(q.Price >= .01 && q.Price <= 1e6) {
		return none, refuse("售价要在 0.01 到 1000000 元之间，不能是 %g",
			"a price is CNY 0.01 to 1000000, not %g", q.Price)
	}
	price, cost := fen(q.Price), fen(p.Cost)
	if price < cost && !q.Loss {
		return none, refuse("新售价 %.2f 元低于 %s 的成本 %.2f 元；确实要卖，请说明允许亏本",
			"the new price of CNY %.2f is below what %s costs, CNY %.2f; to sell at a loss, say that it is meant", q.Price, p.Name, p.Cost)
	}
	if _, err := tx.ExecContext(ctx, `UPDATE products SET price_fen = ? WHERE sku_id = ?`, price, p.SKU); err != nil {
		return none, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO price_history (sku_id, from_day, price_fen) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET price_fen = excluded.price_fen`,
		p.SKU, s.now().Format(dayForm), price)
	return priceSet{Name: p.Name, Before: p.Price, Price: yuan(price), Margin: yuan(price - cost), SKU: p.SKU}, err
}

// dailySales is what the products sold each day of a period, in pieces, oldest first. last is the last day that counts: sales
// after it are not there yet.
func dailySales(ctx context.Context, tx *sql.Tx, all []product, p Period) ([]float64, error) {
	if p.Days() < 1 {
		return nil, nil
	}
	values := make([]float64, p.Days())
	type daySum struct {
		day  string
		sold float64
	}
	sums, err := rows(ctx, tx, func(r *sql.Rows) (d daySum, err error) { err = r.Scan(&d.day, &d.sold); return d, err },
		`SELECT day, sum(quantity) FROM sales WHERE sku_id IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ? GROUP BY day`,
		skus(all), p.From.Format(dayForm), p.To.Format(dayForm))
	if err != nil {
		return nil, err
	}
	for _, d := range sums {
		day, err := time.ParseInLocation(dayForm, d.day, place)
		if err != nil {
			return nil, fmt.Errorf("sales: a day of an order is not YYYY-MM-DD: %w", err)
		}
		values[daysBetween(p.From, day)] = d.sold
	}
	return values, nil
}

// history is the stretch of whole days that the shop has orders of: from the first order to yesterday, or to the last order
// when the data end earlier.
func (s *Shop) history(ctx context.Context, tx *sql.Tx) (Period, error) {
	var first, last string
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(min(day), ''), coalesce(max(day), '') FROM sales`).Scan(&first, &last); err != nil {
		return Period{}, err
	}
	if first == "" {
		return Period{}, refuse("店里还没有卖出过商品，没有可以统计的数据",
			"the shop has not sold anything yet; there are no figures")
	}
	p, err := ParseRange(first, last, place)
	if yesterday := midnight(s.now()).AddDate(0, 0, -1); p.To.After(yesterday) {
		p.To = yesterday
	}
	return p, err
}
