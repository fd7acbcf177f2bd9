package shop

import (
	"context"
	"database/sql"
	"strconv"
	"time"
)

// How many days a figure a day is of, and which order is a buyer's first.

// counted is the part of a period that the shop has orders of, up to today. begin is the first day with an order where the period begins before it, else "".
func counted(ctx context.Context, tx *sql.Tx, p Period) (_ Period, begin string, err error) {
	var first string
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(substr(min(ordered_at), 1, 10), '') FROM orders`).Scan(&first); err != nil || first == "" {
		return Period{}, "", err
	}
	day, err := time.ParseInLocation(dayForm, first, place)
	if err == nil && day.After(p.From) {
		p.From, begin = day, first
	}
	return p, begin, err
}

var weekdays = [...]string{"周日", "周一", "周二", "周三", "周四", "周五", "周六"}

// daysOf counts the days of a period by the group that each falls in; nil for groups of something else than days, each of which has all of them.
func daysOf(p Period, by string) map[string]int {
	var label func(time.Time) string
	switch by {
	case "日":
		label = func(d time.Time) string { return d.Format(dayForm) }
	case "周":
		label = func(d time.Time) string { return d.AddDate(0, 0, -(int(d.Weekday())+6)%7).Format(dayForm) }
	case "月":
		label = func(d time.Time) string { return d.Format("2006-01") }
	case "年内月份":
		label = func(d time.Time) string { return strconv.Itoa(int(d.Month())) + "月" }
	case "周几":
		label = func(d time.Time) string { return weekdays[d.Weekday()] }
	case "周末":
		label = func(d time.Time) string {
			if d.Weekday() == time.Saturday || d.Weekday() == time.Sunday {
				return "周末"
			}
			return "工作日"
		}
	default:
		return nil
	}
	days := map[string]int{}
	for d := p.From; !d.After(p.To) && len(days) < 100_000; d = d.AddDate(0, 0, 1) {
		days[label(d)]++
	}
	return days
}

// paidStates are the states of an order that counts as bought.
const paidStates = `('待发货', '已发货', '已完成')`

// firstOrder is the condition that order o is the first that its buyer paid for.
const firstOrder = `NOT EXISTS (SELECT 1 FROM orders e WHERE e.customer_id = o.customer_id AND e.state IN ` + paidStates + ` AND (e.ordered_at, e.order_id) < (o.ordered_at, o.order_id))`
