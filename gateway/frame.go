package gateway

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gorilla/websocket"

	"github.com/hmap-project/hmap/bus"
)

// The sizes of what people may send, in bytes.
const (
	maxFrame = 64 << 10 // one WebSocket frame, one body of POST /v1/tasks
	maxQuery = 48 << 10 // the text of a task or an input; leaves room for the escapes of JSON
)

// The codes with which a WebSocket is closed. 4000–4099: connect again and resume with after; 4400–4499: do not come back
// without a change.
const (
	CloseSlow = 4008 // the queue was full, or the log could not be read for a while
	CloseAway = 4011 // the gateway shuts down
	CloseFull = 4013 // as many sessions are followed on this gateway as it takes
	CloseBad  = 4400 // too many frames that could not be understood
)

// clientFrame is what a client sends. Which fields count depends on Type; a task frame is also a [bus.Submission].
type clientFrame struct {
	Type    string        `json:"type"` // task, follow, unfollow, input, cancel
	ID      string        `json:"id"`
	Session string        `json:"session"`
	Task    string        `json:"task"`
	After   uint64        `json:"after"`
	Kind    bus.InputKind `json:"kind"`
	Ask     string        `json:"ask"`
	Text    string        `json:"text"`
	Apart   bool          `json:"apart"` // of an answer: the words may be a request of their own

	submission bus.Submission
}

// parseFrame reads one frame and checks everything that can be checked without asking the bus. The error is worded for
// whoever wrote the client; the frame that comes with it is good for its id only.
func parseFrame(data []byte) (clientFrame, *bus.Error) {
	var f clientFrame
	broken := json.Unmarshal(data, &f)
	if err := checkID(f.ID); err != nil {
		return clientFrame{}, err
	}
	if broken != nil {
		return clientFrame{ID: f.ID}, bad("the frame is not the JSON object expected: %v", broken)
	}
	switch f.Type {
	case "task":
		sub, err := parseSubmission(data)
		f.submission = sub
		return f, err
	case "follow", "unfollow":
		return f, checkWhere(bus.Where{Session: f.Session})
	case "input":
		switch f.Kind {
		case bus.Answer, bus.Approve, bus.Refuse, bus.Steer, bus.Cancel:
		default:
			return f, bad("kind %.40q of an input is none of answer, approve, refuse, steer, cancel", f.Kind)
		}
	case "cancel":
		f.Kind = bus.Cancel
	case "":
		return f, bad("the frame has no type")
	default:
		return f, bad("type %.40q is none of task, follow, unfollow, input, cancel", f.Type)
	}
	if f.Task == "" {
		return f, bad("the frame names no task")
	}
	if len(f.Text) > maxQuery {
		return f, bad("text has %d bytes, more than %d; put long content in a file", len(f.Text), maxQuery)
	}
	if f.Ask != "" && !bus.ValidToken(f.Ask) {
		return f, bad("ask %.80q: %v", f.Ask, bus.ErrBadName)
	}
	return f, checkWhere(bus.Where{Session: f.Session, Task: f.Task})
}

// parseSubmission reads a submission from a JSON object. ReplyTo is taken away: on the bus it makes an agent publish to a
// subject, and somebody who only has the gateway's door must not choose subjects.
func parseSubmission(data []byte) (bus.Submission, *bus.Error) {
	var sub bus.Submission
	if err := json.Unmarshal(data, &sub); err != nil {
		return sub, bad("the task is not the JSON object expected: %v", err)
	}
	sub.ReplyTo = ""
	switch {
	case strings.TrimSpace(sub.Query) == "":
		return sub, bad("query is empty; say what is wanted")
	case len(sub.Query) > maxQuery:
		return sub, bad("query has %d bytes, more than %d; put long content in a file", len(sub.Query), maxQuery)
	case sub.Session == "" && sub.Task != "":
		return sub, bad("task is named without its session")
	case sub.HMAP != "" && strings.SplitN(sub.HMAP, ".", 2)[0] != bus.Version:
		return sub, &bus.Error{Code: bus.CodeUnsupported, Message: fmt.Sprintf("H-MAP version %.20q; this is version %s", sub.HMAP, bus.Version)}
	}
	switch sub.Mode {
	case "", bus.Auto, bus.React, bus.Plan:
	default:
		return sub, bad("mode %.40q is none of auto, react, plan", sub.Mode)
	}
	if sub.Session == "" {
		return sub, nil
	}
	return sub, checkWhere(bus.Where{Session: sub.Session, Task: sub.Task})
}

