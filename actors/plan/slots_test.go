package plan

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/bus"
)

// strangers are tools as they are written for language models: names, types, a few English words, and no word of what they change.
func strangers(t *testing.T, file string) *Index {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var cards []bus.Card
	if err := json.Unmarshal(raw, &cards); err != nil {
		t.Fatal(err)
	}
	phrases, err := builtInPhrases()
	if err != nil {
		t.Fatal(err)
	}
	return NewIndex(cards, Options{Phrases: phrases})
}

const en, en2, zh, office = "strangers.json", "strangers2.json", "strangers_zh.json", "office.json"

// A request is read for tools of which the cards say next to nothing. now is 16 May 2026, a Saturday.
func TestThinkOfStrangers(t *testing.T) {
	for _, c := range []struct{ file, request, want string }{
		{en, "Find flights from Lyon to Oslo on 2026-12-03", `search_flights {"date":"2026-12-03","destination":"Oslo","origin":"Lyon"}`},
		{en, "flights to Oslo from Lyon", `search_flights {"destination":"Oslo","origin":"Lyon"}`},
		{en, "Convert 250 dollars from USD to EUR", `convert_currency {"amount":250,"from_currency":"USD","to_currency":"EUR"}`},
		{en, "convert 100 EUR to JPY", `convert_currency {"amount":100,"from_currency":"EUR","to_currency":"JPY"}`},
		{en, `Translate "good morning" from English to French`, `translate {"source_language":"English","target_language":"French","text":"good morning"}`},
		{en, "Move patient P1023 from ward B to ward C", `transfer_patient {"from_ward":"B","patient_id":"P1023","to_ward":"C"}`},
		{en, "Send an email from ann@x.org to bob@y.org saying that the meeting is moved", `send_email {"body":"the meeting is moved","from":"ann@x.org","to":"bob@y.org"}`},
		{en, "Book a hotel in Oslo from 3 to 6 December for 2 guests", `book_hotel {"check_in":"2026-12-03","check_out":"2026-12-06","city":"Oslo","guests":2}`},
		{en, "what's the weather in Oslo tomorrow", `get_weather {"city":"Oslo","day":"2026-05-17"}`},
		{en, "weather Paris", `get_weather {"city":"Paris"}`},
		{en, "What is the weather like in New York?", `get_weather {"city":"New York"}`},
		{en, "How is the weather in Reykjavik on Friday?", `get_weather {"city":"Reykjavik","day":"2026-05-22"}`},
		{en, "what time is it in Europe/London", `get_current_time {"timezone":"Europe/London"}`},
		{en, "read the file /var/log/app.log", `read_file {"path":"/var/log/app.log"}`},
		{en, "recipes with chicken under 30 minutes", `search_recipes {"ingredient":"chicken","max_minutes":30}`},
		{en, "find me Italian recipes with aubergine", `search_recipes {"cuisine":"Italian","ingredient":"aubergine"}`},
		{en, "what is the share price of AAPL", `get_stock_price {"symbol":"AAPL"}`},
		{en, "driving time from Lyon to Paris", `route {"end":"Paris","start":"Lyon"}`},
		{en, "Book a flight AF1234 for Anna Berg", `book_flight {"flight_number":"AF1234","passenger":"Anna Berg"}`},
		{en2, "set the temperature of the bedroom to 19.5 degrees", `set_thermostat {"room":"bedroom","temperature":19.5}`},
		{en2, "schedule an appointment for Maria Silva with Bob Ito on 4 December at 10:30", `schedule_appointment {"date":"2026-12-04","doctor":"Bob Ito","patient":"Maria Silva","time":"10:30"}`},
		{en2, "get the result of the glucose test of sample S-8841", `get_lab_result {"sample_id":"S-8841","test":"glucose"}`},
		{en2, "find a train from Zürich to Milan on Friday", `find_trains {"arrival_station":"Milan","departure_date":"2026-05-22","departure_station":"Zürich"}`},
		{en2, "restart the pod payments-7f9c in namespace prod", `restart_pod {"namespace":"prod","pod":"payments-7f9c"}`},
		{en2, "show the last 50 log lines of the checkout service", `get_logs {"lines":50,"service":"checkout"}`},
		{en2, "what is the balance of account 11-204", `account_balance {"account":"11-204"}`},
		{en2, "when is Dune shown in Berlin tonight", `movie_showtimes {"city":"Berlin","date":"2026-05-16","film":"Dune"}`},
		{en2, "search papers about graph neural networks by Kipf from 2017", `search_papers {"author":"Kipf","topic":"graph neural networks","year":2017}`},
		{en2, "how many calories are in 150 grams of rice", `nutrition {"food":"rice","grams":150}`},
		{zh, `北京明天天气怎么样`, `maps_weather {"city":"北京","date":"2026-05-17"}`},
		{zh, `驾车从西单到首都机场的距离`, `maps_direction_driving {"destination":"首都机场","origin":"西单"}`},
		{zh, `查一下12月5号广州到深圳的余票`, `get_tickets {"date":"2026-12-05","from_station":"广州","to_station":"深圳"}`},
		{zh, `给bob@y.org发邮件说会议改到周五`, `send_mail {"content":"会议改到周五","to":"bob@y.org"}`},
		{zh, `把“早上好”译成法语`, `translate_text {"target":"法语","text":"早上好"}`},
		{zh, `把苹果翻译成日语`, `translate_text {"target":"日语","text":"苹果"}`},
		{zh, `把患者P1023从B病区转到C病区`, `transfer_patient {"from_ward":"B","patient_id":"P1023","to_ward":"C"}`},
		{zh, `预订明天的101会议室，10个人`, `book_room {"date":"2026-05-17","people":10,"room":"101"}`},
		{zh, `查一下股票代码600519的价格`, `get_stock {"symbol":"600519"}`},
		{zh, `在rockets仓库新建一个缺陷，标题是启动崩溃`, `create_issue {"repo":"rockets","title":"启动崩溃"}`},
		{office, "how many employees are in the Sales department", `list_employees {"department":"Sales"}`},
		{office, "which employees are in Finance", `list_employees {"department":"Finance"}`},
		{office, "who works in London?", `list_employees {"location":"London"}`},
		{office, "who works in the Finance department", `list_employees {"department":"Finance"}`},
		{office, "get employee Olga", `get_employee {"name":"Olga"}`},
		{office, "employees in Shanghai", `list_employees {"location":"Shanghai"}`},
		{office, "how many days of leave does Anna Schmidt have left?", `get_employee {"name":"Anna Schmidt"}`},
		{office, "request annual leave for Erik Berg from 2026-12-01 to 2026-12-03", `get_employee {"name":"Erik Berg"}`},
		{office, "close T-2, resolution: battery replaced", `close_ticket {"resolution":"battery replaced","ticket_id":"T-2"}`},
		{office, "what devices does Bob Lee have", `list_devices {"owner":"Bob Lee"}`},
		{office, "assign ticket T-4 to Bob Lee", `assign_ticket {"assignee":"Bob Lee","ticket_id":"T-4"}`},
		{zh, `心内科今天谁出诊`, `find_doctor {"department":"心内科"}`},
	} {
		o := strangers(t, c.file).Think(Input{Request: c.request, Now: now})
		got := ""
		for _, a := range o.Actions {
			got += a.ToolName + " " + string(a.Parameter)
		}
		if got != c.want {
			t.Errorf("%s:\n got %s, asks %v\nwant %s", c.request, got, o.Ask, c.want)
		}
	}
}

