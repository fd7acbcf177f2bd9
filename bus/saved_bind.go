package bus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Card is what the tool says about itself on the bus. It answers a repeated call from its log, and its steps keep their own effects, so that not
// even one with unsafe steps is worse when called twice with one id: of those that change something the card says idempotent.
func (t *SavedTool) Card() Card {
	c := Card{Name: t.Name, Kind: "tool", Description: t.Description, Parameters: t.Parameters, Returns: t.Returns, Effect: t.Effect, Approval: "never",
		Version: fmt.Sprintf("%d.0.0%s", t.Version, savedVersion), Timeout: savedStepWithin * time.Duration(len(t.Steps)), Tags: []string{t.Agent}}
	if t.Title != "" {
		c.Tags = append(c.Tags, t.Title)
	}
	if c.Effect != Read {
		c.Effect = Idempotent
	}
	return c.filled()
}

// SavedTitle is what people call a saved tool, by its card; "" when that is its name.
func (c Card) SavedTitle() string {
	if !c.IsSaved() || len(c.Tags) < 2 {
		return ""
	}
	return c.Tags[1]
}

// Stronger reports whether an effect is stronger than another: unsafe than idempotent, and that than read.
func Stronger(a, b Effect) bool {
	order := []Effect{Read, Idempotent, Unsafe}
	return slices.Index(order, a) > slices.Index(order, b)
}

// IsSaved reports whether a card is that of a [SavedTool].
func (c Card) IsSaved() bool { return strings.HasSuffix(c.Version, savedVersion) }

// Bind gives the calls of the tool for arguments that hold its parameters: "$args" is filled in, references between the steps stay. An argument
// that is not given is its default, or left out of the object where it stands.
func (t *SavedTool) Bind(arguments json.RawMessage) ([]Action, error) {
	fields, err := t.fields()
	if err != nil {
		return nil, err
	}
	given := map[string]any{}
	if len(bytes.TrimSpace(arguments)) > 0 {
		if err := DecodeNumbers(arguments, &given); err != nil {
			return nil, fmt.Errorf("the arguments are no JSON object: %w", err)
		}
		if given == nil { // of null
			given = map[string]any{}
		}
	}
	for name, f := range fields {
		if _, there := given[name]; there {
			continue
		}
		var v any
		switch {
		case len(f.Default) > 0 && DecodeNumbers(f.Default, &v) == nil:
			given[name] = v
		case f.required:
			return nil, fmt.Errorf("%s is missing", name)
		}
	}
	var out []Action
	for _, s := range t.Steps {
		a := Action{ID: s.ID, After: s.After, ToolName: s.ToolName, TrustMode: 1}
		if len(s.Parameter) > 0 {
			var v any
			if err := DecodeNumbers(s.Parameter, &v); err != nil {
				return nil, fmt.Errorf("step %s: %w", s.ID, err)
			}
			v, err := eachText(v, func(text string) (any, error) {
				id, path, ok := Reference(text)
				if !ok || id != savedArguments {
					return text, nil
				}
				v, there := given[strings.TrimPrefix(path, ".")]
				if !there {
					return leftOut{}, nil
				}
				return eachText(v, func(text string) (any, error) { // what a user said refers to nothing
					if strings.HasPrefix(text, "$") {
						text = "$" + text
					}
					return text, nil
				})
			})
			if err != nil {
				return nil, fmt.Errorf("step %s: %w", s.ID, err)
			}
			if a.Parameter, err = EncodePlain(v); err != nil {
				return nil, fmt.Errorf("step %s: %w", s.ID, err)
			}
		}
		out = append(out, a)
	}
	if ends := t.Ends(); len(ends) > 1 {
		whole := Action{ID: savedEnd, ToolName: "finish", TrustMode: 1}
		all := map[string]string{}
		for _, i := range ends {
			whole.After = append(whole.After, t.Steps[i].ID)
			all[t.ResultName(i)] = "$" + t.Steps[i].ID
		}
		if whole.Parameter, err = EncodePlain(map[string]any{"answer": all}); err != nil {
			return nil, err
		}
		out = append(out, whole)
	}
	return out, nil
}

// Ends are the places of the steps for which no other step waits: what they bring is what the tool brings.
func (t *SavedTool) Ends() (ends []int) {
	waited := map[string]bool{}
	for _, s := range t.Steps {
		for _, id := range s.After {
			waited[id] = true
		}
		_, _ = FillReferences(s.Parameter, func(id, _ string) (any, error) { // it only looks
			waited[id] = true
			return nil, nil
		})
	}
	for i, s := range t.Steps {
		if !waited[s.ID] {
			ends = append(ends, i)
		}
	}
	return ends
}

// ResultName is the field of the result in which a step's stands, when the tool has several ends: its tool's name, or with the step's id where two
// steps call one tool.
func (t *SavedTool) ResultName(i int) string {
	name := t.Steps[i].ToolName
	for j, s := range t.Steps {
		if j != i && s.ToolName == name {
			return name + "_" + t.Steps[i].ID
		}
	}
	return name
}

// Result is what the tool brings of what its steps brought, by their ids: that of its only end as it is, or an object with that of each end. Not ok:
// one of these is not there.
func (t *SavedTool) Result(brought map[string]json.RawMessage) (result json.RawMessage, ok bool) {
	all := map[string]json.RawMessage{}
	for _, i := range t.Ends() {
		one, there := brought[t.Steps[i].ID]
		if !there {
			return nil, false
		}
		if len(bytes.TrimSpace(one)) == 0 {
			one = json.RawMessage("null")
		}
		all[t.ResultName(i)], result = one, one
	}
	if len(all) == 1 {
		return result, true
	}
	result, err := EncodePlain(all)
	return result, err == nil
}
