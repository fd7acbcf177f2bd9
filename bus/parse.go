package bus

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// Everything that comes from the wire passes one of these. They accept what PROTOCOL.md allows, ignore unknown fields, and say
// what is wrong in words for the sender; inside, types carry what was checked.

// versionOK accepts the major version spoken here; a body without one is taken as ours.
func versionOK(v string) error {
	major, _, _ := strings.Cut(v, ".")
	if major == "" || major == Version {
		return nil
	}
	return fmt.Errorf("H-MAP %.20q, spoken here: %s: %w", v, Version, ErrVersion)
}

// asEncodingJSON has what is read mean what it means to [encoding/json].
var asEncodingJSON = jsonv1.DefaultOptionsV1()

// object decodes one JSON object and nothing after it. The decoder is the one that encoding/json is to become: it takes half the time.
func object(body []byte, into any) error {
	body = bytes.TrimSpace(body)
	if len(body) == 0 || body[0] != '{' {
		return errors.New("not a JSON object")
	}
	if !utf8.Valid(body) {
		return errors.New("not UTF-8")
	}
	return inWords(json.Unmarshal(body, into, asEncodingJSON))
}

// inWords says of what cannot be read where it stands and what is there, without the names of types of ours.
func inWords(err error) error {
	var wrong *jsonv1.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	_, field, _ := strings.Cut(wrong.Struct+"."+wrong.Field, ".")
	if wrong.Field != "" {
		field = wrong.Field
	}
	kind := wrong.Value
	if k, _, number := strings.Cut(kind, " "); number {
		kind = k
	}
	return fmt.Errorf("%.80q is a JSON %s: want %s", field, kind, wantedJSON(wrong.Type))
}

