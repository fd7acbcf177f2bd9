package fields

import (
	"encoding/json"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Lacks is what people ask a tool for and what it has nothing of: the x-lacks at the top of the schema of its results,
// [{"asked": "支付方式|payment methods?", "zh": "付款方式", "en": "ways of paying"}]. asked is a regular expression (RE2). With "deed": true it is what people wish done
// and what no tool of the house does.
type Lacks []Lack

// Lack is one such thing.
type Lack struct {
	Asked        *words.Pattern
	Han, English string // what it is called
	Deed         bool   // it is wished done, and not asked for
}

const (
	maxLacks = 50   // of one card
	maxAsked = 4000 // bytes of an expression
)

// UnmarshalJSON takes such a list. What is no list, an expression that cannot be read, too long or matches nothing at all, and a thing without a name count as nothing said.
func (l *Lacks) UnmarshalJSON(b []byte) error {
	var said []struct {
		Asked string `json:"asked"`
		Han   string `json:"zh"`
		Eng   string `json:"en"`
		Deed  bool   `json:"deed"`
	}
	if json.Unmarshal(b, &said) != nil {
		return nil
	}
	for _, s := range said[:min(len(said), maxLacks)] {
		if s.Han == "" {
			s.Han = s.Eng
		}
		if s.Eng == "" {
			s.Eng = s.Han
		}
		re, err := words.Compile(s.Asked)
		if err != nil || s.Asked == "" || len(s.Asked) > maxAsked || s.Han == "" || re.MatchString("") {
			continue
		}
		*l = append(*l, Lack{re, s.Han, s.Eng, s.Deed})
	}
	return nil
}

// Stated is how a property of a thing is said: words, as a regular expression (RE2), and the values of which the thing then has one. 还没付款 of an order is 待付款, and
// "it is paid" any of what comes after. A card says so with x-said: [{"said": "未付款|not paid", "are": ["待付款"]}]; the first that matches counts.
type Stated []struct {
	Said *words.Pattern
	Are  []string
}

// UnmarshalJSON takes such a list, and leaves out what [Lacks] would.
func (s *Stated) UnmarshalJSON(b []byte) error {
	var all []struct {
		Said string   `json:"said"`
		Are  []string `json:"are"`
	}
	if json.Unmarshal(b, &all) != nil {
		return nil
	}
	for _, one := range all[:min(len(all), maxLacks)] {
		re, err := words.Compile(one.Said)
		if err != nil || one.Said == "" || len(one.Said) > maxAsked || len(one.Are) == 0 || re.MatchString("") {
			continue
		}
		*s = append(*s, struct {
			Said *words.Pattern
			Are  []string
		}{re, one.Are})
	}
	return nil
}
