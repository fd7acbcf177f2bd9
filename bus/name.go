package bus

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strconv"
	"strings"
)

// MaxToken is the longest a tenant, session, task, call or name may be, in bytes.
const MaxToken = 64

// ValidToken reports whether s can stand as one token of a subject: 1 to [MaxToken] of A–Z a–z 0–9 _ -.
// Everything that comes from outside and ends in a subject passes here first, so that "*", ">" and "." never do.
func ValidToken(s string) bool {
	if len(s) == 0 || len(s) > MaxToken {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}

// ChildID is the id of the nth action (from 0) of a round (from 1) of a call. It depends on nothing else, so a replay
// dispatches the same ids, and a tool can use them as idempotency keys. Where it would grow beyond [MaxToken], the call's part
// is replaced as [ShortID] does.
func ChildID(call string, round, n int) string {
	tail := "-" + strconv.Itoa(round) + "-" + strconv.Itoa(n)
	return ShortID(call, len(tail)) + tail
}

// ShortID is the id itself if tail more bytes fit into a token with it, else 25 bytes made from its hash: always the same ones.
func ShortID(id string, tail int) string {
	if len(id)+tail <= MaxToken {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "h" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:15]))
}

// The subjects of H-MAP, all below hmap.<tenant>. The caller has validated every token.

// TaskSubject is where users and services publish submissions for an agent; kept in the task stream.
func TaskSubject(tenant, agent string) string { return "hmap." + tenant + ".task." + agent }

// CallSubject is where the agent or tool of that name is asked; not kept.
func CallSubject(tenant, name string) string { return "hmap." + tenant + ".call." + name }

// CancelSubject is where a caller tells that it gave a call up; not kept. The body names the call, and by its reply subject the very
// attempt, because the same call may be asked again.
func CancelSubject(tenant, call string) string { return "hmap." + tenant + ".cancel." + call }

// LogSubject holds the records of one call; kept in the log stream.
func LogSubject(tenant, session, task, call string) string {
	return "hmap." + tenant + ".log." + session + "." + task + "." + call
}

// InputSubject takes what people say to a running task: answers, approvals, steering, cancel; kept in the log stream.
func InputSubject(tenant, session, task string) string {
	return "hmap." + tenant + ".input." + session + "." + task
}

// LiveSubject carries text while it is being written; not kept, nothing depends on it.
func LiveSubject(tenant, session, task string) string {
	return "hmap." + tenant + ".live." + session + "." + task
}

// DeadSubject keeps what could not be worked on, with its cause.
func DeadSubject(tenant, agent string) string { return "hmap." + tenant + ".dead." + agent }

// AnnounceSubject is where cards are told the moment they come or go.
func AnnounceSubject(tenant string) string { return "hmap." + tenant + ".announce" }

// SubmitSubject and AskSubject are request/reply: submit answers with the ids given, ask with the final answer.
func SubmitSubject(tenant string) string { return "hmap." + tenant + ".submit" }

// AskSubject: see [SubmitSubject].
func AskSubject(tenant string) string { return "hmap." + tenant + ".ask" }

// Where names a part of the log: a session, a task of it, or one call. Empty Task or Call mean all of them.
type Where struct{ Session, Task, Call string }

// Check says which part of w cannot be a token.
func (w Where) Check() error {
	if !ValidToken(w.Session) {
		return fmt.Errorf("session %.80q: %w", w.Session, ErrBadName)
	}
	if w.Task != "" && !ValidToken(w.Task) {
		return fmt.Errorf("task %.80q: %w", w.Task, ErrBadName)
	}
	if w.Call != "" && (w.Task == "" || !ValidToken(w.Call)) {
		return fmt.Errorf("call %.80q: %w", w.Call, ErrBadName)
	}
	return nil
}
