package mcp

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/gloss"
)

// maxDescription bounds what a server says of a tool, in bytes: models and the planner read it in every round.
const maxDescription = 2000

// slack is how much longer than a call of the server a call of the tool may take, so that the server's time ends first and its
// penalty is known.
const slack = 2 * time.Second

// Name is the name on the bus of a server's tool: "server__tool". Signs that no name may have become "_"; where that, or the length of
// 64, would make two names one, an end made from the name's hash keeps them apart.
func Name(server, tool string) string {
	clean := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-') {
			return r
		}
		return '_'
	}, tool)
	room := bus.MaxToken - len(server) - len(separator)
	if clean == tool && len(clean) <= room {
		return server + separator + clean
	}
	sum := sha256.Sum256([]byte(tool))
	end := "_" + hex.EncodeToString(sum[:4])
	return server + separator + clean[:min(len(clean), room-len(end))] + end
}

// separator stands between the names of server and tool; no name of a server has it.
const separator = "__"

// card is what a server's tool is on the bus. The error says why it cannot be offered.
func card(s *Server, t *tool) (bus.Card, error) {
	c := bus.Card{Name: Name(s.Name, t.Name), Kind: "tool", Timeout: s.Timeout + slack}
	c.Description = clip(strings.TrimSpace(plain(t.Description)), maxDescription)
	if title := plain(cmp.Or(t.Title, t.Annotations.Title)); title != "" && !strings.Contains(c.Description, title) {
		c.Description = strings.TrimSpace(clip(title, 100) + ": " + c.Description)
	}
	if c.Description == "" {
		c.Description = strings.Join(strings.FieldsFunc(plain(t.Name), func(r rune) bool { return r == '_' || r == '-' || r == '.' }), " ")
	}
	if c.Description == "" {
		return c, errors.New("it says nothing of itself")
	}
	c.Tags = append(s.tags(), gloss.Tags(t.Name, c.Description)...)
	c.Effect, c.Approval = terms(s, t)
	var err error
	if c.Parameters, err = schema(t.InputSchema); err != nil {
		return c, fmt.Errorf("inputSchema: %w", err)
	}
	if c.Parameters == nil {
		c.Parameters = json.RawMessage(`{"type":"object"}`)
	}
	c.Parameters = gloss.Values(c.Parameters)
	if c.Returns, err = schema(t.OutputSchema); err != nil {
		return c, fmt.Errorf("outputSchema: %w", err)
	}
	return c, nil
}

// terms are effect and approval, from the server's hints unless the configuration says otherwise. A hint that is missing promises
// nothing: by the specification a tool is destructive unless it says that it is not.
func terms(s *Server, t *tool) (effect bus.Effect, approval string) {
	says := func(hint *bool) bool { return hint != nil && *hint }
	a := t.Annotations
	effect, approval = bus.Unsafe, "ask"
	switch {
	case says(a.ReadOnly):
		effect, approval = bus.Read, "never"
	case says(a.Idempotent):
		effect = bus.Idempotent
		if a.Destructive != nil && !*a.Destructive {
			approval = "never"
		}
	}
	if e, ok := s.Effects[t.Name]; ok {
		effect, approval = e, "never"
		if e == bus.Unsafe {
			approval = "ask"
		}
	}
	return effect, cmp.Or(s.Approval, approval)
}

// drafts are the beginnings of the names of the versions of JSON Schema that are known here.
var drafts = []string{"http://json-schema.org/draft-0", "https://json-schema.org/draft/20"}

// schema is a server's schema as a card may have it; nil for none. The compiling, and what bounds patterns, is the host's business.
func schema(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, errors.New("it is no object")
	}
	var draft string
	if at, ok := object["$schema"]; ok && (json.Unmarshal(at, &draft) != nil || !slices.ContainsFunc(drafts, func(d string) bool { return strings.HasPrefix(draft, d) })) {
		delete(object, "$schema")
	}
	if _, ok := object["type"]; !ok {
		object["type"] = json.RawMessage(`"object"`)
	}
	if string(object["type"]) != `"object"` {
		return nil, fmt.Errorf("its type is %.40s, and must be object", object["type"])
	}
	if n := depth(raw); n > maxDepth {
		return nil, fmt.Errorf("it is nested %d deep, more than %d", n, maxDepth)
	}
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Compact(&out, text)
	return out.Bytes(), err
}

// maxDepth bounds how deep a schema is nested: to compile it takes the third power of that.
const maxDepth = 60

// depth is how deep a valid JSON text is nested.
func depth(text []byte) int {
	deepest, now, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

// offers reports whether the configuration lets a tool of the server be offered.
func (s *Server) offers(tool string) bool {
	return (len(s.Only) == 0 || slices.Contains(s.Only, tool)) && !slices.Contains(s.Except, tool)
}

// plain is a stranger's text without control characters, but for line ends, and valid.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(text, "�"))
}

// clip cuts a text to at most n bytes and a mark, between characters.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}