// What no tool speaks of is refused, whatever values it names, and what a tool needs and nobody said is asked for.
func TestThinkOfStrangersRefuses(t *testing.T) {
	x := strangers(t, en)
	for _, request := range []string{"who is the president of France", "sing me a song about Paris", "how tall is Anna Berg", "buy 3 tickets to the opera", "Oslo", "100 EUR"} {
		if o := x.Think(Input{Request: request, Now: now}); len(o.Actions) > 0 {
			t.Errorf("%s: %s %s", request, o.Actions[0].ToolName, o.Actions[0].Parameter)
		}
	}
	for _, request := range []string{"法国总统是谁", "唱首歌", "王萍萍多高"} {
		if o := strangers(t, zh).Think(Input{Request: request, Now: now}); len(o.Actions) > 0 {
			t.Errorf("%s: %s %s", request, o.Actions[0].ToolName, o.Actions[0].Parameter)
		}
	}
	for request, missing := range map[string]string{"what's the weather tomorrow": "city", "book a hotel in Oslo": "check in", "translate into French": "text"} {
		if o := x.Think(Input{Request: request, Now: now}); o.Ask == nil || !strings.Contains(o.Ask.Question, missing) {
			t.Errorf("%s: %v %v, want a question for %s", request, o.Actions, o.Ask, missing)
		}
	}
}

