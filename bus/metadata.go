package bus

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

// maxCard bounds the metadata of one card, with its name and version, in bytes; the planner shows cards to models, so a large one is a mistake or worse.
const maxCard = 64 << 10

// filled is the card with its defaults written out, so that equal cards are equal.
func (c Card) filled() Card {
	c.Approval = orElse(c.Approval, "never")
	c.Version = orElse(c.Version, "1.0.0")
	if c.Effect == "" && !c.IsAgent() {
		c.Effect = Unsafe
	}
	return c
}

// metadata is the card as strings, as the metadata of a NATS micro service. What is empty is left out.
func (c Card) metadata() (map[string]string, error) {
	m := map[string]string{"hmap": Version, "kind": c.Kind, "name": c.Name, "description": c.Description}
	put := func(key, value string) {
		if value != "" {
			m[key] = value
		}
	}
	put("parameters", string(c.Parameters))
	put("returns", string(c.Returns))
	put("effect", string(c.Effect))
	put("approval", c.Approval)
	if c.Timeout != 0 {
		put("timeout", strconv.FormatFloat(c.Timeout.Seconds(), 'f', -1, 64)) // seconds
	}
	if c.Cost != 0 {
		put("cost", strconv.FormatFloat(c.Cost, 'f', -1, 64))
	}
	if len(c.Role) > 0 {
		text, err := json.Marshal(c.Role)
		if err != nil {
			return nil, err
		}
		put("role", string(text))
	}
	for key, list := range map[string][]string{"tags": c.Tags, "skills": c.Skills} {
		if len(list) > 0 {
			text, err := json.Marshal(list)
			if err != nil {
				return nil, err
			}
			put(key, string(text))
		}
	}
	return m, nil
}

// parseCard reads a card from what a service says about itself; name and version are the service's own. With an error the card
// holds what could be read, for the list of rejected ones; with [ErrTooLarge] the beginning of its name.
func parseCard(name, version string, m map[string]string) (Card, error) {
	c := Card{Name: orElse(m["name"], name), Kind: m["kind"], Description: m["description"], Effect: Effect(m["effect"]),
		Approval: m["approval"], Version: version}
	if m["parameters"] != "" {
		c.Parameters = json.RawMessage(m["parameters"])
	}
	if m["returns"] != "" {
		c.Returns = json.RawMessage(m["returns"])
	}
	size := len(name) + len(version)
	for k, v := range m {
		size += len(k) + len(v)
	}
	if size > maxCard {
		return Card{Name: fmt.Sprintf("%.64s", c.Name)}, fmt.Errorf("the card has %d bytes, at most %d: %w", size, maxCard, ErrTooLarge)
	}
	var errs []error
	wrong := func(format string, v ...any) { errs = append(errs, fmt.Errorf(format, v...)) }
	if err := versionOK(m["hmap"]); err != nil {
		errs = append(errs, err)
	}
	if err := required("name", c.Name); err != nil {
		errs = append(errs, err)
	} else if c.Name != name {
		wrong("the card says name %s, the service is %.80q", c.Name, name)
	}
	if c.Kind != "agent" && c.Kind != "tool" {
		wrong("kind %.80q: want agent or tool", c.Kind)
	}
	if c.Description == "" {
		wrong("no description: nobody can know what it is for")
	}
	switch c.Effect {
	case "", Read, Idempotent, Unsafe:
	default:
		wrong("effect %.80q: want read, idempotent or unsafe", c.Effect)
	}
	if c.Approval != "" && c.Approval != "ask" && c.Approval != "never" {
		wrong("approval %.80q: want ask or never", c.Approval)
	}
	if s := m["timeout"]; s != "" {
		if v, err := strconv.ParseFloat(s, 64); err != nil || !(v >= 0 && v <= 7*24*3600) {
			wrong("timeout %.80q: want seconds, at most a week", s)
		} else {
			c.Timeout = time.Duration(v * float64(time.Second))
		}
	}
	if s := m["cost"]; s != "" {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || !(v >= 0) || math.IsInf(v, 0) {
			wrong("cost %.80q: want a number from 0", s)
		} else {
			c.Cost = v
		}
	}
	if s := m["role"]; s != "" {
		if err := json.Unmarshal([]byte(s), &c.Role); err != nil {
			wrong("role: want a JSON object of names by language")
		}
		if len(c.Role) == 0 {
			c.Role = nil
		}
	}
	for key, list := range map[string]*[]string{"tags": &c.Tags, "skills": &c.Skills} {
		if s := m[key]; s != "" {
			if err := json.Unmarshal([]byte(s), list); err != nil {
				wrong("%s: want a JSON list of strings", key)
			}
			if len(*list) == 0 {
				*list = nil // so that an empty list and none are the same card
			}
		}
	}
	if err := checkSchema(c.Parameters, true); err != nil {
		wrong("parameters: %w", err)
	}
	if err := checkSchema(c.Returns, false); err != nil {
		wrong("returns: %w", err)
	}
	return c.filled(), errors.Join(errs...)
}

// checkSchema says what is wrong with a schema of a card; object: it must be of an object.
func checkSchema(schema json.RawMessage, object bool) error {
	if schema == nil {
		return nil
	}
	var fields map[string]any
	if err := json.Unmarshal(schema, &fields); object && (err != nil && json.Valid(schema) || err == nil && fields["type"] != "object") {
		return errors.New(`want a JSON Schema with "type": "object"`)
	}
	_, err := CompileSchema(schema, false)
	return err
}
