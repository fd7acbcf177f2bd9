package actors

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// shorten keeps an observation that is too long to be read in the files, and leaves its beginning and end in the response. Tools
// of the house have done so themselves; this is for those of others.
func (t *Team) shorten(ctx context.Context, r *bus.Response, of *bus.Request) {
	limit := t.o.Limits.Observe
	if limit <= 0 || len(r.Observation) <= 4*limit {
		return
	}
	f, err := t.bus.Files().Put(ctx, of.Call+".json", "application/json", "the whole observation of "+of.ToolName, bytes.NewReader(r.Observation))
	if err != nil {
		t.log.Warn("a long observation could not be kept whole", "call", of.Call, "error", err)
	} else {
		r.Files = append(slices.Clone(r.Files), f)
	}
	r.Observation = shortened(r.Observation, limit, f)
}

// shortened is an observation as text of at most limit characters, with a word on where the whole is.
func shortened(whole json.RawMessage, limit int, f bus.File) json.RawMessage {
	text := memory.Shorten(round.Text(whole), limit)
	if f.Ref != "" {
		text += fmt.Sprintf("\n[%d bytes in all: %s]", len(whole), f.Ref)
	}
	return round.JSONText(text)
}
