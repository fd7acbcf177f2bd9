package model

// event is what an event of the usual shape says: one choice or none, texts as strings or null. Its texts lie in the line
// that it was read from.
type event struct {
	model, text, reasoning, finish quoted
	calls                          []callEvent
	in, out                        int
}

// callEvent is a piece of a tool call.
type callEvent struct {
	index               []byte
	id, name, arguments quoted
}

// read reads an event of the usual shape, at about a tenth of the cost of encoding/json. It reports false for everything else,
// right or wrong: [chunk] is for that, and what both can read they read alike, which FuzzEvent holds true. Of an event that it
// refuses nothing counts.
func (e *event) read(line []byte) bool {
	calls := e.calls[:0]
	*e = event{calls: calls}
	s := cursor{b: line}
	seen := 0
	for s.open('{'); s.next('}'); {
		switch string(s.key()) {
		case "model":
			s.first(&seen, 1)
			e.model = s.words()
		case "object":
			s.first(&seen, 2)
			s.refuse(string(s.words().raw) == "error")
		case "error":
			s.first(&seen, 4)
			s.refuse(!s.null())
		case "choices":
			s.first(&seen, 8)
			if !s.null() {
				e.choices(&s)
			}
		case "usage":
			s.first(&seen, 16)
			if !s.null() {
				e.usage(&s)
			}
		default:
			s.skip(0)
		}
	}
	s.space()
	return !s.bad && s.i == len(s.b)
}

func (e *event) choices(s *cursor) {
	n := 0
	for s.open('['); s.next(']'); n++ {
		seen := 0
		for s.open('{'); s.next('}'); {
			switch string(s.key()) {
			case "index":
				s.first(&seen, 1)
				s.refuse(string(s.digits()) != "0")
			case "delta":
				s.first(&seen, 2)
				e.message(s, &seen)
			case "message":
				s.first(&seen, 4)
				e.message(s, &seen)
			case "finish_reason":
				s.first(&seen, 8)
				e.finish = s.words()
			default:
				s.skip(0)
			}
		}
	}
	s.refuse(n > 1)
}

// message reads a delta or a whole message; only one of them may be there.
func (e *event) message(s *cursor, choice *int) {
	if s.null() {
		return
	}
	s.first(choice, 16)
	seen := 0
	var refusal, reasoning quoted
	for s.open('{'); s.next('}'); {
		switch string(s.key()) {
		case "content":
			s.first(&seen, 1)
			e.text = s.words()
		case "refusal":
			s.first(&seen, 2)
			refusal = s.words()
		case "reasoning_content":
			s.first(&seen, 4)
			e.reasoning = s.words()
		case "reasoning":
			s.first(&seen, 8)
			reasoning = s.words()
		case "tool_calls":
			s.first(&seen, 16)
			if !s.null() {
				e.toolCalls(s)
			}
		case "function_call":
			s.refuse(!s.null())
		default:
			s.skip(0)
		}
	}
	switch {
	case len(refusal.raw) == 0:
	case len(e.text.raw) == 0:
		e.text = refusal
	default:
		s.bad = true
	}
	if len(e.reasoning.raw) == 0 {
		e.reasoning = reasoning // some send both, alike
	}
}

func (e *event) toolCalls(s *cursor) {
	for s.open('['); s.next(']'); {
		seen := 0
		var c callEvent
		for s.open('{'); s.next('}'); {
			switch string(s.key()) {
			case "index":
				s.first(&seen, 1)
				c.index = s.digits()
			case "id":
				s.first(&seen, 2)
				c.id = s.words()
			case "function":
				s.first(&seen, 4)
				c.function(s)
			default:
				s.skip(0)
			}
		}
		e.calls = append(e.calls, c)
	}
}

func (c *callEvent) function(s *cursor) {
	seen := 0
	for s.open('{'); s.next('}'); {
		switch string(s.key()) {
		case "name":
			s.first(&seen, 1)
			c.name = s.words()
		case "arguments":
			s.first(&seen, 2)
			c.arguments = s.words()
		default:
			s.skip(0)
		}
	}
}

func (e *event) usage(s *cursor) {
	seen := 0
	for s.open('{'); s.next('}'); {
		switch string(s.key()) {
		case "prompt_tokens":
			s.first(&seen, 1)
			e.in = s.count()
		case "completion_tokens":
			s.first(&seen, 2)
			e.out = s.count()
		default:
			s.skip(0)
		}
	}
}
