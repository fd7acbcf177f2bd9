package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// maxReplies is how many answers to one question are read; when none of them could be used the task gives up honestly.
const maxReplies = 3

var (
	// ordinal: 1, (2), 第二个, the third one: a place in the list of options.
	ordinal = words.MustCompile(`(?i)^\s*(?:选|就|要|[#（(]|第|the |no\.? ?|number |option )*\s*(\d{1,2}|[一二两三四五六七八九十]{1,2}|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|one|two|three|four|five|six|seven|eight|nine|ten)\s*(?:个|号|条|项|单|st|nd|rd|th|one|option|[)）.、])*\s*[。.!！吧]*\s*$`)
	newest  = words.MustCompile(`(?i)最近|最新|最后下|刚下|\b(?:latest|newest|most recent|last)\b`)
	oldest  = words.MustCompile(`(?i)最早|最旧|最老|\b(?:oldest|earliest)\b`)
	moment  = words.MustCompile(`^\d{4}-\d{2}-\d{2}`)
)

// reply reads what the user said to a question with options: an option, its number, or the newest or oldest one if the
// observations tell the times. Without options the text is the answer. false: it names none of them.
func reply(a bus.Ask, text string, done []Done) (string, bool) {
	text = strings.TrimSpace(words.Clip(text, 1000))
	if len(a.Options) == 0 {
		return text, text != ""
	}
	low := strings.ToLower(text)
	if i := slices.IndexFunc(a.Options, func(o string) bool { return strings.EqualFold(o, text) }); i >= 0 {
		return a.Options[i], true
	}
	if o := words.Longest(a.Options, low); o != "" {
		return o, true
	}
	if m := ordinal.FindStringSubmatch(text); m != nil {
		n, ok := words.Ordinals[strings.ToLower(m[1])], true
		if n == 0 {
			n, ok = words.Number(m[1])
		}
		if ok && n >= 1 && n <= len(a.Options) {
			return a.Options[n-1], true
		}
		return "", false
	}
	if newest.MatchString(text) || oldest.MatchString(text) {
		return byTime(a.Options, done, newest.MatchString(text))
	}
	if words.LongNumber.MatchString(text) { // an id of their own
		return text, true
	}
	return "", false
}

// byTime is the option whose object in the observations has the latest or the earliest time; false when any option has none,
// or two share it.
func byTime(options []string, done []Done, last bool) (string, bool) {
	times := map[string]string{}
	for _, d := range done {
		var v any
		if json.Unmarshal(d.Observation, &v) == nil {
			timed(v, options, times)
		}
	}
	best, tie := "", false
	for _, o := range options {
		t := times[o]
		switch {
		case t == "":
			return "", false
		case best == "" || (t > times[best]) == last && t != times[best]:
			best, tie = o, false
		case t == times[best]:
			tie = true
		}
	}
	return best, best != "" && !tie
}

// timed notes the time of each object that holds an option as a value.
func timed(v any, options []string, times map[string]string) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			timed(e, options, times)
		}
	case map[string]any:
		at, which := "", ""
		for _, k := range fields.Keys(v, nil) {
			s := fmt.Sprint(v[k])
			switch {
			case slices.Contains(options, s):
				which = s
			case at == "" && moment.MatchString(s):
				at = s
			}
			timed(v[k], options, times)
		}
		if which != "" && at != "" {
			times[which] = at
		}
	}
}

// again words a question that was answered before without success, or gives up: stop is then the answer of the task.
func (r *round) again(ask *bus.Ask) (stop string) {
	n := 0
	for _, a := range r.in.Answers {
		if a.Ask.Parameter == ask.Parameter && a.Ask.ToolName == ask.ToolName {
			n++
		}
	}
	switch {
	case n == 0:
		return ""
	case n >= maxReplies:
		return words.Say(r.g.lang, "我没有弄清楚您的回答，所以没有继续，什么也没有执行。请把要求完整地再说一次。",
			"I could not make out your answer, so I stopped here and did nothing. Please say once more in full what you need.")
	case len(ask.Options) > 0:
		ask.Question += words.Say(r.g.lang, "请回复其中一个，或者它的序号（1–%s）。", " Please answer with one of them, or with its number (1–%s).", strconv.Itoa(len(ask.Options)))
	default:
		ask.Question += words.Say(r.g.lang, "刚才的回答里没有找到它，请直接写出来。", " It was not in your answer; please just write it.")
	}
	return ""
}
