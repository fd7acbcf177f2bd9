package shop

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// unsold are the products of which nothing was sold in the period of a report, the longest unsold first. They are its groups then; its figures stay those of
// all that was looked at. When all were sold, least says which were sold least.
func (r *salesReport) unsold(ctx context.Context, tx *sql.Tx, all []product, city string, limit int) error {
	r.looked, r.Groups = len(all), []salesLine{}
	fewest := 0
	_, err := rows(ctx, tx, func(found *sql.Rows) (none struct{}, err error) {
		var l salesLine
		var cost int64
		if err := found.Scan(&l.Group, &l.Stock, &cost, &l.Quantity, &l.Last); err != nil {
			return none, err
		}
		l.Cost = yuan(cost * int64(l.Stock))
		switch {
		case l.Quantity == 0:
			r.Unsold++
			r.tied += cost * int64(l.Stock)
			if len(r.Groups) < limit {
				r.Groups = append(r.Groups, l)
			}
		case len(r.least) == 0 || l.Quantity == fewest:
			r.least, fewest = append(r.least, l), l.Quantity
		}
		return none, nil
	}, `SELECT p.name, p.stock, p.cost_fen, coalesce(sum(iif(v.day BETWEEN :from AND :to, v.quantity, 0)), 0) AS sold, coalesce(max(v.day), '') AS last
		FROM products p LEFT JOIN (SELECT v.* FROM sales v JOIN orders o USING (order_id) JOIN customers c USING (customer_id) WHERE instr(c.city, :city) > 0) v USING (sku_id)
		WHERE p.sku_id IN (SELECT value FROM json_each(:skus)) GROUP BY p.sku_id ORDER BY sold, last, p.sku_id`,
		sql.Named("skus", skus(all)), sql.Named("from", r.From), sql.Named("to", r.To), sql.Named("city", strings.TrimSpace(city)))
	return err
}

// tellUnsold words them.
func (r *salesReport) tellUnsold(q salesQuery) (zh, en string) {
	name := func(l salesLine) string { return l.Group }
	zh = fmt.Sprintf("%s %s 至 %s%s", shorten(r.Subject), r.From, r.To, bracket("（买家在", q.City, "）"))
	en = fmt.Sprintf("of %s%s from %s to %s", shorten(q.labelEn()), bracket(" to buyers in ", english(q.City), ""), r.From, r.To)
	if r.Unsold == 0 {
		return fmt.Sprintf("%s没有卖出的商品有 0 种，%d 种都卖出过；卖得最少的是 %s，%d 件。", zh, r.looked, zhList(names(r.least, name), 5), r.least[0].Quantity),
			fmt.Sprintf("0 products %s sold nothing, all %d sold; the fewest: %s, %s.", en, r.looked, enList(names(r.least, name), 5), many(r.least[0].Quantity, "piece"))
	}
	return fmt.Sprintf("%s没有卖出的商品有 %d 种（共 %d 种）：%s；它们的库存按成本共 %s。", zh, r.Unsold, r.looked, zhList(names(r.Groups, name), 5), zhMoney(yuan(r.tied))),
		fmt.Sprintf("%s %s sold nothing, of %d looked at: %s; their stock cost %s.", many(r.Unsold, "product"), en, r.looked, enList(names(r.Groups, name), 5), enMoney(yuan(r.tied)))
}
