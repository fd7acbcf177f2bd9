package round

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

var update = flag.Bool("update", false, "write what comes out into testdata")

// TestTranscripts plays the calls of testdata. In a transcript a line is a command; what is due after it follows, indented. What is
// due to be written is written at once ("wrote") unless the transcript says manual. The commands:
//
//	card NAME agent|tool [read|idempotent|unsafe] [approval] [needs=FIELD]   gone NAME
//	language zh                      manual
//	request AGENT [rounds=N] [tokens=N] [money=N] [seconds=N] [depth=N] [path=A,B] [deadline=DURATION] WORDS
//	thinking                         the mind begins to think; the next round knows nothing of what comes until then
//	round [tokens=N] [money=N] WORDS, then its actions as lines: - TOOL [JSON] [trust] [id=ID] [after=ID,ID] [step=ID] [: JOB]
//	answer WORDS                     a round without actions
//	plan WORDS, then its steps as lines: - ID [after=ID,ID] WORDS
//	ok N-N [rounds=N] [tokens=N] [money=N] JSON         the callee of that action answers
//	error N-N CODE [retryable] WORDS, cancelled N-N, asks N-N [id=ID] WORDS
//	say answer|approve|refuse|expire|steer|cancel [@SEQ] [ask=ID] WORDS      what the person says
//	later                            the next place in the log goes to something that is heard later: say KIND @SEQ
//	claim NODE                       the executor is gone, another takes over
//	append                           write what is due to be written (manual)
//	result N-N STATUS JSON           a result as it stands in the log
//	repeat                           the newest record comes once more
//	after DURATION                   time goes by
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(text))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(text) {
				t.Errorf("it plays otherwise (go test -update writes it down):\n%s", difference(string(text), got))
			}
		})
	}
}

// difference shows the lines around the first one that differs.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	show := func(lines []string) string {
		return strings.Join(lines[max(0, min(i, len(lines))-3):min(len(lines), i+4)], "\n")
	}
	return fmt.Sprintf("line %d, want:\n%s\ngot:\n%s", i+1, show(a), show(b))
}

const indent = "    "

// script is a transcript while it is played.
type script struct {
	*world
	t      *testing.T
	out    strings.Builder
	manual bool
	known  Known // to the thought under way; zero: none is
}

// play runs the scenes of a transcript, which lines beginning with "==" set apart, and returns it with what came out.
func play(t *testing.T, text string) string {
	s := &script{t: t, world: newWorld()}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \n"); !strings.HasPrefix(line, indent) {
			lines = append(lines, line)
		}
	}
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		fmt.Fprintln(&s.out, line)
		switch {
		case line == "" || line[0] == '#':
			continue
		case strings.HasPrefix(line, "=="):
			s.world, s.known, s.manual = &world{cards: s.cards, now: start, lang: s.lang}, Known{}, false
			continue
		}
		var items []string
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "- ") {
			i++
			fmt.Fprintln(&s.out, lines[i])
			items = append(items, lines[i][2:])
		}
		if s.do(line, items) {
			s.show()
		}
	}
	return s.out.String()
}

// do carries out a command; false: it is only a setting.
func (s *script) do(line string, items []string) bool {
	w := &parts{rest: line}
	verb := w.next()
	switch verb {
	case "card":
		s.card(w)
		return false
	case "gone":
		delete(s.cards, w.next())
		return len(s.log) > 0
	case "language":
		s.lang = w.next()
		return false
	case "manual":
		s.manual = true
		return false
	case "request":
		s.request(w)
	case "later": // something is said to the task that is heard later
		s.seq++
		return false
	case "thinking":
		s.known = s.state.Known()
		return false
	case "round", "answer":
		s.round(verb, w, items)
	case "plan":
		p := bus.PlanBody{}
		for _, item := range items {
			v := &parts{rest: item}
			step := bus.Step{ID: v.next()}
			step.After = list(v.option("after"))
			step.Title = v.rest
			p.Steps = append(p.Steps, step)
		}
		p.Title = w.rest
		if r := s.state.Planned(&p); r != nil {
			s.fold(s.t, *r, 0)
		}
	case "ok", "error", "cancelled", "asks":
		s.settle(verb, w)
	case "say":
		in := bus.Input{Kind: bus.InputKind(w.next())}
		seq, _ := strconv.ParseUint(w.prefix("@"), 10, 64)
		in.Ask = s.child(w.option("ask"))
		in.Text = w.rest
		s.fold(s.t, bus.Record{Kind: bus.KindInput, Session: "s1", Task: "t1", Call: s.state.Call, Input: &in}, seq)
	case "claim":
		s.fold(s.t, bus.Record{Kind: bus.KindClaim, Session: "s1", Task: "t1", Call: s.state.Call, Node: w.next()}, 0)
		s.known = Known{}
	case "append":
		due := s.state.Due(s.terms())
		if due.Write == nil {
			s.t.Fatalf("%s: nothing is due to be written", line)
		}
		s.write(due.Write)
	case "result":
		r := bus.Record{Kind: bus.KindResult, Session: "s1", Task: "t1", Call: "t1", Child: s.child(w.next()), Status: bus.Status(w.next())}
		r.Observation = json.RawMessage(w.rest)
		s.fold(s.t, r, 0)
	case "repeat":
		last := s.log[len(s.log)-1]
		s.fold(s.t, last, last.Seq)
		s.log = s.log[:len(s.log)-1]
	case "after":
		d, err := time.ParseDuration(w.next())
		if err != nil {
			s.t.Fatalf("%s: %v", line, err)
		}
		s.now = s.now.Add(d)
	default:
		s.t.Fatalf("no such command: %s", line)
	}
	return true
}