func TestPlanAllOfStrangers(t *testing.T) {
	x := strangers(t, en)
	for request, want := range map[string]string{
		"convert 100 EUR to JPY":                                  `[{"tool_name":"convert_currency","parameter":{"amount":100,"from_currency":"EUR","to_currency":"JPY"}}]`,
		"Move patient P1023 from ward B to ward C":                `[{"tool_name":"transfer_patient","parameter":{"from_ward":"B","patient_id":"P1023","to_ward":"C"}}]`,
		"Translate “good morning” from English to French":         `[{"tool_name":"translate","parameter":{"source_language":"English","target_language":"French","text":"good morning"}}]`,
		"Book a hotel in Oslo from 3 to 6 December for 2 guests.": `[{"tool_name":"book_hotel","parameter":{"check_in":"2026-12-03","check_out":"2026-12-06","city":"Oslo","guests":2}}]`,
	} {
		got, err := json.Marshal(x.PlanAll(Input{Request: request, Now: now}))
		if err != nil || string(got) != want {
			t.Errorf("%s:\n got %s %v\nwant %s", request, got, err, want)
		}
	}
}

// Whatever a text holds, its words stand where they are said to stand.
func TestTokens(t *testing.T) {
	x := strangers(t, en)
	for _, s := range []string{"", " ", `"`, "“”", "«a", "a\xff\xfe b", strings.Repeat("x", 5000), strings.Repeat("a, b and ", 900), "(((f(x)))) [a{b}]", "It's 'the' \"last\" one’s", "/etc/hosts ~/x ./y", "日本 and 中国"} {
		ts := x.tokens(s)
		last := 0
		for _, tok := range ts {
			if tok.start < last || tok.end <= tok.start || tok.end > len(s) {
				t.Fatalf("%.40q: a word from %d to %d behind %d", s, tok.start, tok.end, last)
			}
			last = tok.end
		}
		if len(ts) > maxTokens {
			t.Errorf("%d words", len(ts))
		}
		for _, v := range append(wordSpans(s, ts), listSpans(s, ts)...) {
			if v.from < 0 || v.to <= v.from || v.to > len(ts) {
				t.Errorf("%.40q: a span of the words %d to %d", s, v.from, v.to)
			}
		}
		x.PlanAll(Input{Request: "translate " + s, Now: now})
	}
	lists := listSpans("buy apples, ripe pears and a plum today", x.tokens("buy apples, ripe pears and a plum today"))
	found := false
	for _, v := range lists {
		raw, _ := json.Marshal(v.value)
		found = found || string(raw) == `["apples","ripe pears","plum"]`
	}
	if !found {
		t.Errorf("%v, want a list of apples, ripe pears and plum", lists)
	}
}

