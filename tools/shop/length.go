package shop

// length is the argument that says how many rows a list shows; the count beside the list is of all, and so are the sums.
type length struct {
	Limit int `json:"limit,omitempty" jsonschema:"title=行数,minimum=1,maximum=1000" jsonschema_description:"列表的行数，不填为20"`
}

const (
	listed    = 20   // rows, when nobody says how many
	maxListed = 1000 // rows: some 300 kB, which a record carries
)

// rows is how many rows are wanted: what a card bounds may still come without the card.
func (l length) rows() int {
	if l.Limit <= 0 {
		return listed
	}
	return min(l.Limit, maxListed)
}
