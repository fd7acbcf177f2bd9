package drill

import (
	"math/rand/v2"
	"slices"
	"time"
)

// event is one trouble of the schedule.
type event struct {
	at   time.Duration // after the beginning
	what string
	kind string        // of the children that it meets
	pick int           // which one of them
	way  string        // of a proxy, the model or a removal
	d    time.Duration // how long it lasts
	slow time.Duration // of a slow connection
}

// What can happen.
const (
	doKill    = "kill"
	doFreeze  = "freeze"
	doNet     = "net"  // between a child and NATS, or the model
	doDoor    = "door" // between clients and a gateway
	doModel   = "model"
	doFlood   = "flood"
	doHostile = "hostile"
	doQuorum  = "quorum" // two NATS servers at once
	doSplit   = "split"  // one NATS server and the two others
	doRemove  = "remove" // a session
)

// name is how the book counts it. A kill counts by what was killed.
func (e event) name() string {
	switch e.what {
	case doFreeze:
		return "freezes: " + e.kind
	case doNet, doDoor:
		return "connections: " + e.way
	case doModel:
		return answers + e.way
	case doFlood:
		return "floods"
	case doQuorum:
		return "quorum lost"
	case doSplit:
		return "partitions: " + e.way
	case doRemove:
		return "removals: " + e.way
	case doHostile:
		return "hostile bodies"
	}
	return ""
}

// planned counts a schedule's events by their names, but for those of its last quarter, which may find nobody to trouble any more. Of removals it wants each
// way once: how many there can be depends on how many sessions their clients have left.
func planned(events []event, length time.Duration) map[string]int {
	all := map[string]int{}
	for _, e := range events {
		if e.at > length*3/4 {
			continue
		}
		if name := e.name(); name != "" {
			all[name]++
		}
		if e.what == doRemove {
			all[e.name()] = min(all[e.name()], 2)
		}
	}
	return all
}

// answers begins the names of the model's bad answers. What is counted is not what it was told but each that it gave, for which it says Gave and how.
const (
	answers = "bad answers: "
	Gave    = "gave"
)

// modelWays are the ways in which the model can be bad. Some of its answers are then so, as many as the event says.
var modelWays = []string{"429", "500", "400", "cut", "unfinished", "garbage", "hang", "empty", "endless", "unknown", "arguments", "slow", "later"}

// schedule makes up all troubles of a drill, in order of time. The same numbers give the same schedule.
func schedule(seed uint64, length time.Duration, kills int) []event {
	r := rand.New(rand.NewPCG(seed, 1))
	var all []event
	every := func(mean time.Duration, add func(at time.Duration)) {
		for at := mean/2 + upTo(r, mean); at < length; at += mean/2 + upTo(r, mean) {
			add(at)
		}
	}
	for i := range kills {
		span := length / time.Duration(kills)
		e := event{at: span*time.Duration(i) + upTo(r, span), what: doKill, pick: r.IntN(100), d: 30*time.Millisecond + upTo(r, 250*time.Millisecond)}
		switch n := r.IntN(100); {
		case n < 40:
			e.kind = kindNode
		case n < 65:
			e.kind = kindGateway
		case n < 84:
			e.kind = kindTools
		case n < 92:
			e.kind = kindNATS
		default:
			e.kind = kindModel
		}
		if r.IntN(6) == 0 { // long enough for a lease to lapse
			e.d = lease + upTo(r, 2*time.Second)
		}
		all = append(all, e)
	}
	every(7*time.Second, func(at time.Duration) {
		all = append(all, event{at: at, what: doFreeze, kind: kindNode, pick: r.IntN(100), d: lease + 500*time.Millisecond + upTo(r, 2*time.Second)})
	})
	every(9*time.Second, func(at time.Duration) {
		kind := []string{kindTools, kindGateway, kindNATS, kindModel}[r.IntN(4)]
		all = append(all, event{at: at, what: doFreeze, kind: kind, pick: r.IntN(100), d: 200*time.Millisecond + upTo(r, 3*time.Second)})
	})
	ways := []string{refused, slow, slow, stalled, deaf, mute, "cut", "cut"}
	every(1500*time.Millisecond, func(at time.Duration) {
		all = append(all, event{at: at, what: doNet, pick: r.IntN(1000), way: ways[r.IntN(len(ways))], d: 200*time.Millisecond + upTo(r, 3*time.Second), slow: upTo(r, 60*time.Millisecond)})
	})
	every(2*time.Second, func(at time.Duration) {
		all = append(all, event{at: at, what: doDoor, pick: r.IntN(1000), way: ways[r.IntN(len(ways))], d: 200*time.Millisecond + upTo(r, 2*time.Second), slow: upTo(r, 100*time.Millisecond)})
	})
	every(1500*time.Millisecond, func(at time.Duration) {
		all = append(all, event{at: at, what: doModel, pick: 20 + r.IntN(60), way: modelWays[r.IntN(len(modelWays))], d: 300*time.Millisecond + upTo(r, 1500*time.Millisecond)})
	})
	every(800*time.Millisecond, func(at time.Duration) { all = append(all, event{at: at, what: doHostile, pick: r.IntN(1 << 30)}) })
	every(20*time.Second, func(at time.Duration) { all = append(all, event{at: at, what: doFlood}) })
	every(90*time.Second, func(at time.Duration) {
		all = append(all, event{at: at, what: doQuorum, pick: r.IntN(100), d: time.Second + upTo(r, 2*time.Second)})
	})
	apart := []string{stalled, refused, deaf, mute}
	every(45*time.Second, func(at time.Duration) {
		all = append(all, event{at: at, what: doSplit, pick: r.IntN(100), way: apart[r.IntN(len(apart))], d: 2*time.Second + upTo(r, 10*time.Second)})
	})
	all = append(all, event{at: length / 2, what: doFlood}) // however short the drill is
	all = append(all, removals(r, length)...)
	slices.SortStableFunc(all, func(a, b event) int { return int(a.at - b.at) })
	return all
}

// upTo is a time from 0 to below d.
func upTo(r *rand.Rand, d time.Duration) time.Duration {
	return time.Duration(r.Int64N(int64(max(d, 1))))
}
