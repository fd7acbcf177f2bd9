package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime/pprof"
	"strings"
	"sync"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/drill"
	"github.com/hmap-project/hmap/tools"
)

// drillToolsCmd is the drill's tools on the bus.
type drillToolsCmd struct {
	Ledger string `required:"" help:"File to which effects are appended." placeholder:"FILE"`
	Lie    bool   `help:"Break the word."`
}

// Run serves the tools until it is killed.
func (d *drillToolsCmd) Run(a *app) error {
	h, err := a.join(a.ctx, fmt.Sprint("tools-", os.Getpid()))
	if err != nil {
		return err
	}
	defer h.close()
	ledger, err := drill.OpenLedger(d.Ledger)
	if err != nil {
		return err
	}
	h.closes = append(h.closes, h.quietly("the ledger", ledger.Close))
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		return err
	}
	host := tools.NewHost(h.bus, engine, tools.Options{Log: h.log})
	h.closes = append(h.closes, h.quietly("the tools", host.Stop))
	for _, hand := range drill.Hands(ledger, d.Lie) {
		run := func(ctx context.Context, c *tools.Call) (any, error) { return hand.Run(ctx, c.Request) }
		if err := host.Add(tools.Tool{Card: hand.Card, Run: run}); err != nil {
			return err
		}
	}
	fmt.Println("the drill's tools are ready")
	<-a.ctx.Done()
	return nil
}

// drillModelCmd is the drill's model. It reads on standard input how it is to be: one of the words of misbehave and how many answers
// of a hundred are so; there may be several. It tells each of them on its standard output, and ends with the input.
type drillModelCmd struct{}

// Run serves the model until its input ends.
func (drillModelCmd) Run(*app) error {
	var mu sync.Mutex
	shares := map[string]int{}
	server := scripted.New(nil, scripted.React(func(q scripted.Request) scripted.Step {
		step := answer(q)
		mu.Lock()
		defer mu.Unlock()
		for way, share := range shares { // in any order
			if rand.IntN(100) < share {
				fmt.Println(drill.Gave, way)
				return misbehave(way, step)
			}
		}
		return step
	}))
	defer server.Close()
	fmt.Println("the drill's model is ready at", strings.TrimSuffix(strings.TrimPrefix(server.URL, "http://"), "/v1"))
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var way string
		var share int
		if _, err := fmt.Sscan(lines.Text(), &way, &share); err != nil {
			return err
		}
		mu.Lock()
		shares[way] = share
		mu.Unlock()
	}
	return lines.Err()
}

// answer is what the drill's mind says to a request.
func answer(q scripted.Request) scripted.Step {
	var talk []drill.Said
	for _, m := range q.Messages {
		said := drill.Said{Role: m.Role, Text: m.Text, ID: m.ToolCallID}
		for _, c := range m.Calls {
			said.Calls = append(said.Calls, drill.Called(c))
		}
		talk = append(talk, said)
	}
	move := drill.Next(talk, q.Offers)
	step := scripted.Step{Text: move.Text, Delay: time.Duration(rand.IntN(30)) * time.Millisecond}
	for _, c := range move.Calls {
		step.Calls = append(step.Calls, scripted.Call(c))
	}
	return step
}

// misbehave is an answer gone wrong, in one of the ways of models.
func misbehave(way string, well scripted.Step) scripted.Step {
	switch way {
	case "429":
		return scripted.TooMany("1")
	case "500":
		return scripted.Refuse(http.StatusInternalServerError, "told to fail")
	case "400":
		return scripted.Refuse(http.StatusBadRequest, "told to refuse")
	case "cut":
		well.Cut = 2
	case "unfinished":
		well.Unfinished = true
	case "garbage":
		return scripted.Raw("{\"choices\":17", "\x00\xff", "[[[")
	case "hang":
		return scripted.Hang()
	case "later":
		well.HangAfter, well.Unfinished = true, true
	case "empty":
		return scripted.Empty()
	case "endless":
		return scripted.Endless("and again ")
	case "unknown":
		return scripted.Calls(scripted.Call{Name: "no_such_tool", Arguments: `{"label":"x"}`})
	case "arguments":
		return scripted.Calls(scripted.Call{Name: "drill_fire", Arguments: `{"label":{"x":1},"before":"soon"}`})
	case "slow":
		well.Delay = time.Second + time.Duration(rand.IntN(2000))*time.Millisecond
	}
	return well
}

// status tells on an address what goroutines run in this process, so that the drill can see whether any are left over; "" is nowhere.
func status(listen string) error {
	if listen == "" {
		return nil
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("%w; choose another address with --status", err)
	}
	s := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = pprof.Lookup("goroutine").WriteTo(w, 1) // whoever asked may be gone
	})}
	go func() { _ = s.Serve(l) }() // ends with the process
	return nil
}
