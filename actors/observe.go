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

// MaxWhole is how long an object may be, in bytes, that is left whole: figures are worked out from all the rows of a list, and documents show them. Models
// read no more of it than of any other observation. Twenty rounds that each bring so much are 7.5 MiB of log
// and 21 MiB of memory while the call is held; tools of the house cut theirs at 32 KiB, so only the tools of others come near it.
const MaxWhole = 384 << 10

func isObject(v json.RawMessage) bool { return len(v) > 0 && v[0] == '{' }

// shorten keeps an observation that is too long to be read in the files, and leaves its beginning and end in the response. Tools
// of the house have done so themselves; this is for those of others.
func (t *Team) shorten(ctx context.Context, r *bus.Response, of *bus.Request) {
	limit := t.o.Limits.Observe
	if limit <= 0 || len(r.Observation) <= 4*limit || len(r.Observation) <= MaxWhole && isObject(r.Observation) {
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
