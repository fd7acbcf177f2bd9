package staff

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// maxTold bounds what is told of a tool, in characters: the role follows from its first words.
const maxTold = 80

// List is the tools among the cards as a prompt shows them: a line each, the name, a colon and the beginning of what it says of itself.
func List(cards []bus.Card) string {
	var b strings.Builder
	for _, c := range cards {
		if c.IsAgent() {
			continue
		}
		told := strings.Join(strings.Fields(c.Description), " ")
		if utf8.RuneCountInString(told) > maxTold {
			told = string([]rune(told)[:maxTold]) + "…"
		}
		b.WriteString("- " + c.Name + ": " + told + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// Schema is what a model is to answer with: an object with the role name of each tool.
func Schema(cards []bus.Card) json.RawMessage {
	properties := map[string]any{}
	for _, c := range cards {
		if !c.IsAgent() {
			properties[c.Name] = map[string]string{"type": "string"}
		}
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "properties": properties})
	if err != nil {
		return nil // names and words always encode
	}
	return raw
}

// Chosen is the role names that a model chose, where they hold: every tool is named, by a name that is short enough and no other's. A tool
// whose name does not hold, or that has none, keeps its built-in one; names of tools that are not among the cards are left out. held is how
// many of the model's are taken.
func Chosen(answer json.RawMessage, cards []bus.Card, language string) (out map[string]string, held int) {
	if language != "zh" {
		language = "en"
	}
	var said map[string]any // a value of another type costs this name only
	if json.Unmarshal(answer, &said) != nil {
		return Names(cards, language), 0
	}
	out = map[string]string{}
	taken := map[string]bool{}
	var rest []bus.Card
	for _, c := range cards {
		if c.IsAgent() {
			continue
		}
		own, _ := said[c.Name].(string)
		own = strings.TrimSpace(own)
		if !fits(own, language) || taken[own] {
			rest = append(rest, c)
			continue
		}
		out[c.Name], taken[own] = own, true
		held++
	}
	for i := range rest {
		out[rest[i].Name] = apart(name(&rest[i], language), taken, language)
	}
	return out, held
}
