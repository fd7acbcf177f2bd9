package scripted

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
	"unicode/utf8"
)

type object = map[string]any

// play answers a request by a step.
func (s *Server) play(w http.ResponseWriter, r *http.Request, req Request, step Step) {
	if step.Delay > 0 {
		select {
		case <-time.After(step.Delay):
		case <-r.Context().Done():
			return
		case <-s.closed:
			panic(http.ErrAbortHandler)
		}
	}
	switch {
	case step.Hang:
		s.hang(r)
	case step.Status >= 400:
		refuse(w, step)
	case req.Stream && !step.Plain:
		s.stream(w, r, req, step)
	default:
		whole(w, req, step)
	}
}

func (s *Server) hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.closed:
		panic(http.ErrAbortHandler) // returning would send an empty answer
	}
}

func refuse(w http.ResponseWriter, step Step) {
	if step.RetryAfter != "" {
		w.Header().Set("Retry-After", step.RetryAfter)
	}
	writeJSON(w, step.Status, object{"error": object{"message": step.Message, "type": "scripted", "code": nil}})
}

// stream writes the answer as server-sent events.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, req Request, step Step) {
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	send := func(line string) bool {
		if _, err := io.WriteString(w, line); err != nil {
			return false
		}
		return flush.Flush() == nil
	}
	for range step.Comments {
		if !send(": keep-alive\n\n") {
			return
		}
	}
	if step.Endless {
		data := event(req, object{"content": step.Text}, "")
		for written := 0; written < 8<<20 && r.Context().Err() == nil; written += len(data) {
			if !send(data) {
				return
			}
		}
	}
	for i, data := range events(req, step) {
		if step.Cut > 0 && i >= step.Cut {
			break
		}
		if !send(data) {
			return
		}
	}
	switch {
	case step.Cut > 0:
		panic(http.ErrAbortHandler) // net/http's way to break a connection without an end
	case step.HangAfter:
		s.hang(r)
	case step.Unfinished, step.Raw != nil:
	default:
		send("data: [DONE]\n\n")
	}
}

// events are the server-sent events of an answer, but for the closing [DONE].
func events(req Request, step Step) []string {
	var out []string
	if step.Raw != nil {
		for _, raw := range step.Raw {
			out = append(out, "data: "+raw+"\n\n")
		}
		return out
	}
	out = append(out, event(req, object{"role": "assistant", "content": ""}, ""))
	for _, piece := range pieces(step.Reasoning) {
		out = append(out, event(req, object{"reasoning_content": piece}, ""))
	}
	for _, piece := range pieces(step.Text) {
		out = append(out, event(req, object{"content": piece}, ""))
	}
	for i, c := range toolCalls(step) {
		f := c["function"].(object)
		out = append(out, event(req, object{"tool_calls": []object{{"index": i, "id": c["id"], "type": "function",
			"function": object{"name": f["name"], "arguments": ""}}}}, ""))
		for _, piece := range pieces(f["arguments"].(string)) {
			out = append(out, event(req, object{"tool_calls": []object{{"index": i, "function": object{"arguments": piece}}}}, ""))
		}
	}
	if step.Unfinished {
		return out
	}
	out = append(out, event(req, object{}, finish(step)))
	if !step.NoUsage {
		out = append(out, line(object{"id": "s", "object": "chat.completion.chunk", "model": req.Model, "choices": []any{}, "usage": usage(req, step)}))
	}
	return out
}

// whole writes the answer as one JSON body.
func whole(w http.ResponseWriter, req Request, step Step) {
	message := object{"role": "assistant", "content": step.Text}
	if step.Reasoning != "" {
		message["reasoning_content"] = step.Reasoning
	}
	if len(step.Calls) > 0 {
		message["tool_calls"] = toolCalls(step)
	}
	out := object{"id": "s", "object": "chat.completion", "model": req.Model,
		"choices": []object{{"index": 0, "message": message, "finish_reason": finish(step)}}}
	if !step.NoUsage {
		out["usage"] = usage(req, step)
	}
	body, err := json.Marshal(out)
	if err != nil {
		panic(err) // maps of strings always encode
	}
	if len(step.Raw) > 0 {
		body = []byte(step.Raw[0])
	}
	w.Header().Set("Content-Type", "application/json")
	if step.Cut > 0 && step.Cut < len(body) {
		_, _ = w.Write(body[:step.Cut])
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(body)
}

func toolCalls(step Step) []object {
	var out []object
	for i, c := range step.Calls {
		if c.ID == "" {
			c.ID = fmt.Sprintf("call_%d", i)
		}
		out = append(out, object{"id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": c.Arguments}})
	}
	return out
}

func finish(step Step) string {
	switch {
	case step.Finish != "":
		return step.Finish
	case len(step.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

// usage counts a token for each character: wrong, but easy to foretell in a test.
func usage(req Request, step Step) object {
	in, out := 0, utf8.RuneCountInString(step.Text)+utf8.RuneCountInString(step.Reasoning)
	for _, m := range req.Messages {
		in += utf8.RuneCountInString(m.Text)
	}
	for _, c := range step.Calls {
		out += utf8.RuneCountInString(c.Arguments)
	}
	return object{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
}

func event(req Request, delta object, finish string) string {
	choice := object{"index": 0, "delta": delta, "finish_reason": nil}
	if finish != "" {
		choice["finish_reason"] = finish
	}
	return line(object{"id": "s", "object": "chat.completion.chunk", "model": req.Model, "choices": []object{choice}})
}

func line(v object) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of strings always encode
	}
	return "data: " + string(b) + "\n\n"
}

// pieces splits s as a model writes it, a few characters at a time.
func pieces(s string) []string {
	const size = 5
	var out []string
	for r := []rune(s); len(r) > 0; {
		n := min(size, len(r))
		out = append(out, string(r[:n]))
		r = r[n:]
	}
	return out
}
