package round

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// parts takes the words off a line one after the other.
type parts struct{ rest string }

func (w *parts) next() string {
	word, rest, _ := strings.Cut(w.rest, " ")
	w.rest = strings.TrimLeft(rest, " ")
	return word
}

// option takes "name=value" if it is next; "" if not.
func (w *parts) option(name string) string {
	return w.prefix(name + "=")
}

func (w *parts) prefix(p string) string {
	if !strings.HasPrefix(w.rest, p) {
		return ""
	}
	return strings.TrimPrefix(w.next(), p)
}

// json takes a JSON value if one is next.
func (w *parts) json() json.RawMessage {
	if !strings.HasPrefix(w.rest, "{") && !strings.HasPrefix(w.rest, "[") {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(w.rest))
	var v json.RawMessage
	if d.Decode(&v) != nil {
		return nil
	}
	w.rest = strings.TrimLeft(w.rest[d.InputOffset():], " ")
	return v
}

func usage(w *parts) bus.Usage {
	u := bus.Usage{Rounds: number(w.option("rounds"))}
	u.OutputTokens = number(w.option("tokens"))
	u.Money = float(w.option("money"))
	return u
}

func list(s string) []string {
	return slices.DeleteFunc(strings.Split(s, ","), func(s string) bool { return s == "" })
}

func number(s string) int    { n, _ := strconv.Atoi(s); return n }
func float(s string) float64 { f, _ := strconv.ParseFloat(s, 64); return f }
