package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// The one task that all contenders carry out: the model asks for the tool lookup, then for the tool price, then answers.
const (
	question   = "What does order 281063663568 cost in total, shipping included?"
	lookupCall = `{"order":"281063663568","fields":["items","city","weight"]}`
	lookupGave = `{"order":"281063663568","items":[{"name":"air fryer","count":1}],"city":"Hangzhou","weight":4.2}`
	priceCall  = `{"items":"air fryer","count":1,"city":"Hangzhou","weight":4.2}`
	priceGave  = `{"goods":290,"shipping":12,"total":302,"currency":"CNY"}`
	answer     = "Order 281063663568 holds one air fryer and goes to Hangzhou. The goods cost 290 yuan, and shipping a parcel of 4.2 kg " +
		"there costs 12 yuan, so that the order comes to 302 yuan in total. Nothing else is due: the price includes the tax, and there " +
		"is no fee for the payment. Tell me if you would like an invoice."

	modelName = "scripted"
)

// rounds is how many answers of the model a task takes.
const rounds = 3

// function is one tool as a model is told of it.
type function struct {
	Name, Description string
	Parameters        string // JSON Schema
	Gives             string
}

var functions = []function{
	{"lookup", "Looks up an order: its items, the city it goes to and its weight in kg.",
		`{"type":"object","properties":{"order":{"type":"string","description":"number of the order"},"fields":{"type":"array","items":{"type":"string"},"description":"what is wanted of it"}},"required":["order"]}`, lookupGave},
	{"price", "Computes the price of goods and of shipping them to a city.",
		`{"type":"object","properties":{"items":{"type":"string","description":"name of the goods"},"count":{"type":"integer"},"city":{"type":"string"},"weight":{"type":"number","description":"kg"}},"required":["items","city"]}`, priceGave},
}

// event is one event of a streamed answer, as OpenAI sends it.
func event(delta, finish, usage string) string {
	choices := fmt.Sprintf(`[{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}]`, delta, finish)
	if usage != "null" {
		choices = "[]"
	}
	return fmt.Sprintf("data: "+`{"id":"chatcmpl-CEq1Jw8vT5mZkq0b7yXn","object":"chat.completion.chunk","created":1795257600,"model":%q,"service_tier":"default","system_fingerprint":"fp_560af6e559","choices":%s,"usage":%s}`+"\n\n", modelName, choices, usage)
}

const used = `{"prompt_tokens":612,"completion_tokens":61,"total_tokens":673}`

// streamedText is a text as events of one word each.
func streamedText(text string) []string {
	events := []string{event(`{"role":"assistant","content":"","refusal":null}`, "null", "null")}
	for _, word := range strings.SplitAfter(text, " ") {
		events = append(events, event(fmt.Sprintf(`{"content":%q}`, word), "null", "null"))
	}
	return ended(events, `"stop"`)
}

// streamedCall is a call of a tool as events, its arguments in pieces of 8 bytes.
func streamedCall(id, name, arguments string) []string {
	events := []string{event(fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":%q,"type":"function","function":{"name":%q,"arguments":""}}],"refusal":null}`, id, name), "null", "null")}
	for rest := arguments; rest != ""; {
		piece := rest[:min(8, len(rest))]
		rest = rest[len(piece):]
		events = append(events, event(fmt.Sprintf(`{"tool_calls":[{"index":0,"function":{"arguments":%q}}]}`, piece), "null", "null"))
	}
	return ended(events, `"tool_calls"`)
}

func ended(events []string, finish string) []string {
	return append(events, event("{}", finish, "null"), event("", "", used), "data: [DONE]\n\n")
}

// whole is an answer in one piece.
func whole(message, finish string) []byte {
	return fmt.Appendf(nil, `{"id":"chatcmpl-CEq1Jw8vT5mZkq0b7yXn","object":"chat.completion","created":1795257600,"model":%q,"choices":[{"index":0,"message":%s,"logprobs":null,"finish_reason":%q}],"usage":%s,"service_tier":"default","system_fingerprint":"fp_560af6e559"}`, modelName, message, finish, used)
}

func wholeText(text string) []byte {
	return whole(fmt.Sprintf(`{"role":"assistant","content":%q,"refusal":null,"annotations":[]}`, text), "stop")
}

func wholeCall(id, name, arguments string) []byte {
	return whole(fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":%q,"type":"function","function":{"name":%q,"arguments":%q}}],"refusal":null,"annotations":[]}`, id, name, arguments), "tool_calls")
}

// reply is an answer of the model as it goes over the wire.
type reply struct {
	whole  []byte   // with head, not streamed
	events [][]byte // each an HTTP chunk, the first with the head, the last with the end of the body
	stream []byte   // all events in one
}

// replies are the answers of the model by the number of tool results it has been given.
var replies = [rounds]reply{
	newReply(streamedCall("call_7QmW2dKx", "lookup", lookupCall), wholeCall("call_7QmW2dKx", "lookup", lookupCall)),
	newReply(streamedCall("call_b0Hs91Vc", "price", priceCall), wholeCall("call_b0Hs91Vc", "price", priceCall)),
	newReply(streamedText(answer), wholeText(answer)),
}

func newReply(events []string, whole []byte) reply {
	if !json.Valid(whole) {
		panic("the script holds an answer that is not JSON: " + string(whole))
	}
	r := reply{whole: append(fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", len(whole)), whole...)}
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n"
	for i, e := range events {
		chunk := fmt.Appendf(nil, "%x\r\n%s\r\n", len(e), e)
		if i == 0 {
			chunk = append([]byte(head), chunk...)
		}
		r.events = append(r.events, chunk)
	}
	// The last two go out together, or a client that stops reading at [DONE] could not use its connection again.
	n := len(r.events)
	r.events[n-2] = append(append(r.events[n-2], r.events[n-1]...), "0\r\n\r\n"...)
	r.events = r.events[:n-1]
	r.stream = bytes.Join(r.events, nil)
	return r
}

// next is the answer to a request: which one is told by the tool results it brings.
func next(body []byte) reply {
	return replies[min(bytes.Count(body, []byte(`"role":"tool"`)), rounds-1)]
}
