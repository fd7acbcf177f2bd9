package model

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/hmap-project/hmap/bus"
)

// offer is a card as models see it, in one language. It is shared and does not change.
type offer struct {
	name   string
	agent  bool
	skills []string
	tool   []byte // as an OpenAI function
	line   []byte // as a line of the list in the H-MAP form
	wants  node   // the schema of its arguments, for coerce
}

// newOffer encodes a card.
func newOffer(card bus.Card, language string) *offer {
	o := &offer{name: card.Name, agent: card.IsAgent(), skills: slices.Clone(card.Skills)}
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	seen := parameters(card, language)
	o.tool = encode(struct {
		Type     string   `json:"type"`
		Function function `json:"function"`
	}{"function", function{card.Name, card.Description, seen}})
	line := struct {
		Name        string          `json:"tool_name"`
		Kind        string          `json:"kind"`
		Description string          `json:"description"`
		Skills      []string        `json:"skills,omitempty"`
		Parameter   json.RawMessage `json:"parameter,omitempty"`
	}{Name: card.Name, Kind: card.Kind, Description: card.Description, Skills: card.Skills}
	if !o.agent {
		line.Parameter = seen
		_ = json.Unmarshal(card.Parameters, &o.wants) // a wrong schema wants nothing
	}
	o.line = encode(line)
	return o
}

// maxOffers bounds how many offers are kept; past it, all are made anew.
const maxOffers = 1024

// offers keeps the offers made so far: the same cards are shown in every request, and to encode one takes 20 times as long as to
// find it.
var offers = struct {
	sync.RWMutex
	of map[offerKey]*offer
}{of: map[offerKey]*offer{}}

// offerKey is all that an offer is made of, but for the skills.
type offerKey struct{ language, name, kind, description, parameters string }

// offerOf gives the offer of a card.
func offerOf(card *bus.Card, language string) *offer {
	offers.RLock()
	o := offers.of[offerKey{language, card.Name, card.Kind, card.Description, string(card.Parameters)}]
	offers.RUnlock()
	if o != nil && slices.Equal(o.skills, card.Skills) {
		return o
	}
	o = newOffer(*card, language)
	offers.Lock()
	defer offers.Unlock()
	if len(offers.of) >= maxOffers {
		clear(offers.of)
	}
	offers.of[offerKey{language, card.Name, card.Kind, card.Description, string(card.Parameters)}] = o
	return o
}

// reservedOffers are the offers of ask_user and finish, in English and Chinese.
var reservedOffers = func() map[string][]*offer {
	of := map[string][]*offer{}
	for _, language := range []string{"en", "zh"} {
		for _, c := range reserved(language) {
			of[language] = append(of[language], newOffer(c, language))
		}
	}
	return of
}()

// offered are the tools of a prompt with the reserved ones, which no card can take the name of.
func (p Prompt) offered() []*offer {
	language := p.Language
	if language != "zh" {
		language = "en"
	}
	out := make([]*offer, 0, len(p.Tools)+2)
	for i := range p.Tools {
		if c := &p.Tools[i]; c.Name != AskUser && c.Name != Finish {
			out = append(out, offerOf(c, language))
		}
	}
	return append(out, reservedOffers[language]...)
}

// find gives the offer of a name as a model wrote it; nil if there is none. What is not the name to the letter may be it in another case
// or with other marks between the words, behind a namespace that some models add ("functions.", "default_api:"), when only one offer is meant.
func find(offers []*offer, name string) *offer {
	for _, o := range offers {
		if o.name == name {
			return o
		}
	}
	bare := canonical(name[strings.LastIndexAny(name, ".:/")+1:])
	var found *offer
	for _, o := range offers {
		if canonical(o.name) != bare {
			continue
		}
		if found != nil {
			return nil
		}
		found = o
	}
	return found
}
