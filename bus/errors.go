package bus

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
)

// Error is a failure as a fact on the wire and in the log: of a tool, a model, a user, a budget.
type Error struct {
	// Code is one of the codes below; unknown codes are treated as CodeInternal.
	Code    string `json:"code"`
	Message string `json:"message"`
	// Retryable: the same call may succeed later without any change.
	Retryable bool `json:"retryable,omitempty"`
}

// Error makes it usable as a Go error.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Refusal is an error of [Bus.Submit] or [Bus.Tell] as whoever sent something is told of it: what is wrong with that, or that nobody knows
// whether it was taken and it is to be sent again.
func Refusal(err error) *Error {
	e := new(Error)
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, ErrBusy):
		return &Error{Code: CodeBusy, Message: "too many tasks wait already; try again in a moment", Retryable: true}
	case errors.Is(err, ErrVersion):
		return &Error{Code: CodeUnsupported, Message: err.Error()}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), errors.Is(err, nats.ErrConnectionClosed):
		return &Error{Code: CodeUnavailable, Message: "not taken in time; send it again with the same id: " + err.Error(), Retryable: true}
	}
	return &Error{Code: CodeInvalidRequest, Message: err.Error()} // all other trouble is tried again where it arises
}

// The error codes of H-MAP/1.
const (
	CodeInvalidParameter = "invalid_parameter" // arguments do not hold the schema
	CodeInvalidRequest   = "invalid_request"   // the body itself is wrong
	CodeUnknownTool      = "unknown_tool"      // nobody of that name
	CodeForbidden        = "forbidden"         // caller rule, permission, refused by a person
	CodeUnavailable      = "unavailable"       // no responder, silence, connection lost
	CodeTimeout          = "timeout"           // the deadline passed
	CodeBusy             = "busy"              // queue full
	CodeBudget           = "budget"            // rounds, tokens, money, time or depth spent
	CodeRepeated         = "repeated"          // the same call with the same arguments again and again
	CodeModel            = "model"             // the language model failed for good
	CodeUnsupported      = "unsupported"       // version or feature
	CodeInDoubt          = "in_doubt"          // an unsafe effect may or may not have happened
	CodeCancelled        = "cancelled"         // cancelled before it could end
	CodeExpired          = "expired"           // nobody answered in time
	CodePoison           = "poison"            // it killed its executor too often
	CodeFailed           = "failed"            // the tool did not do it, and says why
	CodeChanged          = "changed"           // not done: what it would replace is no longer what was agreed to
	CodeInternal         = "internal"          // our fault
)

// Errors a caller decides by. All may be wrapped.
var (
	// ErrFenced: another writer appended first. Fold the log again or let go of the call; retrying as is cannot succeed.
	ErrFenced = errors.New("fenced: the call has another writer")
	// ErrBusy: the task queue is full. Try later.
	ErrBusy = errors.New("busy: the task queue is full")
	// ErrBadName: an id or name that is not a token of H-MAP (1–64 of A–Z a–z 0–9 _ -).
	ErrBadName = errors.New("not 1 to 64 of A-Z a-z 0-9 _ -")
	// ErrTooLarge: the body is over the size that a message may have; put the content in Files.
	ErrTooLarge = errors.New("body too large")
	// ErrVersion: a major version of H-MAP that is not spoken here.
	ErrVersion = errors.New("unsupported H-MAP version")
	// ErrLeaving as the cause of a cancelled context tells [Bus.Call] that the caller leaves, and not that the work is not wanted any
	// more: the callee is not told to stop, and whoever takes the caller's place asks again with the same call id.
	ErrLeaving = errors.New("leaving: somebody else goes on")
	// ErrNotFound: no such record, file or submission.
	ErrNotFound = errors.New("not found")
)
