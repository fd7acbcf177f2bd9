package drill

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// keep writes the evidence as JSON, each field of [Evidence] in a file of its name, and the breaches: whoever looks closer has all that the audit had,
// and could judge anew.
func keep(dir string, e *Evidence, findings []Finding) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	breaches := map[string][]string{}
	for _, f := range findings {
		breaches[f.Name] = f.Breaches
	}
	parts := map[string]any{"breaches": breaches}
	fields := reflect.ValueOf(*e)
	for i := range fields.NumField() {
		parts[strings.ToLower(fields.Type().Field(i).Name)] = fields.Field(i).Interface()
	}
	wanted := e.Wanted
	wanted.Out = nil
	removals := make([]keptRemoval, len(e.Removals))
	for i, r := range e.Removals {
		removals[i] = keptRemoval{r, inPlace(r.Whole)}
	}
	parts["wanted"], parts["log"], parts["removals"] = wanted, inPlace(e.Log), removals
	for name, v := range parts {
		text, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".json"), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// placed is a record with its place in the log, by which breaches name it, and which is no part of its body.
type placed struct {
	Seq uint64 `json:"seq"`
	bus.Record
}

// keptRemoval is a [Removal] whose records have their places.
type keptRemoval struct {
	Removal
	Whole []placed
}

func inPlace(records []bus.Record) []placed {
	all := make([]placed, len(records))
	for i, r := range records {
		all[i] = placed{r.Seq, r}
	}
	return all
}
