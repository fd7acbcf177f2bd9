package drill

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// The drill's tools, one for each effect, and one that wants leave.
const (
	toolLook = "drill_look" // read
	toolPut  = "drill_put"  // idempotent
	toolFire = "drill_fire" // unsafe
	toolSign = "drill_sign" // unsafe, with approval
)

// Hand is one of the drill's tools: a card, and what it does.
type Hand struct {
	Card bus.Card
	// Run has its effect in the ledger. Its error is a *bus.Error or ctx's.
	Run func(ctx context.Context, r bus.Request) (any, error)
}

// Hands are the drill's tools; what they do stands in the ledger. When they lie, unsafe effects happen twice and idempotent ones not at all,
// and they say ok: the audit must notice both.
func Hands(l *Ledger, lie bool) []Hand {
	schema := json.RawMessage(`{"type":"object","required":["label"],"properties":{"label":{"type":"string","maxLength":200},
		"before":{"type":"integer","minimum":0,"maximum":5000},"after":{"type":"integer","minimum":0,"maximum":5000},"hang":{"type":"boolean"},
		"odd":{"enum":["error","panic","large"]},"from":{"type":"string"}}}`)
	var hands []Hand
	for _, h := range []struct {
		name     string
		effect   bus.Effect
		approval string
	}{{toolLook, bus.Read, ""}, {toolPut, bus.Idempotent, ""}, {toolFire, bus.Unsafe, ""}, {toolSign, bus.Unsafe, "ask"}} {
		hands = append(hands, Hand{
			Card: bus.Card{
				Name: h.name, Kind: "tool", Description: "Does a deed of the drill with effect " + string(h.effect) + ".", Parameters: schema,
				Effect: h.effect, Approval: h.approval, Timeout: 4 * time.Second, Tags: []string{"drill"},
			},
			Run: func(ctx context.Context, r bus.Request) (any, error) { return deed(ctx, l, h.name, h.effect, r, lie) },
		})
	}
	return hands
}

func deed(ctx context.Context, l *Ledger, tool string, effect bus.Effect, r bus.Request, lie bool) (any, error) {
	var d Deed
	if err := json.Unmarshal(r.Parameter, &d); err != nil {
		return nil, &bus.Error{Code: bus.CodeInvalidParameter, Message: err.Error()}
	}
	if err := wait(ctx, time.Duration(d.Before)*time.Millisecond); err != nil {
		return nil, err // nothing was done
	}
	e := Effect{Session: r.Session, Task: r.Task, Call: r.Call, Tool: tool, Effect: effect, Label: d.Label}
	times := 1
	switch {
	case lie && effect == bus.Idempotent:
		times = 0
	case lie && effect == bus.Unsafe:
		times = 2
	}
	for range times {
		if err := l.Write(e); err != nil {
			return nil, fmt.Errorf("the ledger: %w", err)
		}
	}
	if d.Hang {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if err := wait(ctx, time.Duration(d.After)*time.Millisecond); err != nil {
		return nil, err
	}
	out := map[string]any{"label": d.Label, "call": r.Call}
	switch d.Odd {
	case "error":
		return nil, &bus.Error{Code: bus.CodeInternal, Message: "it was told to fail"}
	case "panic":
		panic(toldToPanic)
	case "large":
		out["text"] = strings.Repeat("a large observation, ", 5000)
	}
	return out, nil
}

// toldToPanic is the panic of a tool that is to panic; no other one is said.
const toldToPanic = "it was told to panic"

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
