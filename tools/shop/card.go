package shop

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/invopop/jsonschema"
)

// words are the values known to the database, offered on the cards as examples, from which a planner reads facts out of
// plain language.
type words map[string][]any

// maxWords bounds each dictionary, since a card travels in every announcement.
const maxWords = 300

// readWords reads the dictionaries, by the name of the parameter that they serve; the most used first.
func readWords(ctx context.Context, db *sql.DB) (words, error) {
	w := words{}
	for parameter, query := range map[string]string{
		"category": `SELECT category FROM products GROUP BY category ORDER BY count(*) DESC, category LIMIT ?`,
		"sku_name": `SELECT p.name FROM products p LEFT JOIN order_items i USING (sku_id) GROUP BY p.sku_id ORDER BY count(i.order_id) DESC, p.sku_id LIMIT ?`,
		"consumer_name": `SELECT c.name FROM customers c LEFT JOIN orders o USING (customer_id) GROUP BY c.name
			ORDER BY count(o.order_id) DESC, c.name LIMIT ?`,
		"channel": `SELECT channel FROM campaigns GROUP BY channel ORDER BY count(*) DESC, channel LIMIT ?`,
	} {
		found, err := db.QueryContext(ctx, query, maxWords)
		if err != nil {
			return nil, err
		}
		for found.Next() {
			var word string
			if err := found.Scan(&word); err != nil {
				found.Close()
				return nil, err
			}
			w[parameter] = append(w[parameter], word)
		}
		if err := found.Close(); err != nil {
			return nil, err
		}
		if err := found.Err(); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// describe fills a card's kind and its schemas from the types of the arguments and the result, so that neither can drift. Titles
// and descriptions are in the struct tags.
func describe[A, R any](s *Shop, card *bus.Card) {
	card.Kind, card.Version = "tool", "1.0.0"
	reflector := jsonschema.Reflector{Anonymous: true, DoNotReference: true, ExpandedStruct: true}
	arguments := reflector.Reflect(new(A))
	arguments.Version = ""
	for p := arguments.Properties.Oldest(); p != nil; p = p.Next() {
		if known := s.words[p.Key]; len(known) > 0 {
			p.Value.Examples = known
			if !ofTheArticle[card.Name] {
				p.Value.Examples = withEnglish(p.Key, known)
			}
		}
		if p.Value.Type == "string" && p.Value.MaxLength == nil && p.Value.Enum == nil {
			p.Value.MaxLength = new(uint64(200))
		}
	}
	result := reflector.Reflect(new(R))
	result.Version = ""
	inEnglish(result)
	card.Parameters, card.Returns = encode(arguments), encode(result)
}

// ofTheArticle are the cards whose parameters stay as the article prints them.
var ofTheArticle = map[string]bool{"search_order_code": true, "check_shop_qualifications": true}

// withEnglish adds to the known values of a parameter what they are called in English.
func withEnglish(parameter string, known []any) []any {
	all := slices.Clone(known)
	switch parameter {
	case "category", "channel":
		for _, k := range known {
			all = append(all, englishWords(k.(string))...)
		}
	case "sku_name":
		for _, s := range spoken {
			if slices.ContainsFunc(known, func(k any) bool { return strings.Contains(k.(string), s.chinese) }) {
				all = append(all, englishWords(s.chinese)...)
			}
		}
	case "consumer_name":
		for _, k := range known {
			if name := romanised(k.(string)); name != "" {
				all = append(all, name)
			}
		}
	}
	return all
}

// encode cannot fail: the schemas are built from the types of this package.
func encode(s *jsonschema.Schema) json.RawMessage {
	body, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return body
}