func (s *script) card(w *parts) {
	c := bus.Card{Name: w.next(), Kind: w.next()}
	c.Description = "does " + c.Name + ". Nothing else."
	for w.rest != "" {
		switch word := w.next(); {
		case word == "approval":
			c.Approval = "ask"
		case strings.HasPrefix(word, "needs="):
			c.Parameters = encode(map[string]any{"type": "object", "required": list(word[len("needs="):])})
		default:
			c.Effect = bus.Effect(word)
		}
	}
	s.cards[c.Name] = c
}

func (s *script) request(w *parts) {
	agent := w.next()
	q := bus.Request{Session: "s1", Task: "t1", Call: "t1", Caller: "user", ToolName: agent}
	b := bus.Budget{
		Rounds: number(w.option("rounds")), Tokens: number(w.option("tokens")), Money: float(w.option("money")),
		Seconds: float(w.option("seconds")), Depth: number(w.option("depth")),
	}
	if b != (bus.Budget{}) {
		q.Budget = &b
	}
	q.Path = list(w.option("path"))
	if d := w.option("deadline"); d != "" {
		left, err := time.ParseDuration(d)
		if err != nil {
			s.t.Fatal(err)
		}
		q.Deadline = s.now.Add(left)
	}
	q.JobDesc = w.rest
	s.fold(s.t, bus.Record{Kind: bus.KindRequest, Session: "s1", Task: "t1", Call: "t1", Agent: agent, Request: &q}, 0)
}

func (s *script) round(verb string, w *parts, items []string) {
	n := 1
	if last := s.state.last(); last != nil {
		n = last.N + 1
	}
	r := s.state.Thought(n, cmp.Or(s.known, s.state.Known()))
	s.known = Known{}
	if u := usage(w); u != (bus.Usage{}) {
		r.Usage = &u
	}
	if verb == "answer" {
		r.Answer = w.rest
	} else {
		r.Thought = w.rest
	}
	for _, item := range items {
		r.ActionCode = append(r.ActionCode, s.action(item))
	}
	s.fold(s.t, *r, 0)
}

func (s *script) action(item string) bus.Action {
	w := &parts{rest: item}
	a := bus.Action{ToolName: w.next()}
	a.Parameter = w.json()
	for w.rest != "" {
		if job, ok := strings.CutPrefix(w.rest, ": "); ok {
			a.JobDesc, w.rest = job, ""
			continue
		}
		switch key, value, _ := strings.Cut(w.next(), "="); key {
		case "trust":
			a.TrustMode = 1
		case "id":
			a.ID = value
		case "after":
			a.After = list(value)
		case "step":
			a.Step = value
		default:
			s.t.Fatalf("no such part of an action: %s", key)
		}
	}
	return a
}

// settle is what the agent does with an answer: only a call that is due can be answered.
func (s *script) settle(verb string, w *parts) {
	child := s.child(w.next())
	r := bus.Response{Call: child, Status: bus.OK}
	if u := usage(w); u != (bus.Usage{}) {
		r.Usage = &u
	}
	switch verb {
	case "ok":
		r.Observation = json.RawMessage(w.rest)
	case "error":
		r.Status, r.Error = bus.Failed, &bus.Error{Code: w.next()}
		if r.Error.Retryable = strings.HasPrefix(w.rest, "retryable"); r.Error.Retryable {
			w.next()
		}
		r.Error.Message = w.rest
	case "cancelled":
		r.Status = bus.Cancelled
	case "asks":
		r.Status, r.Ask = bus.InputRequired, &bus.Ask{ID: w.option("id"), Kind: bus.Question, Question: w.rest}
	}
	rec := s.state.Settle(child, r, 20*time.Millisecond, s.terms())
	if rec == nil {
		fmt.Fprintf(&s.out, "%snobody waits for that\n", indent)
		return
	}
	s.write(rec)
}

// write folds a record that the state wants.
func (s *script) write(r *bus.Record) {
	fmt.Fprintf(&s.out, "%swrote %s\n", indent, describe(r))
	s.fold(s.t, *r, 0)
	s.check(s.t)
}

// child is the id of the child call that a transcript calls "1-0", or the id itself.
func (s *script) child(name string) string {
	if len(name) > 0 && name[0] >= '0' && name[0] <= '9' {
		return "t1-" + name
	}
	return name
}