func checkWhere(w bus.Where) *bus.Error {
	if err := w.Check(); err != nil {
		return bad("%v", err)
	}
	return nil
}

// checkID wants client ids of 16 to 64 characters, because they are compared with those of all clients: "1" would make one
// user's task the repeat of another's.
func checkID(id string) *bus.Error {
	if id != "" && (len(id) < 16 || !bus.ValidToken(id)) {
		return bad("id must be 16 to 64 of A-Z a-z 0-9 _ -, and random (a UUID, say)")
	}
	return nil
}

// messageID makes a client's id the id by which the bus knows a repeat. The content goes in, so that an id used again for
// something else by mistake is a new message and not a lost one. No id: "", and nothing is known as a repeat.
func messageID(id string, content any) string {
	if id == "" {
		return ""
	}
	body, err := json.Marshal(content)
	if err != nil { // contents come from JSON, so they go back
		body = nil
	}
	sum := sha256.Sum256(append([]byte(id+"\n"), body...))
	return "gateway-" + hex.EncodeToString(sum[:16])
}

// serverFrame is what we send, but for live text. Which fields are there depends on Type.
type serverFrame struct {
	Type    string `json:"type"` // accepted, record, caught_up, resync, status, error
	ID      string `json:"id,omitempty"`
	Session string `json:"session,omitempty"`
	Task    string `json:"task,omitempty"`
	// Seq is the place in the log: of the record, or up to which a follower has caught up, or of an input.
	Seq    uint64      `json:"seq,omitempty"`
	From   *uint64     `json:"from,omitempty"`
	Waits  string      `json:"waits,omitempty"` // of accepted: the task whose ask stays open, since what was said became another one
	Record *bus.Record `json:"record,omitempty"`

	Bus string    `json:"bus,omitempty"` // away, back
	Why bus.Reach `json:"why,omitempty"` // of away: lost, silent

	Answered *bus.Input `json:"answered,omitempty"` // of error: what had been said before to the ask that was answered; it is at Seq

	Code      string `json:"code,omitempty"`
	Message   string `json:"message,omitempty"`
	Retryable bool   `json:"retryable,omitempty"`
}

// liveFrame carries a [bus.Live] as it is, flat.
type liveFrame struct {
	Type    string `json:"type"`
	Session string `json:"session"`
	bus.Live
}

func recordFrame(r *bus.Record) []byte {
	return encode(serverFrame{Type: "record", Session: r.Session, Seq: r.Seq, Record: r})
}

func errorFrame(id string, err *bus.Error) []byte {
	return encode(serverFrame{Type: "error", ID: id, Code: err.Code, Message: err.Message, Retryable: err.Retryable})
}

// resyncFrame tells a follower to throw away what it has after from; what comes next follows from there.
func resyncFrame(session string, from uint64) []byte {
	return encode(serverFrame{Type: "resync", Session: session, From: &from})
}

// tooSlow is why a follower is lost whose queue is full.
const tooSlow = "too slow"

var pingFrame = wrap(websocket.PingMessage, nil)

// encode makes a frame as it goes over the wire, so that it can be shared by all who get it. It cannot fail for what we send: records
// and live text came from JSON and go back to it.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		b = []byte(`{"type":"error","code":"internal","message":"a frame could not be encoded"}`)
	}
	return wrap(websocket.TextMessage, b)
}

// wrap puts the header of a server's frame before its payload (RFC 6455, 5.2).
func wrap(opcode int, payload []byte) []byte {
	const final = 0x80
	frame := make([]byte, 0, 10+len(payload))
	switch n := len(payload); {
	case n < 126:
		frame = append(frame, final|byte(opcode), byte(n))
	case n < 1<<16:
		frame = append(frame, final|byte(opcode), 126)
		frame = binary.BigEndian.AppendUint16(frame, uint16(n))
	default:
		frame = append(frame, final|byte(opcode), 127)
		frame = binary.BigEndian.AppendUint64(frame, uint64(n))
	}
	return append(frame, payload...)
}

// unwrap gives the payload of a frame that wrap made.
func unwrap(frame []byte) []byte {
	switch frame[1] {
	case 126:
		return frame[4:]
	case 127:
		return frame[10:]
	}
	return frame[2:]
}

func bad(format string, args ...any) *bus.Error {
	return &bus.Error{Code: bus.CodeInvalidRequest, Message: fmt.Sprintf(format, args...)}
}
