package bus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// SavedTool is a tool made of calls that solved a task once. Its steps run as calls of their own, each with its record, its effect and its leave;
// what the user of that task said has become its parameters. It is kept by [Bus.KeepTool].
type SavedTool struct {
	// Name is a token in lower case, 2 to 48 of a–z 0–9 _, that begins with a letter; "__" is for the tools of MCP servers.
	Name string `json:"name"`
	// Version is 1 when the name is first saved and one more with each change and each removal. [Bus.KeepTool] sets it.
	Version int `json:"version,omitempty"`
	// Title is what people call it, in any letters: 超时查询. At most 40 characters of one line; "": its name.
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"` // at most 2,000 bytes
	Agent       string `json:"agent,omitempty"`       // to which it belongs
	// Parameters is a JSON Schema of type object; a property that is not required has a default or is left out of the steps that name it.
	Parameters json.RawMessage `json:"parameters,omitempty"`
	Returns    json.RawMessage `json:"returns,omitempty"` // of [SavedTool.Result]; nil: unknown
	// Effect is the strongest of its steps, as their cards were when it was saved. A step whose card says a stronger one later does not run.
	Effect Effect      `json:"effect,omitempty"`
	Steps  []SavedStep `json:"steps,omitempty"` // 1 to 31
	Test   *SavedTest  `json:"test,omitempty"`
	From   string      `json:"from,omitempty"`    // the task that it was made of
	Saved  time.Time   `json:"saved,omitzero"`    // when this version was kept
	Gone   bool        `json:"removed,omitempty"` // only name and version are left
}

// SavedStep is one call of a saved tool. In its parameter, the text "$args.name" stands for an argument of the tool, "$id.field.0" for a part of
// what an earlier step brought, and "$$" at the beginning of a text for one "$".
type SavedStep struct {
	ID        string          `json:"id"` // a token, not "args" or "end"
	After     []string        `json:"after,omitempty"`
	ToolName  string          `json:"tool_name"` // a tool; no agent, and no saved one
	Parameter json.RawMessage `json:"parameter,omitempty"`
	Card      string          `json:"card,omitempty"` // [Card.Print] of the tool when this was saved
}

// SavedTest is what the log says that the tool did when it was made.
type SavedTest struct {
	Parameter json.RawMessage `json:"parameter,omitempty"`
	Shape     json.RawMessage `json:"shape,omitempty"` // of what came back, see [Shape]
	Value     json.RawMessage `json:"value,omitempty"` // what came back, when it was the same each time; nil: only the shape counts
}

const (
	// MaxSavedTools bounds how many a tenant has.
	MaxSavedTools   = 256
	maxSavedTool    = 256 << 10
	maxSavedSteps   = 31 // an action_code has 32 actions at most, one of which may put results together
	maxSavedText    = 2000
	maxSavedTitle   = 40
	maxSavedSchema  = 24 << 10
	maxSavedFields  = 32
	savedVersion    = "+saved"
	savedArguments  = "args"
	savedEnd        = "end" // the id of the action that puts the results of several ends together
	savedStepWithin = 2 * time.Minute
)

var savedName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// ParseSavedTool reads the JSON of a saved tool strictly, and checks it. The error says what to correct.
func ParseSavedTool(body []byte) (SavedTool, error) {
	var t SavedTool
	if len(body) > maxSavedTool {
		return t, fmt.Errorf("saved tool: %d bytes, at most %d: %w", len(body), maxSavedTool, ErrTooLarge)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return t, fmt.Errorf("saved tool: %w", err)
	}
	if d.More() {
		return t, errors.New("saved tool: there is something behind the JSON object")
	}
	return t, t.Check()
}

