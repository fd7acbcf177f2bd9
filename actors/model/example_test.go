package model_test

import (
	"context"
	"fmt"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
)

func ExampleClient_Ask() {
	endpoint := scripted.New(nil, scripted.Step{Text: "It is about orders, so the orders agent shall count them.",
		Calls: []scripted.Call{{Name: "orders", Arguments: `{"job_desc":"count the orders of 王萍萍"}`}}})
	defer endpoint.Close()

	client, err := model.New(model.Options{BaseURL: endpoint.URL, Model: "any"})
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := client.Ask(context.Background(), model.Prompt{
		System:   "You are the Master.",
		Messages: []model.Message{{Role: "user", Text: "我有多少订单是王萍萍买的?"}},
		Tools:    []bus.Card{{Name: "orders", Kind: "agent", Description: "knows the orders"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reply.Thought)
	fmt.Println(reply.Actions[0].ToolName, "←", reply.Actions[0].JobDesc)
	// Output:
	// It is about orders, so the orders agent shall count them.
	// orders ← count the orders of 王萍萍
}

func ExampleParseActionCode() {
	parsed, err := model.ParseActionCode("Let me look:\n```json\n{'action_code': {'api_name': 'search_order_code', 'parameter': {'consumer_name': ['王萍萍']},}}\n```")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %s\n", parsed.Actions[0].ToolName, parsed.Actions[0].Parameter)
	// Output: search_order_code {"consumer_name": ["王萍萍"]}
}
