package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anthdm/hollywood/actor"
	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/actors"
	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/prompts"
	"github.com/hmap-project/hmap/tools"
)

// clerk is the one agent; it takes tasks from users and calls the two tools itself.
var clerk = configs.Agent{
	Name: "clerk", Title: map[string]string{"en": "Clerk"}, Description: "Looks up orders and computes what they cost.",
	Entry: true, Prompt: "domain", Model: "default", Tools: []string{"lookup", "price"}, Mode: "react",
	Budget: configs.Budget{Rounds: 10, Seconds: 600, Depth: 2},
}

// house is hmap as its main.go wires it, with the two tools in place of the shop: embedded NATS on a data folder, the log on, one agent.
// It gives the URL at which tasks can be submitted, and what ends it.
func house(ctx context.Context, url, dir, sync string, stream bool, at int) (address string, end func(), err error) {
	var ends []func()
	end = func() {
		for i := len(ends) - 1; i >= 0; i-- {
			ends[i]()
		}
	}
	defer func() {
		if err != nil {
			end()
		}
	}()
	config, err := configs.Load("")
	if err != nil {
		return "", nil, err
	}
	config.Limits.Tasks = max(config.Limits.Tasks, at)
	config.Limits.Queue = max(config.Limits.Queue, 2*at)
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))

	server, err := bus.StartServer(bus.ServerOptions{Dir: dir, Listen: "127.0.0.1:0", NoSync: sync == "interval", Log: log})
	if err != nil {
		return "", nil, err
	}
	ends = append(ends, server.Stop)
	b, err := bus.Connect(ctx, bus.Options{Server: server, Log: log, MaxQueue: config.Limits.Queue, LeaseTTL: config.Limits.Lease})
	if err != nil {
		return "", nil, err
	}
	ends = append(ends, b.Close)
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		return "", nil, err
	}
	hands := tools.NewHost(b, engine, tools.Options{Log: log, Waiting: max(64, at)})
	ends = append(ends, func() { logged(log, hands.Stop()) })
	for _, f := range functions {
		card := bus.Card{Name: f.Name, Kind: "tool", Description: f.Description, Effect: bus.Read, Parameters: json.RawMessage(f.Parameters)}
		gives := json.RawMessage(f.Gives)
		if err := hands.Add(tools.New(card, func(context.Context, *tools.Call, map[string]any) (json.RawMessage, error) { return gives, nil })); err != nil {
			return "", nil, err
		}
	}
	mind, err := model.New(model.Options{BaseURL: url, Model: modelName, NoStream: !stream})
	if err != nil {
		return "", nil, err
	}
	texts, err := prompts.Load("")
	if err != nil {
		return "", nil, err
	}
	team, err := actors.Start(ctx, b, engine, actors.Options{
		Agents: []configs.Agent{clerk}, Prompts: texts, Models: map[string]*model.Client{"default": mind}, Limits: config.Limits, Log: log,
	})
	if err != nil {
		return "", nil, err
	}
	ends = append(ends, func() { team.Stop(ctx) })
	return server.URL(), end, nil
}

func logged(log *slog.Logger, err error) {
	if err != nil {
		log.Warn("could not be stopped", "error", err)
	}
}

// systemPrompt is what hmap tells its agent; the others are given the same.
func systemPrompt() (string, error) {
	texts, err := prompts.Load("")
	if err != nil {
		return "", err
	}
	return texts.Text("en", clerk.Prompt, prompts.Vars{
		Name: clerk.Name, Title: clerk.Title["en"], Description: clerk.Description, Date: time.Now().Format("2006-01-02 Monday"),
		Task: question, Mode: clerk.Mode, ThoughtLimit: 200,
	})
}

// visitor submits tasks to an hmap from another process and waits for the responses, all of which come on one subject.
type visitor struct {
	bus     *bus.Bus
	waiting sync.Map // task → chan bus.Response
	visits  atomic.Int64
}

const replySubject = "bench.responses"

func visit(ctx context.Context, url string) (*visitor, error) {
	b, err := bus.Connect(ctx, bus.Options{URL: url, Replicas: 1})
	if err != nil {
		return nil, err
	}
	v := &visitor{bus: b}
	_, err = b.Conn().Subscribe(replySubject, func(m *nats.Msg) {
		var r bus.Response
		if err := json.Unmarshal(m.Data, &r); err != nil {
			r.Error = &bus.Error{Code: bus.CodeInternal, Message: err.Error()}
		}
		if waiting, ok := v.waiting.LoadAndDelete(r.Call); ok {
			waiting.(chan bus.Response) <- r
		}
	})
	if err == nil {
		err = b.Conn().Flush()
	}
	return v, err
}

// task submits one task, in a session of its own, and waits for the final answer.
func (v *visitor) task(ctx context.Context) (string, error) {
	id := "t" + strconv.FormatInt(v.visits.Add(1), 10)
	come := make(chan bus.Response, 1)
	v.waiting.Store(id, come)
	if _, err := v.bus.Submit(ctx, clerk.Name, bus.Submission{Query: question, Task: id, ReplyTo: replySubject}, ""); err != nil {
		return "", err
	}
	select {
	case r := <-come:
		if r.Status != bus.OK || r.Error != nil {
			return "", fmt.Errorf("status %s: %v", r.Status, r.Error)
		}
		var text string
		err := json.Unmarshal(r.Observation, &text)
		return text, err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