// wantedJSON is what a type of ours is read from.
func wantedJSON(t reflect.Type) string {
	if t == nil {
		return "something else"
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "an object"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "something else"
}

// optional checks a token that may be missing.
func optional(what, token string) error {
	if token == "" {
		return nil
	}
	return required(what, token)
}

func required(what, token string) error {
	if !ValidToken(token) {
		return fmt.Errorf("%s %.80q: %w", what, token, ErrBadName)
	}
	return nil
}

// ParseSubmission reads the body on a [TaskSubject]: an object when it starts with "{", else the query itself. The error is worded for the
// sender; [ErrVersion] and [ErrBadName] can be told apart.
func ParseSubmission(body []byte) (Submission, error) {
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	if len(body) == 0 {
		return Submission{}, errors.New("empty body")
	}
	if body[0] != '{' {
		if !utf8.Valid(body) {
			return Submission{}, errors.New("not UTF-8")
		}
		return Submission{Query: string(body)}, nil
	}
	var s Submission
	if err := object(body, &s); err != nil {
		return s, err
	}
	return s, s.check()
}

func (s Submission) check() error {
	if err := versionOK(s.HMAP); err != nil {
		return err
	}
	if strings.TrimSpace(s.Query) == "" && len(s.Files) == 0 {
		return errors.New("neither query nor files")
	}
	if len(s.Files) > MaxFiles {
		return fmt.Errorf("%d files: want %d at most", len(s.Files), MaxFiles)
	}
	switch s.Mode {
	case "", Auto, React, Plan:
	default:
		return fmt.Errorf("mode %.80q: want auto, react or plan", s.Mode)
	}
	switch s.Output {
	case "", "text", "html", "ppt", "table", "docs":
	default:
		return fmt.Errorf("output %.80q: want text, html, ppt, table or docs", s.Output)
	}
	if s.ReplyTo != "" && !ValidReply(s.ReplyTo) {
		return fmt.Errorf("reply_to %.80q: not a subject that may be answered on", s.ReplyTo)
	}
	return errors.Join(optional("session", s.Session), optional("task", s.Task), s.Budget.check(), s.StreamMode.valid())
}

func (b *Budget) check() error {
	if b != nil && (b.Tokens < 0 || b.Seconds < 0 || b.Rounds < 0 || b.Money < 0 || b.Depth < 0) {
		return errors.New("budget: a negative bound")
	}
	return nil
}

// ValidReply reports whether a subject that came from outside may be published on: no wildcards, and neither the server's own
// subjects nor ours, so that nobody borrows our rights to delete a stream or to forge a record.
func ValidReply(subject string) bool {
	if subject == "" || len(subject) > 255 || subject[0] == '$' || subject == "hmap" || strings.HasPrefix(subject, "hmap.") {
		return false
	}
	for token := range strings.SplitSeq(subject, ".") {
		if token == "" || token == "*" || token == ">" {
			return false
		}
	}
	for _, c := range []byte(subject) {
		if c <= ' ' || c == 0x7f {
			return false
		}
	}
	return true
}

// parseRequest reads the body on the [CallSubject] of name.
func parseRequest(body []byte, name string) (Request, error) {
	var r Request
	if err := object(body, &r); err != nil {
		return r, err
	}
	if r.ToolName == "" {
		r.ToolName = name
	}
	if r.ToolName != name {
		return r, fmt.Errorf("tool_name %.80q on the subject of %s", r.ToolName, name)
	}
	return r, r.check()
}

func (r Request) check() error {
	if err := versionOK(r.HMAP); err != nil {
		return err
	}
	errs := []error{required("session", r.Session), required("task", r.Task), required("call", r.Call),
		required("tool_name", r.ToolName), optional("caller", r.Caller), optional("parent", r.Parent), r.Budget.check(), r.StreamMode.valid()}
	for _, agent := range r.Path {
		errs = append(errs, required("path", agent))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if r.Input != nil {
		return r.Input.check()
	}
	return nil
}

// parseResponse reads a reply to the call of that id.
func parseResponse(body []byte, call string) (Response, error) {
	var r Response
	if err := object(body, &r); err != nil {
		return r, err
	}
	if err := versionOK(r.HMAP); err != nil {
		return r, err
	}
	if r.Call != call {
		return r, fmt.Errorf("it answers call %.80q, asked was %s", r.Call, call)
	}
	switch r.Status {
	case Working, OK, Cancelled:
	case Failed:
		if r.Error == nil {
			r.Error = &Error{Code: CodeInternal, Message: "it failed without saying why"}
		}
	case InputRequired:
		if r.Ask == nil {
			return r, errors.New("status input_required without an ask")
		}
	default:
		return r, fmt.Errorf("status %.80q", r.Status)
	}
	return r, nil
}

// parseInput reads the body on an [InputSubject].
func parseInput(body []byte) (Input, error) {
	var in Input
	if err := object(body, &in); err != nil {
		return in, err
	}
	return in, in.check()
}

func (in Input) check() error {
	if err := versionOK(in.HMAP); err != nil {
		return err
	}
	switch in.Kind {
	case Answer, Approve, Refuse, Steer, Cancel, Expire:
	default:
		return fmt.Errorf("kind %.80q: want answer, approve, refuse, steer, cancel or expire", in.Kind)
	}
	return optional("ask", in.Ask)
}

// parseLog reads a message of the log stream. Who and where come from the subject: permissions guard subjects, and a body could
// say anything.
func parseLog(subject string, body []byte) (Record, error) {
	t := strings.Split(subject, ".")
	switch {
	case len(t) == 6 && t[2] == "log":
		var r Record
		if err := object(body, &r); err != nil {
			return r, err
		}
		r.Session, r.Task, r.Call = t[3], t[4], t[5]
		return r, r.check()
	case len(t) == 5 && t[2] == "input":
		in, err := parseInput(body)
		r := Record{HMAP: Version, Kind: KindInput, Session: t[3], Task: t[4], Call: t[4], Input: &in}
		return r, errors.Join(err, required("session", r.Session), required("task", r.Task))
	}
	return Record{}, errors.New("not a subject of records or inputs")
}

func (r *Record) check() error {
	if err := versionOK(r.HMAP); err != nil {
		return err
	}
	switch r.Kind {
	case KindRequest, KindClaim, KindPlan, KindRound, KindIntent, KindResult, KindAsk, KindInput, KindFile, KindResponse, KindScore:
	default:
		return fmt.Errorf("record kind %.80q", r.Kind)
	}
	return errors.Join(required("session", r.Session), required("task", r.Task), required("call", r.Call))
}
