package actors

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// What is an id in a free text, and what may have been worked out.
func TestIDsIn(t *testing.T) {
	for text, want := range map[string][]string{
		"订单281063663568已发货":                                   {"281063663568"},
		"order 281063663568, parcel JD0012345678, R20260001.": {"281063663568", "JD0012345678", "R20260001"},
		"买家 jd_7788991 的电话是 12812345678":                      {"jd_7788991", "12812345678"},
		"共 15 个订单，实付合计 11,255 元，平均 750.33 元":                  nil,
		"销售额 12345678 元，即 ¥12,345,678.90，约 1234.6 万":          nil,
		"$12345678 in 98765432 pieces":                        nil,
		"2026-11-09 00:05:57 至 2026/11/12，20261109":           nil,
		"2026-05-10T10:30:00Z":                                nil,
		"iPhone15 Pro 256GB, 5000mAh, AES-256, COVID-19":      nil,
		"转化率 12.345678901%":                                   nil,
		"see https://rules.example/3727?id=99887766554433":    nil,
		"10000000-20000000":                                   nil,
	} {
		if got := idsIn(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// An id is known whole, however it was written, and not because a call was made with it.
func TestKnown(t *testing.T) {
	acted := func(parameter, observation string) Past {
		return Past{Acts: []Acted{{Action: tool("detail", parameter), Result: &bus.Record{Status: bus.OK, Observation: json.RawMessage(observation)}}}}
	}
	v := &View{
		Request: bus.Request{JobDesc: "查一下订单２８１０６３６６３５６８，电话 138-0013-8000，编号 AB-12-77"},
		Rounds: []Past{
			acted(`{"order":"999999999999"}`, `{"summary":"没有找到订单 999999999999","near":["999999999998"]}`),
			acted(`{"order":"281063663568"}`, `{"order":281063663568,"waybill":"JD0099887766","link":"https:\/\/x.example\/a?b=1&c=2"}`),
		},
	}
	k := knownTo(v, "")
	for id, want := range map[string]bool{
		"281063663568": true, "13800138000": true, "138 0013 8000": true, "ab-12-77": true, "JD0099887766": true, "jd0099887766": true,
		"https://x.example/a?b=1&c=2": true, "999999999998": true,
		"999999999999": false, "28106366356": false, "2810636635681": false, "0099887766": false, "JD009988776": false, "https://y.example": false,
	} {
		if k.holds(id) != want {
			t.Errorf("%s: known is %v", id, !want)
		}
	}
}

// An answer goes back once for an id that nobody knows; one who insists is given, and the answer says so. Sums, counts and dates pass.
func TestAnswersAreVerified(t *testing.T) {
	for _, s := range strategies {
		for _, c := range []struct {
			name    string
			answers []string
			want    string
			asked   int
		}{
			{"true", []string{"v-281063663568 is the value"}, "v-281063663568 is the value", 2},
			{"mended", []string{"order 555566667777 is the one", "it is not known"}, "it is not known", 3},
			{"link", []string{"see https://rules.example/made-up", "there is no source"}, "there is no source", 3},
			{"insists", []string{"order 555566667777 is the one", "order 555566667777 is the one"}, "555566667777 stands neither in the conversation nor in any result", 3},
			{"worked out", []string{"together 12345678 yuan, ¥98,765,432.10, 17 orders since 2026-05-01"}, "together", 2},
		} {
			t.Run(c.name+"/"+string(s), func(t *testing.T) {
				t.Parallel()
				steps := []scripted.Step{wants(s, tool("look", `{"key":"281063663568"}`))}
				for _, a := range c.answers {
					steps = append(steps, says(s, a))
				}
				m := scripted.New(t, steps...)
				h := open(t, setup{model: m, strategy: s, agents: soloist, mind: configs.Mind{Verify: true}})
				w := h.submit(bus.Submission{Query: "what is 281063663568?"})
				if r := h.response(w); r.Status != bus.OK || !strings.Contains(round.Text(r.Observation), c.want) || len(m.Requests()) != c.asked {
					t.Fatal(brief(r), len(m.Requests()))
				}
				if c.asked == 3 {
					h.until(w, "round that says it", func(r bus.Record) bool {
						return r.HasRound() && strings.Contains(r.Critique, "from nowhere")
					})
				}
			})
		}
	}
}

// No answer that was composed from observations gives an alarm: those of the planner's own test, made of the shop's results.
func TestNoFalseAlarms(t *testing.T) {
	raw, err := os.ReadFile("plan/testdata/answers.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, section := range strings.Split(string(raw), "\n== ")[1:] {
		head, answer, _ := strings.Cut(section, "\n--\n")
		lines := strings.Split(head, "\n")
		if len(lines) < 3 {
			continue
		}
		v := &View{Request: bus.Request{JobDesc: lines[2]}}
		for _, l := range lines[3:] {
			_, observation, _ := strings.Cut(l, " ")
			v.Rounds = append(v.Rounds, Past{Acts: []Acted{{Result: &bus.Record{Status: bus.OK, Observation: json.RawMessage(observation)}}}})
		}
		k := knownTo(v, "")
		for _, id := range append(idsIn(answer), linksIn(answer)...) {
			seen++
			if !k.holds(id) {
				t.Errorf("%s: %s", lines[0], id)
			}
		}
	}
	if t.Log(seen, "ids and links"); seen < 10 {
		t.Error("nothing was looked at")
	}
}

// Whatever stands in a text, looking for ids in it ends, and what it finds stands there.
func FuzzIDsIn(f *testing.F) {
	f.Add("订单281063663568，¥1,234.50 https://x.example/a_1")
	f.Add("\xff\xfe.1,2,，.12345678")
	f.Add("，12345678") // a text that begins with a mark
	f.Fuzz(func(t *testing.T, text string) {
		k := &known{}
		k.add(text)
		for _, id := range append(idsIn(text), linksIn(text)...) {
			if !strings.Contains(text, id) || !k.holds(id) && !strings.ContainsFunc(text, func(r rune) bool { return r > '~' }) {
				t.Errorf("%q in %q", id, text)
			}
		}
	})
}