// Check says what is wrong with a saved tool as it stands; whether its steps' tools are there is not asked. One that is gone needs only its name.
func (t *SavedTool) Check() error {
	if len(t.Name) < 2 || len(t.Name) > 48 || !savedName.MatchString(t.Name) || t.Name == "ask_user" || t.Name == "finish" {
		return fmt.Errorf("saved tool %.80q: the name must be 2 to 48 of a-z 0-9 and single _, begin with a letter, and not be ask_user or finish", t.Name)
	}
	if t.Gone {
		return nil
	}
	bad := func(format string, v ...any) error {
		return fmt.Errorf("saved tool %s: "+format, append([]any{t.Name}, v...)...)
	}
	switch {
	case t.Description == "" || len(t.Description) > maxSavedText:
		return bad("the description has %d bytes, want 1 to %d", len(t.Description), maxSavedText)
	case utf8.RuneCountInString(t.Title) > maxSavedTitle || strings.ContainsFunc(t.Title, unicode.IsControl) || strings.TrimSpace(t.Title) != t.Title:
		return bad("the title %.80q must be one line of at most %d characters", t.Title, maxSavedTitle)
	case !ValidToken(t.Agent):
		return bad("agent %.80q: %w", t.Agent, ErrBadName)
	case t.Effect != Read && t.Effect != Idempotent && t.Effect != Unsafe:
		return bad("effect %.80q: want read, idempotent or unsafe", t.Effect)
	case len(t.Steps) == 0 || len(t.Steps) > maxSavedSteps:
		return bad("%d steps, want 1 to %d", len(t.Steps), maxSavedSteps)
	}
	fields, err := t.fields()
	if err != nil {
		return bad("%w", err)
	}
	if len(t.Returns) > maxSavedSchema {
		return bad("returns has %d bytes, at most %d", len(t.Returns), maxSavedSchema)
	}
	if err := checkSchema(t.Returns, false); err != nil {
		return bad("returns: %w", err)
	}
	before := map[string]bool{}
	for i, s := range t.Steps {
		switch {
		case !ValidToken(s.ID) || s.ID == savedArguments || s.ID == savedEnd || before[s.ID]:
			return bad("the id %.80q of step %d must be a token of its own, and not %q or %q", s.ID, i+1, savedArguments, savedEnd)
		case !ValidToken(s.ToolName) || s.ToolName == "ask_user" || s.ToolName == "finish" || s.ToolName == t.Name:
			return bad("step %s cannot call %.80q", s.ID, s.ToolName)
		}
		for _, id := range s.After {
			if !before[id] {
				return bad("step %s comes after %.80q, which is no earlier step", s.ID, id)
			}
		}
		if err := s.check(fields, before); err != nil {
			return bad("step %s: %w", s.ID, err)
		}
		before[s.ID] = true
	}
	if body, err := json.Marshal(t); err != nil || len(body) > maxSavedTool {
		return bad("it has %d bytes, at most %d", len(body), maxSavedTool)
	}
	return nil
}

// fields are the properties of the parameters, by name.
func (t *SavedTool) fields() (map[string]savedField, error) {
	if len(t.Parameters) > maxSavedSchema {
		return nil, fmt.Errorf("parameters has %d bytes, at most %d", len(t.Parameters), maxSavedSchema)
	}
	if err := checkSchema(t.Parameters, true); err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	var schema struct {
		Properties map[string]savedField `json:"properties"`
		Required   []string              `json:"required"`
	}
	if len(t.Parameters) > 0 {
		if err := json.Unmarshal(t.Parameters, &schema); err != nil {
			return nil, fmt.Errorf("parameters: %w", err)
		}
	}
	if len(schema.Properties) > maxSavedFields {
		return nil, fmt.Errorf("parameters: %d properties, at most %d", len(schema.Properties), maxSavedFields)
	}
	for name, f := range schema.Properties {
		if !ValidToken(name) {
			return nil, fmt.Errorf("parameter %.80q: %w", name, ErrBadName)
		}
		f.required = slices.Contains(schema.Required, name)
		schema.Properties[name] = f
	}
	return schema.Properties, nil
}

// savedField is a property of the parameters, as far as binding needs it.
type savedField struct {
	Default  json.RawMessage `json:"default"`
	required bool
}

func (s *SavedStep) check(fields map[string]savedField, before map[string]bool) error {
	given := map[string]any{}
	if len(s.Parameter) > 0 {
		if err := DecodeNumbers(s.Parameter, &given); err != nil {
			return fmt.Errorf("its parameter is no JSON object: %w", err)
		}
	}
	if deeper(given, maxSchemaDepth) {
		return fmt.Errorf("its parameter is nested more than %d deep", maxSchemaDepth)
	}
	_, err := eachText(given, func(text string) (any, error) {
		id, path, ok := Reference(text)
		if !ok {
			return text, nil
		}
		if id == savedArguments {
			if _, there := fields[strings.TrimPrefix(path, ".")]; !there {
				return nil, fmt.Errorf("%.80q names no parameter of the tool", text)
			}
		} else if !before[id] {
			return nil, fmt.Errorf("%.80q names no earlier step; a text that begins with $ is written with $$", text)
		}
		return text, nil
	})
	return err
}
