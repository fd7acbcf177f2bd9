package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

type area struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// A tool is a function with a card. The host puts it on the bus and keeps its caller safe from it, and it from its caller.
func Example() {
	tool := tools.New(bus.Card{
		Name:        "area",
		Description: "The area of a rectangle in square metres.",
		Parameters: json.RawMessage(`{"type":"object","required":["width","height"],"properties":{
			"width":{"type":"number","minimum":0},"height":{"type":"number","minimum":0}}}`),
		Effect: bus.Read,
	}, func(_ context.Context, _ *tools.Call, a area) (float64, error) {
		return a.Width * a.Height, nil
	})

	b, stop := newBus()
	defer stop()
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		log.Fatal(err)
	}
	host := tools.NewHost(b, engine, tools.Options{})
	if err := host.Add(tool); err != nil {
		log.Fatal(err)
	}
	defer func() {
		if err := host.Stop(); err != nil {
			log.Fatal(err)
		}
	}()

	for i, parameter := range []string{`{"width": 3, "height": "1.5"}`, `{"width": -3}`} {
		answer, err := b.Call(context.Background(), bus.Request{
			Session: "s1", Task: "t1", Call: bus.ChildID("t1", 1, i), Caller: "master", ToolName: "area", Parameter: json.RawMessage(parameter),
		}, nil)
		if err != nil {
			log.Fatal(err)
		}
		if answer.Error != nil {
			fmt.Println(answer.Status, answer.Error.Code)
			fmt.Println(answer.Error.Message)
			continue
		}
		fmt.Println(answer.Status, string(answer.Observation))
	}
	// Output:
	// ok 4.5
	// error invalid_parameter
	// the arguments of area do not hold its schema: height: missing, wanted number; width: given -3, wanted at least 0: number
}

// newBus is a bus on an embedded server.
func newBus() (*bus.Bus, func()) {
	dir, err := os.MkdirTemp("", "hmap-example-")
	if err != nil {
		log.Fatal(err)
	}
	server, err := bus.StartServer(bus.ServerOptions{Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	b, err := bus.Connect(context.Background(), bus.Options{Server: server})
	if err != nil {
		log.Fatal(err)
	}
	return b, func() {
		b.Close()
		server.Stop()
		if err := os.RemoveAll(dir); err != nil {
			log.Print(err)
		}
	}
}
