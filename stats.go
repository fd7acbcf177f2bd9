package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/learn"
	"github.com/hmap-project/hmap/gateway/terminal"
)

// stats prints what the log has taught, up to now.
func (c *agentsCmd) stats(ctx context.Context, h *house) error {
	if h.config.Learning == "off" {
		return errors.New("nothing is learned here: the configuration says learning: off")
	}
	book := learn.Open(h.bus)
	if _, err := book.Learn(ctx); err != nil {
		return err
	}
	l := book.Lessons()
	if c.JSON {
		return printJSON(struct {
			Since  time.Time    `json:"since,omitzero"`
			At     time.Time    `json:"at,omitzero"`
			Agents []learn.Tool `json:"agents"` // and tools
			Edges  []learn.Edge `json:"edges"`
		}{l.Since, l.At, l.AllTools(), l.AllEdges()})
	}
	return printStats(os.Stdout, l, chinese(os.Getenv), h.clock)
}

// forget lets what was learned go.
func (c *agentsCmd) forget(ctx context.Context, h *house) error {
	if err := learn.Forget(ctx, h.bus); err != nil {
		return err
	}
	fmt.Println("What was learned is forgotten; only what happens from now on counts.")
	return nil
}

// chinese reports whether the person's language is Chinese, by the variables that say so on Unix.
func chinese(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := env(name); v != "" {
			return strings.HasPrefix(v, "zh")
		}
	}
	return false
}

func printStats(w io.Writer, l *learn.Lessons, zh bool, clock func(time.Time) string) error {
	say := func(inChinese, inEnglish string) string {
		if zh {
			return inChinese
		}
		return inEnglish
	}
	var b strings.Builder
	if l.At.IsZero() {
		fmt.Fprintln(&b, say("还没有学到任何东西。", "Nothing has been learned yet."))
		_, err := io.WriteString(w, b.String())
		return err
	}
	tools := [][]string{{say("名称", "NAME"), say("次数", "CALLS"), say("成功", "OK"), say("失败", "FAILED"), say("中位毫秒", "P50 MS"), say("95% 毫秒", "P95 MS"), say("花费", "MONEY"), say("最近", "LAST")}}
	for _, t := range l.AllTools() {
		failed := 0.0
		if t.Calls > 0 {
			failed = 100 * t.Failed / t.Calls
		}
		p50, p95 := "", ""
		if len(t.Millis) > 0 {
			p50, p95 = fmt.Sprint(t.Quantile(0.5)), fmt.Sprint(t.Quantile(0.95))
		}
		tools = append(tools, []string{t.Name, count(t.Calls), fmt.Sprintf("%.0f%%", 100-failed), fmt.Sprintf("%.0f%%", failed),
			p50, p95, fmt.Sprintf("%.4g", t.Money), clock(t.At)})
	}
	align(&b, tools, 1, 6)
	edges := [][]string{{say("字段", "FIELD"), say("参数", "PARAMETER"), say("有效", "WORKED"), say("失败", "FAILED")}}
	for _, e := range l.AllEdges() {
		edges = append(edges, []string{e.From + "." + e.Field, e.To + "." + e.Parameter, count(e.Worked), count(e.Failed)})
	}
	if len(edges) > 1 {
		b.WriteByte('\n')
		align(&b, edges, 2, 3)
	}
	fmt.Fprintf(&b, "\n"+say("自 %s 起；每过 %d 天，此前的次数减半。因参数不对、不允许、已取消等而没有执行的调用，不是工具的失败，不计入。", "Since %s; what is %d days older counts half. Calls that were refused for their arguments, not allowed or cancelled say nothing of the tool, and are left out.")+"\n", clock(l.Since), int(learn.HalfLife/(24*time.Hour)))
	_, err := io.WriteString(w, b.String())
	return err
}

// count shows a count of which old parts count less: to a tenth when that matters.
func count(f float64) string {
	if f = math.Round(10*f) / 10; f < 10 && f != math.Trunc(f) {
		return fmt.Sprintf("%.1f", f)
	}
	return fmt.Sprintf("%.0f", f)
}

// align prints a table, its columns from right to left edge as wide as their widest cell on a terminal; those from first to last are numbers, and
// stand at the right.
func align(b *strings.Builder, rows [][]string, first, last int) {
	wide := make([]int, len(rows[0]))
	for _, cells := range rows {
		for i := range cells {
			cells[i] = terminal.Line(cells[i])
			wide[i] = max(wide[i], columns(cells[i]))
		}
	}
	for _, cells := range rows {
		var line strings.Builder
		for i, cell := range cells {
			gap := strings.Repeat(" ", wide[i]-columns(cell))
			if i >= first && i <= last {
				line.WriteString(gap + cell + "  ")
			} else {
				line.WriteString(cell + gap + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