// A later turn that names another place, day or thing is asked of a stranger's tool, too.
func TestFollowUpsOfStrangers(t *testing.T) {
	x := strangers(t, en)
	for _, c := range []struct{ before, request, want string }{
		{"what's the weather in Oslo tomorrow", "and in Paris?", `get_weather {"city":"Paris","day":"2026-05-17"}`},
		{"what's the weather in Oslo tomorrow", "what about New York", `get_weather {"city":"New York","day":"2026-05-17"}`},
		{"what's the weather in Oslo tomorrow", "how about on Friday?", `get_weather {"city":"Oslo","day":"2026-05-22"}`},
		{"what is the share price of AAPL", "and MSFT?", `get_stock_price {"symbol":"MSFT"}`},
	} {
		o := x.Think(Input{Request: c.request, Now: now, History: []Turn{{Request: c.before, Answer: "12."}}})
		got := ""
		for _, a := range o.Actions {
			got += a.ToolName + " " + string(a.Parameter)
		}
		if got != c.want {
			t.Errorf("%s, %s:\n got %s %s\nwant %s", c.before, c.request, got, o.Answer, c.want)
		}
	}
}

// A card with very many parameters is read as far as the bound of the work goes.
func TestSlotsAreBounded(t *testing.T) {
	properties := map[string]any{}
	for i := range 400 {
		properties[fmt.Sprintf("field_%d_name", i)] = map[string]any{"type": "string", "description": "the name of something"}
	}
	schema, err := json.Marshal(map[string]any{"type": "object", "properties": properties})
	if err != nil {
		t.Fatal(err)
	}
	x := NewIndex([]bus.Card{{Name: "create_thing", Kind: "tool", Description: "Create a thing", Parameters: schema}}, Options{})
	text := strings.Repeat("create a thing named Alpha of 5 kg from Lyon to Oslo. ", 20)
	g := x.understand(Input{Request: text, Now: now})
	r := x.scantReader(x.entries[0], &g)
	ss := r.slots(x.entries[0], wishes.Clause{Text: text, End: len(text)}, nil, scant)
	if n := len(ss) * len(r.spans); n == 0 || n > maxReadings {
		t.Errorf("%d parameters of %d stretches, want at most %d readings", len(ss), len(r.spans), maxReadings)
	}
}

// What somebody shall be told is taken out where it stands in quotes, and nowhere else.
func TestWithoutTold(t *testing.T) {
	s := `order 1011 of Ann, reply to Ann "1"`
	g, c := withoutTold(&goal{text: s, plain: s}, wishes.Clause{Text: s, End: len(s)}, nil)
	for _, got := range []string{g.text, g.plain, c.Text} {
		if want := `order 1011 of Ann, reply to Ann " "`; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A question calls no stranger's tool that changes something, however little its card says of that.
func TestDeedsOfStrangers(t *testing.T) {
	for _, c := range []struct{ name, description, takes, request, want string }{
		{"check_out_guest", "Check out a guest from a hotel room", "room", "who is the guest in room R-12", ""},
		{"disk_wiper", "Wipes everything on a disk", "disk", "what is on disk D-11", ""},
		{"account_deletion", "Deletion of an account", "account", "is account A-2211 deleted", ""},
		{"emergency_stop", "Emergency stop of a pump", "pump", "how is pump P-22", ""},
		{"get_rid_of_file", "Get rid of a file", "file", "show the file /tmp/a.txt", ""},
		{"payment", "Payment of an invoice", "invoice", "what is invoice I-1234", ""},
		{"fetch_and_purge", "Fetch and purge a queue", "queue", "how long is queue Q-12", ""},
		{"pump_shutdown", "Shuts a pump down", "pump", "status of pump P-22", ""},
		{"restart_pump", "Restart a pump", "pump", "please restart pump P-22", "restart_pump"},
		{"restart_pump", "Restart a pump", "pump", "I want you to restart P-22", "restart_pump"},
		{"account_balance", "Balance of an account", "account", "what is the balance of account 11-204", "account_balance"},
		{"get_payment", "Get the payment of an invoice", "invoice", "what is the payment of invoice I-1234", "get_payment"},
	} {
		x := NewIndex([]bus.Card{{Name: c.name, Description: c.description, Effect: bus.Unsafe, Parameters: json.RawMessage(`{"type":"object","properties":{"` + c.takes + `":{"type":"string","description":"the ` + c.takes + `"}},"required":["` + c.takes + `"]}`)}}, Options{})
		got := ""
		for _, a := range x.Think(Input{Request: c.request, Now: now}).Actions {
			got += a.ToolName
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.request, got, c.want)
		}
	}
}
