package drill

import (
	"fmt"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A word to an ask for several calls is one for each that it shows, and for no other.
func TestReplyToSeveral(t *testing.T) {
	b := newBook()
	for i := range 20 {
		id := fmt.Sprint("c", i)
		in := b.reply(&Told{}, bus.Ask{ID: id, Kind: bus.Approval, Others: []bus.AskedCall{{Call: id + "-other"}}})
		said, unsaid := b.approved, b.refused
		if in.Kind == bus.Refuse {
			said, unsaid = unsaid, said
		}
		if said[id].IsZero() || said[id+"-other"].IsZero() || !unsaid[id].IsZero() || !unsaid[id+"-other"].IsZero() {
			t.Errorf("%s to %s: %v, %v", in.Kind, id, b.approved, b.refused)
		}
	}
	if len(b.approved) == 0 || len(b.refused) == 0 || len(b.approved)+len(b.refused) != 40 {
		t.Errorf("%d approved, %d refused", len(b.approved), len(b.refused))
	}
}
