package shop

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/bus"
	"github.com/invopop/jsonschema"
)

// words are values by the name of the parameter that they serve, offered on the cards as examples, from which a planner reads
// facts out of plain language: known as the database has them, said as people shorten them.
type words struct {
	known, said map[string][]any
	cities      []string // as the database has them
}

// maxWords bounds each dictionary, since a card travels in every announcement.
const maxWords = 300

// readWords reads the dictionaries; the most used first.
func readWords(ctx context.Context, db *sql.DB) (words, error) {
	w := words{known: map[string][]any{}, said: map[string][]any{"carrier": parcelCarriers}}
	for parameter, query := range map[string]string{
		"category": `SELECT category FROM products GROUP BY category ORDER BY count(*) DESC, category LIMIT ?`,
		"sku_name": `SELECT p.name FROM products p LEFT JOIN order_items i USING (sku_id) GROUP BY p.sku_id ORDER BY count(i.order_id) DESC, p.sku_id LIMIT ?`,
		"consumer_name": `SELECT c.name FROM customers c LEFT JOIN orders o USING (customer_id) GROUP BY c.name
			ORDER BY count(o.order_id) DESC, c.name LIMIT ?`,
		"channel": `SELECT channel FROM campaigns GROUP BY channel ORDER BY count(*) DESC, channel LIMIT ?`,
		"city":    `SELECT city FROM customers GROUP BY city ORDER BY count(*) DESC, city LIMIT ?`,
		"carrier": `SELECT carrier FROM shipments GROUP BY carrier ORDER BY count(*) DESC, carrier LIMIT ?`,
	} {
		found, err := db.QueryContext(ctx, query, maxWords)
		if err != nil {
			return words{}, err
		}
		for found.Next() {
			var word string
			if err := found.Scan(&word); err != nil {
				found.Close()
				return words{}, err
			}
			w.known[parameter] = append(w.known[parameter], word)
		}
		if err := found.Close(); err != nil {
			return words{}, err
		}
		if err := found.Err(); err != nil {
			return words{}, err
		}
	}
	for i, city := range w.known["city"] {
		w.cities = append(w.cities, city.(string))
		w.known["city"][i] = townName(city.(string))
	}
	return w, w.readProductForms(ctx, db)
}

// readProductForms adds what products are called for short: 禾煮空气炸锅, 星澜手机 X2, 星澜 X2.
func (w words) readProductForms(ctx context.Context, db *sql.DB) error {
	found, err := db.QueryContext(ctx, `SELECT name, brand, category FROM products ORDER BY sku_id LIMIT ?`, maxWords)
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		var name, brand, category string
		if err := found.Scan(&name, &brand, &category); err != nil {
			return err
		}
		for _, form := range productForms(name, brand, category) {
			if forms := w.said["sku_name"]; len(forms) < maxWords && !slices.Contains(forms, any(form)) {
				w.said["sku_name"] = append(forms, form)
			}
		}
	}
	return found.Err()
}

// productForms are the names that a product is called by beside its own; [answersTo] finds it by each. Empty when the name is not
// made of brand, category and model.
func productForms(name, brand, category string) []string {
	model, ok := strings.CutPrefix(name, brand+category)
	if !ok || brand == "" {
		return nil
	}
	forms := []string{brand + category}
	if words := strings.Fields(model); len(words) > 0 {
		forms = append(forms, brand+category+" "+words[0], brand+" "+words[0], brand+words[0], category+" "+words[0])
		if en, ok := toEnglish[category]; ok && !han(words[0]) {
			forms = append(forms, en+" "+words[0])
		}
	}
	return forms
}

// han reports whether a text has a Chinese character.
func han(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// townName is how people name a city: 广州 for 广东省广州市.
func townName(city string) string {
	if _, rest, ok := strings.Cut(city, "省"); ok {
		city = rest
	}
	for _, region := range []string{"新疆", "西藏", "内蒙古", "广西", "宁夏"} {
		if rest := strings.TrimPrefix(strings.TrimPrefix(city, region), "自治区"); rest != "" {
			city = rest
		}
	}
	if short := strings.TrimSuffix(city, "市"); short != "" {
		city = short
	}
	return city
}

// describe fills a card's kind and its schemas from the types of the arguments and the result, so that neither can drift. Titles
// and descriptions are in the struct tags.
func describe[A, R any](s *Shop, card *bus.Card) {
	card.Kind, card.Version = "tool", "1.0.0"
	reflector := jsonschema.Reflector{Anonymous: true, DoNotReference: true, ExpandedStruct: true}
	arguments := reflector.Reflect(new(A))
	arguments.Version = ""
	for p := arguments.Properties.Oldest(); p != nil; p = p.Next() {
		if known := s.words.known[p.Key]; len(known) > 0 {
			p.Value.Examples = known
			if !ofTheArticle[card.Name] {
				p.Value.Examples = withEnglish(p.Key, slices.Concat(known, s.words.said[p.Key]))
				if _, apart := arguments.Properties.Get("category"); p.Key == "sku_name" && !apart { // the kind of product is said here or nowhere
					p.Value.Examples = append(p.Value.Examples, withEnglish("category", s.words.known["category"])...)
				}
			}
		}
		if p.Value.Type == "string" && p.Value.MaxLength == nil && p.Value.Enum == nil {
			p.Value.MaxLength = new(uint64(200))
		}
	}
	meaning(card.Name, arguments)
	if card.Effect != bus.Read { // who agrees to a change reads what it is made with
		askedFor(arguments)
		does(card.Name, arguments)
	}
	result := reflector.Reflect(new(R))
	result.Version = ""
	inEnglish(result)
	s.words.cells(result)
	lacks(card.Name, result)
	saidOf(card.Name, result)
	card.Parameters, card.Returns = encode(arguments), encode(result)
}

// ofTheArticle are the cards whose parameters stay as the article prints them.
var ofTheArticle = map[string]bool{"search_order_code": true, "check_shop_qualifications": true}

// withEnglish adds to the known values of a parameter what they are called in English.
func withEnglish(parameter string, known []any) []any {
	all := slices.Clone(known)
	switch parameter {
	case "category", "channel", "city", "carrier":
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
