package scripted

import (
	"net/http"
	"time"
)

// Step is how one chat request is answered. The zero Step is an answer without any content, ended as if all were well.
// Fields combine: a Step with Text, Calls and Cut writes both and is cut in the middle.
type Step struct {
	// Text is the content, Reasoning the vendor field reasoning_content before it, Calls the tool calls after it.
	Text      string
	Reasoning string
	Calls     []Call
	// Finish is the finish_reason; "": "tool_calls" with Calls, else "stop".
	Finish string
	// Raw are chunks sent as they are, one "data:" line each, instead of all of the above; the caller ends them with a finish_reason or not.
	// In an answer that is not streamed, Raw[0] is the body.
	Raw []string

	// Status of 400 and more refuses the request with Message; RetryAfter is that header as it is.
	Status     int
	Message    string
	RetryAfter string

	// Delay comes before the first byte.
	Delay time.Duration
	// Hang never answers: it waits until the client gives up or the server closes. HangAfter does so after the content.
	Hang, HangAfter bool
	// Cut breaks the connection after that many chunks (streamed) or bytes (not streamed); 0: it does not.
	Cut int
	// Unfinished ends the stream cleanly, with neither finish_reason nor [DONE].
	Unfinished bool
	// Endless repeats Text until the client gives up (at most 8 MiB).
	Endless bool
	// Comments is how many keep-alive comment lines come before the content.
	Comments int
	// NoUsage leaves out the token counts.
	NoUsage bool
	// Plain answers with one JSON body even if a stream was asked for, as some endpoints do.
	Plain bool

	// React decides by the request; every other field is ignored. It runs outside of all locks, so it must be safe for many
	// requests at once. As the last step of a script it stays for all further requests.
	React func(Request) Step
}

// Call is one tool call of an answer. Arguments are sent as they are, broken or not. ID "": call_<n>.
type Call struct{ ID, Name, Arguments string }

// Text answers with text: prose, an action code, or prose around one.
func Text(text string) Step { return Step{Text: text} }

// Calls answers with tool calls.
func Calls(calls ...Call) Step { return Step{Calls: calls} }

// Empty answers with nothing.
func Empty() Step { return Step{} }

// TooMany refuses with 429; retryAfter is the header's value (seconds or an HTTP date), "" leaves it out.
func TooMany(retryAfter string) Step {
	return Step{Status: http.StatusTooManyRequests, RetryAfter: retryAfter, Message: "rate limit reached"}
}

// Refuse refuses with an HTTP status and a message.
func Refuse(status int, message string) Step { return Step{Status: status, Message: message} }

// Hang never answers.
func Hang() Step { return Step{Hang: true} }

// Cut breaks the connection in the middle of the text.
func Cut(text string) Step { return Step{Text: text, Cut: 2} }

// Unfinished ends the stream after the text without a finish_reason.
func Unfinished(text string) Step { return Step{Text: text, Unfinished: true} }

// Endless repeats text until the client gives up.
func Endless(text string) Step { return Step{Text: text, Endless: true} }

// Raw sends the chunks as they are.
func Raw(chunks ...string) Step { return Step{Raw: chunks} }

// React decides by the request.
func React(f func(Request) Step) Step { return Step{React: f} }
