package plan

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// hanCatalogue is of made-up tools whose words are pairs of common signs, a few of them in most cards.
func hanCatalogue(n int) []bus.Card {
	r := rand.New(rand.NewPCG(1, 2))
	signs := []rune(strings.ReplaceAll(words.Alike, "\n", ""))
	vocabulary := make([]string, 3000)
	for i := range vocabulary {
		vocabulary[i] = string(signs[r.IntN(600)*6]) + string(signs[r.IntN(600)*6])
	}
	word := func() string { u := r.Float64(); return vocabulary[int(u*u*float64(len(vocabulary)))] }
	text := func() map[string]any {
		return map[string]any{"type": "string", "title": word() + word(), "description": word() + word() + "的" + word() + "，例如" + word()}
	}
	verbs := strings.Fields("查询 修改 取消 统计 预测 发送 获取 创建 删除 更新 推荐 分析")
	var out []bus.Card
	for i := range n {
		properties := map[string]any{}
		for j := range 1 + r.IntN(5) {
			properties[fmt.Sprintf("p%d_%d", i%50, j)] = text()
		}
		takes, _ := json.Marshal(map[string]any{"type": "object", "properties": properties})
		gives, _ := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{"a": text(), "b": text()}})
		out = append(out, bus.Card{
			Name: fmt.Sprintf("tool_%d", i), Kind: "tool", Effect: bus.Read, Tags: []string{word(), word() + word()}, Parameters: takes, Returns: gives,
			Description: verbs[r.IntN(len(verbs))] + word() + word() + "，" + word() + "的" + word() + word() + "和" + word() + "。",
		})
	}
	return out
}

// BenchmarkHan is what 4,000 Chinese cards cost: an index of them, a plan of all calls, and one round.
func BenchmarkHan(b *testing.B) {
	cs := hanCatalogue(4000)
	request := func(i int) Input {
		return ask("帮我" + strings.TrimSuffix(cs[i*97%len(cs)].Description, "。") + "，然后" + cs[i*31%len(cs)].Description)
	}
	b.Run("index", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			NewIndex(cs, Options{})
		}
	})
	x, i := NewIndex(cs, Options{}), 0
	b.Run("all", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x.PlanAll(request(i))
			i++
		}
	})
	b.Run("round", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x.Think(request(i))
			i++
		}
	})
}
