package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// bench are tools as servers of strangers describe them: names, types and a few words.
func benchCards() []bus.Card {
	stranger := func(name, effect, desc, required string, props ...string) bus.Card {
		schema := `{"type":"object","properties":{` + strings.Join(props, ",") + `},"required":` + required + `}`
		return bus.Card{Name: name, Kind: "tool", Effect: bus.Effect(effect), Description: desc, Parameters: json.RawMessage(schema)}
	}
	text := func(name, desc string) string { return `"` + name + `":{"type":"string","description":"` + desc + `"}` }
	number := func(name, desc string) string { return `"` + name + `":{"type":"number","description":"` + desc + `"}` }
	return []bus.Card{
		stranger("create_ticket", "unsafe", "Create a new ticket in a repository", `["owner","repo","title"]`, text("owner", "Repository owner"), text("repo", "Repository name"), text("title", "Title"), text("body", "Content")),
		stranger("list_tickets", "read", "List tickets of a repository", `["owner","repo"]`, text("owner", "Repository owner"), text("repo", "Repository name"), `"state":{"type":"string","enum":["open","closed"]}`),
		stranger("add_comment", "unsafe", "Add a comment to an existing ticket", `["owner","repo","number","body"]`, text("owner", "Repository owner"), text("repo", "Repository name"), number("number", "Ticket number"), text("body", "Comment text")),
		stranger("post_message", "unsafe", "Post a message to a channel", `["channel_id","text"]`, text("channel_id", "The ID of the channel"), text("text", "The message text")),
		stranger("find_files", "read", "Search for files that match a pattern", `["path","pattern"]`, text("path", "Where"), text("pattern", "")),
		stranger("run_query", "read", "Run a read-only SQL query", `["sql"]`, text("sql", "The SQL query to run")),
		stranger("describe_table", "read", "Show the columns of a table", `["table"]`, text("table", "Table name")),
		stranger("move_card", "unsafe", "Transition a card to another status", `["key","status"]`, text("key", "Card key, e.g. PROJ-123"), `"status":{"type":"string","enum":["To Do","In Review","Done"]}`),
		stranger("get_card", "read", "Get details of a card", `["key"]`, text("key", "Card key, e.g. PROJ-123")),
		stranger("merge_pull_request", "unsafe", "Merge a pull request in a repository", `["owner","repo","number"]`, text("owner", "Repository owner"), text("repo", "Repository name"), number("number", "The number of the pull request")),
		stranger("create_refund", "unsafe", "Refund a payment", `["payment"]`, text("payment", "The ID of the payment"), `"amount":{"type":"integer","description":"The amount to refund in cents"}`),
		stranger("read_document", "read", "Read contents of a document", `["document_id"]`, text("document_id", "ID of the document to read")),
	}
}

// What signs tell that all who work with computers use goes to the parameter that they show, and wishes in other words than a tool's name find it.
func TestSigns(t *testing.T) {
	x := NewIndex(benchCards(), Options{})
	for request, want := range map[string]string{
		`open a ticket in octo-cat/hello.world titled "Login fails on Safari"`: `create_ticket {"owner":"octo-cat","repo":"hello.world","title":"Login fails on Safari"}`,
		`在 acme/shop 里 create 一个 ticket，标题是“登录失败”`:                             `create_ticket {"owner":"acme","repo":"shop","title":"登录失败"}`,
		`show the open tickets of kube/kube`:                                   `list_tickets {"owner":"kube","repo":"kube","state":"open"}`,
		`comment "I can reproduce this" on ticket 77 of golang/go`:             `add_comment {"body":"I can reproduce this","number":77,"owner":"golang","repo":"go"}`,
		`merge PR #15 in acme/shop`:                                            `merge_pull_request {"number":15,"owner":"acme","repo":"shop"}`,
		`post "Deploy is done" to #general`:                                    `post_message {"channel_id":"#general","text":"Deploy is done"}`,
		`find files *_test.go in /src`:                                         `find_files {"path":"/src","pattern":"*_test.go"}`,
		`run SELECT count(*) FROM users WHERE active = true`:                   `run_query {"sql":"SELECT count(*) FROM users WHERE active = true"}`,
		`show the columns of the table orders`:                                 `describe_table {"table":"orders"}`,
		`move PROJ-7 to In Review`:                                             `move_card {"key":"PROJ-7","status":"In Review"}`,
		`refund $20 of pi_3Nabc123`:                                            `create_refund {"amount":2000,"payment":"pi_3Nabc123"}`,
		`refund $20 dollars of pi_3Nabc123`:                                    `create_refund {"amount":2000,"payment":"pi_3Nabc123"}`,
		`refund 20 dollars of pi_3Nabc123`:                                     `create_refund {"amount":2000,"payment":"pi_3Nabc123"}`,
	} {
		out := x.Think(ask(request))
		got := told(out)
		if len(out.Actions) == 1 {
			got = out.Actions[0].ToolName + " " + string(out.Actions[0].Parameter)
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", request, got, want)
		}
	}
}

// What shall end is not shown instead.
func TestUndoneIsNotShown(t *testing.T) {
	x := NewIndex(benchCards(), Options{})
	for _, request := range []string{"delete the document 1A2b3C4d5E", "drop the table users", "remove card PROJ-7"} {
		if out := x.Think(ask(request)); len(out.Actions) > 0 || out.Answer == "" {
			t.Errorf("%s: %s", request, told(out))
		}
	}
	if out := x.Think(ask("read the document 1A2b3C4d5E")); len(out.Actions) != 1 {
		t.Error(told(out))
	}
}

// Where the first wish has no tool and the second waits for it, that is said: no tool gave anything.
func TestNothingBeforeIt(t *testing.T) {
	x := NewIndex([]bus.Card{
		{Name: "share_file", Kind: "tool", Effect: bus.Unsafe, Description: "Share a file with a user", Parameters: json.RawMessage(`{"type":"object","properties":{"file_id":{"type":"string","description":"ID of the file"},"email":{"type":"string","format":"email","description":"Email of the user"}},"required":["file_id","email"]}`)},
		{Name: "list_rooms", Kind: "tool", Effect: bus.Read, Description: "List rooms", Parameters: json.RawMessage(`{"type":"object"}`)},
	}, Options{})
	out := x.Think(ask("find the sonnet about onboarding and share it with ann@acme.io"))
	if len(out.Actions) > 0 || out.Ask != nil || !strings.Contains(out.Answer, "no tool for “find the sonnet about onboarding”") || strings.Contains(out.Thought, "enough") {
		t.Errorf("%s", told(out))
	}
}

// A full plan reads the same signs.
func TestPlanAllReadsSigns(t *testing.T) {
	calls := NewIndex(benchCards(), Options{}).PlanAll(ask(`post "Deploy is done" to #general`))
	if len(calls) != 1 || calls[0].Parameter["channel_id"] != "#general" || calls[0].Parameter["text"] != "Deploy is done" {
		t.Errorf("%v", calls)
	}
}

// Signs that are longer in lower case move places, and nothing is read at the wrong ones.
func TestWishInOddLetters(t *testing.T) {
	x := NewIndex(benchCards(), Options{})
	x.Think(ask(strings.Repeat("Ⱥ", 40) + " move PROJ-7 to Done"))
}
