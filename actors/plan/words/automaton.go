package words

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// automaton tells whether an expression matches anywhere in a text, in one pass over its signs however many ways the expression could go on. Its
// states are sets of places in the expression's program, made as texts lead to them and kept. It is safe from many goroutines.
type automaton struct {
	prog   *syntax.Prog
	ascii  [utf8.RuneSelf]uint16 // the class of a sign: signs that the expression does not tell apart are of one
	from   []rune                // where the intervals of signs begin, from 0
	class  []uint16              // of each interval
	signs  []rune                // one of each class
	stride int                   // classes, and one more for the end of the text

	table atomic.Pointer[[]atomic.Uint32] // by state and class the next state; 0: not known yet
	mu    sync.Mutex                      // of the rest, and of making states
	sets  []state                         // from [firstState]
	known map[string]uint32               // states by what they are
}

// state is what is known between two signs of a text.
type state struct {
	at   []uint32 // places in the program that wait for what comes next, sorted
	last rune     // a sign of the class of that before; -1 at the beginning
}

// Numbers of states that say something else; others begin at firstState.
const (
	unknown = iota
	matched
	dead // nothing that follows can match
	full // there would be too many states
	firstState
)

// maxTable bounds the table of one expression: 64 KiB, hundreds of states. Beyond them the expression itself is run.
const maxTable = 1 << 14

// newAutomaton is nil for an expression that tells too many signs apart.
func newAutomaton(expr string) *automaton {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil
	}
	a := &automaton{prog: prog, known: map[string]uint32{}}
	a.classify()
	if a.stride > maxTable/64 {
		return nil
	}
	a.table.Store(new([]atomic.Uint32))
	a.state(state{last: -1})
	return a
}

// classify parts all signs into classes that no instruction tells apart, nor a look at words and lines.
func (a *automaton) classify() {
	cuts := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1, utf8.RuneSelf}
	var tells []*syntax.Inst // one of all that match the same signs
	seen := map[string]bool{}
	for i := range a.prog.Inst {
		in := &a.prog.Inst[i]
		switch in.Op {
		case syntax.InstRune, syntax.InstRune1:
		default:
			continue
		}
		key := string(in.Rune) + string(rune(in.Arg&uint32(syntax.FoldCase)))
		if seen[key] {
			continue
		}
		seen[key] = true
		tells = append(tells, in)
		if len(in.Rune) == 1 {
			r := in.Rune[0]
			cuts = append(cuts, r, r+1)
			for f := unicode.SimpleFold(r); f != r && syntax.Flags(in.Arg)&syntax.FoldCase != 0; f = unicode.SimpleFold(f) {
				cuts = append(cuts, f, f+1)
			}
		}
		for j := 0; j+1 < len(in.Rune); j += 2 {
			cuts = append(cuts, in.Rune[j], in.Rune[j+1]+1)
		}
	}
	slices.Sort(cuts)
	a.from = slices.Compact(cuts)
	classes := map[string]uint16{}
	for _, r := range a.from {
		told := make([]byte, 0, len(tells)+2)
		for _, in := range tells {
			told = append(told, flag(in.MatchRune(r)))
		}
		told = append(told, flag(syntax.IsWordChar(r)), flag(r == '\n'))
		c, ok := classes[string(told)]
		if !ok {
			c = uint16(len(classes))
			classes[string(told)] = c
			a.signs = append(a.signs, r)
		}
		a.class = append(a.class, c)
	}
	a.stride = len(a.signs) + 1
	for r := range a.ascii {
		a.ascii[r] = a.of(rune(r))
	}
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// of is the class of a sign.
func (a *automaton) of(r rune) uint16 {
	i, found := slices.BinarySearch(a.from, r)
	if !found {
		i--
	}
	return a.class[i]
}

// What an automaton says of a text: whether the expression matches somewhere in it, or that only the expression itself can tell.
type verdict int

const (
	no verdict = iota
	yes
	unsure
)

// look reads a text once, to its end or to where a match is certain.
func (a *automaton) look(s string) verdict {
	table, at := *a.table.Load(), uint32(firstState)
	for i := 0; i <= len(s); {
		c := a.stride - 1
		if i == len(s) {
			i++
		} else if b := s[i]; b < utf8.RuneSelf {
			c = int(a.ascii[b])
			i++
		} else {
			r, n := utf8.DecodeRuneInString(s[i:])
			c = int(a.of(r))
			i += n
		}
		next := table[int(at-firstState)*a.stride+c].Load()
		if next == unknown {
			next = a.follow(at, c)
			table = *a.table.Load()
		}
		switch next {
		case matched:
			return yes
		case dead:
			return no
		case full:
			return unsure
		}
		at = next
	}
	return no
}

// follow works out the state after a sign of class c, or after the end of the text, and notes it down.
func (a *automaton) follow(at uint32, c int) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	from, end, sign := a.sets[at-firstState], c == a.stride-1, rune(-1)
	if !end {
		sign = a.signs[c]
	}
	next := uint32(matched)
	if to, ok := a.step(from, sign); !ok {
		switch {
		case end || len(to) == 0 && a.prog.StartCond()&syntax.EmptyBeginText != 0: // no match can begin any more
			next = dead
		default:
			next = a.state(state{at: to, last: sign})
		}
	}
	(*a.table.Load())[int(at-firstState)*a.stride+c].Store(next)
	return next
}

// step is where the program waits after the sign r, -1 for the end of the text; ok when it has matched before that.
func (a *automaton) step(from state, r rune) (to []uint32, ok bool) {
	holds := syntax.EmptyOpContext(from.last, r)
	seen := make([]bool, len(a.prog.Inst))
	var visit func(pc uint32)
	visit = func(pc uint32) {
		if seen[pc] || ok {
			return
		}
		seen[pc] = true
		switch in := &a.prog.Inst[pc]; in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			visit(in.Out)
			visit(in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			visit(in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^holds == 0 {
				visit(in.Out)
			}
		case syntax.InstMatch:
			ok = true
		case syntax.InstFail:
		default:
			if r >= 0 && in.MatchRune(r) {
				to = append(to, in.Out)
			}
		}
	}
	for _, pc := range from.at {
		visit(pc)
	}
	visit(uint32(a.prog.Start)) // a match may begin everywhere
	slices.Sort(to)
	return slices.Compact(to), ok
}

// state is the number of a state, made when there is none yet and room for it.
func (a *automaton) state(s state) uint32 {
	var key strings.Builder
	for _, pc := range s.at {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], pc)
		key.Write(b[:])
	}
	key.WriteByte(flag(s.last < 0) | flag(s.last == '\n')<<1 | flag(syntax.IsWordChar(s.last))<<2)
	if n, ok := a.known[key.String()]; ok {
		return n
	}
	old := *a.table.Load()
	if need := (len(a.sets) + 1) * a.stride; need > len(old) {
		if need > maxTable {
			return full
		}
		table := make([]atomic.Uint32, min(maxTable, max(8*a.stride, 2*len(old))))
		for i := range old {
			table[i].Store(old[i].Load())
		}
		a.table.Store(&table)
	}
	n := firstState + uint32(len(a.sets))
	a.sets = append(a.sets, s)
	a.known[key.String()] = n
	return n
}
