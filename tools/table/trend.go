package table

import (
	"context"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// The fewest periods that a trend is told of, and that it is tested on.
const (
	minTrend = 4
	minTest  = 8
)

// trend tells how a figure goes over time: a least-squares line, and whether the Mann-Kendall test finds a rise or a fall.
func (s *study) trend(ctx context.Context) error {
	c, err := s.needTime()
	if err != nil {
		return err
	}
	x, err := s.b.seriesBy(ctx, s.r.table, c, s.grain(), s.measured(), s.conditions(true))
	if err != nil {
		return err
	}
	s.sql, s.notes = append(s.sql, x.sql), append(s.notes, x.notes...)
	n := len(x.values)
	if n < minTrend {
		return refusef("只有 %d 期数据，看趋势至少要 %d 期；可以换更短的周期（例如按天、按周）", "there are only %d periods; a trend needs %d. Try shorter ones (by day, by week)", n, minTrend)
	}
	slope, start, explained := line(x.values)
	name, unit := x.measure.name(s.lang), grainNames[x.grain].in(s.lang)
	first, last := x.values[0], x.values[n-1]
	high, low := 0, 0
	for i, v := range x.values {
		if v > x.values[high] {
			high = i
		}
		if v < x.values[low] {
			low = i
		}
	}
	s.say("**%s按%s**：%s 至 %s，共 %d 期；首期 %s，末期 %s %s。", "**%s by %s**: %s to %s, %d periods; %s in the first, %s in the last %s.", name, unit, x.names[0], x.names[n-1], n, spoken(first), spoken(last), bracket(percent(first, last)))
	s.say("最高 %s（%s），最低 %s（%s），平均 %s。", "Highest in %s (%s), lowest in %s (%s), %s on average.", x.names[high], spoken(x.values[high]), x.names[low], spoken(x.values[low]), spoken(mean(x.values)))
	s.say("最小二乘直线：每%s %s%s，解释了 %.0f%% 的波动（R² %.2f）。", "Least-squares line: %[2]s%[3]s a %[1]s, which explains %.0[4]f%% of the variance (R² %.2[5]f).", unit, sign(slope), spoken(absolute(slope)), 100*explained, explained)
	s.figures = map[string]any{"periods": n, "first": first, "last": last, "mean": mean(x.values), "slope": slope, "start": start, "r2": explained, "highest": x.names[high], "lowest": x.names[low]}
	if n < minTest {
		s.say("期数少于 %d，不足以检验趋势是否显著。", "With fewer than %d periods it cannot be tested whether that is more than chance.", minTest)
	} else {
		k, p := mannKendall(x.values)
		s.figures["p"] = p
		switch {
		case p >= .05:
			s.say("Mann-Kendall 检验 p=%s：没有显著的上升或下降趋势。", "Mann-Kendall test, p=%s: no rise or fall beyond chance.", figureText(p))
		case k > 0:
			s.say("Mann-Kendall 检验 p=%s：显著上升。", "Mann-Kendall test, p=%s: it rises.", figureText(p))
		default:
			s.say("Mann-Kendall 检验 p=%s：显著下降。", "Mann-Kendall test, p=%s: it falls.", figureText(p))
		}
	}
	fitted := make([]float64, n)
	for i := range fitted {
		fitted[i] = start + slope*float64(i)
	}
	s.charts = append(s.charts, outline.Chart{Kind: "line", Title: name + say(s.lang, "趋势", " trend"), Categories: x.names,
		Series: []outline.Series{{Name: name, Values: values(x.values)}, {Name: say(s.lang, "趋势线", "trend line"), Values: values(fitted)}}})
	return nil
}

func sign(v float64) string {
	if v < 0 {
		return "-"
	}
	return "+"
}

func bracket(text string) string {
	if text == "" {
		return ""
	}
	return "(" + text + ")"
}
