package model

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
)

// The benchmarks compare the client with a bare loop over go-openai, in one run, for that ratio holds on any machine:
//
//	go test ./actors/model -run '^$' -bench Task -benchmem
//
// One operation is a task of three answers, of which two call a tool, each in 60 events; 64 tasks run at a time. The model is
// another process, so cpu-µs/op is what the asking side alone spends, in the kernel too.

// serve is the environment variable that makes this test binary the model of the benchmarks.
const serve = "MODEL_BENCH_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(serve) != "" {
		answerAll()
		return
	}
	goleak.VerifyTestMain(m)
}

// answerAll serves prepared answers until its standard input ends. Requests below /held wait for that too.
func answerAll() {
	end := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(end)
	}()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	call, text := answerOf(true), answerOf(false)
	s := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if strings.HasPrefix(r.URL.Path, "/held") {
			<-end
			return
		}
		a := call
		if bytes.Count(body, []byte(`"role":"tool"`)) == 2 {
			a = text
		}
		if !bytes.Contains(body, []byte(`"stream":true`)) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(a.whole)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		flush := w.(http.Flusher)
		for _, e := range a.events {
			_, _ = w.Write(e)
			flush.Flush()
		}
	})}
	go func() { _ = s.Serve(l) }()
	fmt.Println("http://" + l.Addr().String())
	<-end
	_ = s.Close()
}

// prepared is an answer as OpenAI sends it, streamed and whole.
type prepared struct {
	events [][]byte
	whole  []byte
}

func answerOf(call bool) prepared {
	const head = `{"id":"chatcmpl-BZ7vGt3nUqXkPw","object":"chat.completion%s","created":1763700000,"model":"m","service_tier":"default","system_fingerprint":"fp_1a2b3c","choices":[`
	const usage = `{"prompt_tokens":812,"completion_tokens":57,"total_tokens":869,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}}`
	var p prepared
	event := func(choice, usage string) {
		p.events = append(p.events, fmt.Appendf(nil, "data: "+head+"%s],\"usage\":%s}\n\n", ".chunk", choice, usage))
	}
	delta := func(d string) { event(`{"index":0,"delta":`+d+`,"logprobs":null,"finish_reason":null}`, "null") }
	delta(`{"role":"assistant","content":"","refusal":null}`)
	pieces := 57
	message := `"content":"` + strings.Repeat("word ", pieces) + `"`
	finish := "stop"
	if call {
		pieces, finish = 20, "tool_calls"
		const arguments = `{\"consumer_name\":\"` + `王萍萍` + `\",\"search_keys\":\"订单\",\"limit\":5}`
		message = `"content":"` + strings.Repeat("word ", pieces) + `","tool_calls":[{"id":"call_1","type":"function","function":{"name":"search_order_code","arguments":"` + arguments + `"}}]`
	}
	for range pieces {
		delta(`{"content":"word "}`)
	}
	if call {
		delta(`{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"search_order_code","arguments":""}}]}`)
		piece := func(s string) { delta(`{"tool_calls":[{"index":0,"function":{"arguments":"` + s + `"}}]}`) }
		piece(`{\"consumer_name\":\"`)
		for range 34 {
			piece("王")
		}
		piece(`\",\"limit\":5}`)
	}
	event(`{"index":0,"delta":{},"logprobs":null,"finish_reason":"`+finish+`"}`, "null")
	p.events = append(p.events, fmt.Appendf(nil, "data: "+head+"],\"usage\":%s}\n\n", ".chunk", usage), []byte("data: [DONE]\n\n"))
	p.whole = fmt.Appendf(nil, head+`{"index":0,"message":{"role":"assistant",%s,"refusal":null},"logprobs":null,"finish_reason":"%s"}],"usage":%s}`, "", message, finish, usage)
	return p
}

// modelProcess starts the model of the benchmarks and gives its address.
func modelProcess(b *testing.B) string {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serve+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// cpu is the processor time this process has used, in user and kernel mode.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// atOnce runs a task again and again, 64 at a time.
func atOnce(b *testing.B, task func() error) {
	b.SetParallelism(64 / runtime.GOMAXPROCS(0))
	b.ReportAllocs()
	if err := task(); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	before := cpu(b)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := task(); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64((cpu(b)-before).Microseconds())/float64(b.N), "cpu-µs/op")
}

var benchTools = func() []bus.Card {
	cards := []bus.Card{orders}
	for _, name := range []string{"search_product", "order_detail", "track_parcel"} {
		c := orders
		c.Name = name
		cards = append(cards, c)
	}
	return cards
}()

var benchSystem = strings.Repeat("You are a seller's assistant, and answer from what the tools tell. ", 30)

const benchQuestion, benchObserved = "我有多少订单是王萍萍买的?", `{"total":3,"orders":[{"order_id":"A1001","status":"paid"},{"order_id":"A1002","status":"sent"}]}`

// askTask is a task with our client.
func askTask(c *Client, p Prompt) error {
	for n := 0; ; n++ {
		r, err := c.Ask(context.Background(), p)
		if err != nil {
			return err
		}
		if len(r.Actions) == 0 {
			if n != 2 || len(r.Answer) < 200 {
				return fmt.Errorf("answer %d: %+v", n, r)
			}
			return nil
		}
		id := "call_" + fmt.Sprint(n)
		p.Messages = append(p.Messages[:len(p.Messages):len(p.Messages)],
			Message{Role: "assistant", Text: r.Thought, Actions: []Called{{ID: id, ToolName: r.Actions[0].ToolName, Arguments: r.Actions[0].Parameter}}},
			Message{Role: "tool", CallID: id, Name: r.Actions[0].ToolName, Text: benchObserved})
	}
}

func ours(b *testing.B, o Options) *Client {
	o.Model, o.Key = "m", "k"
	c, err := New(o)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

func BenchmarkTask(b *testing.B) {
	p := Prompt{System: benchSystem, Messages: []Message{{Role: "user", Text: benchQuestion}}, Tools: benchTools}
	heard := p
	heard.OnDelta = func(string, string) {}
	b.Run("stream", func(b *testing.B) {
		url := modelProcess(b) + "/v1"
		b.Run("bare", func(b *testing.B) {
			c, tools := bare(b, url)
			atOnce(b, func() error { return bareTask(c, tools, bareStream) })
		})
		b.Run("ours", func(b *testing.B) {
			c := ours(b, Options{BaseURL: url})
			atOnce(b, func() error { return askTask(c, p) })
		})
		b.Run("watched", func(b *testing.B) {
			c := ours(b, Options{BaseURL: url})
			atOnce(b, func() error { return askTask(c, heard) })
		})
	})
	b.Run("whole", func(b *testing.B) {
		url := modelProcess(b) + "/v1"
		b.Run("bare", func(b *testing.B) {
			c, tools := bare(b, url)
			atOnce(b, func() error { return bareTask(c, tools, bareWhole) })
		})
		b.Run("ours", func(b *testing.B) {
			c := ours(b, Options{BaseURL: url, NoStream: true})
			atOnce(b, func() error { return askTask(c, p) })
		})
	})
}

// BenchmarkHeld tells the memory of a question that waits for its answer, with its goroutines, 2000 at a time. Each needs a process
// of its own, since what one leaves free the next takes:
//
//	go test ./actors/model -run '^$' -bench Held/ours -benchtime 1x
func BenchmarkHeld(b *testing.B) {
	const n = 2000
	hold := func(b *testing.B, ask func(ctx context.Context, url string)) {
		url := modelProcess(b) + "/held/v1"
		for range b.N {
			ctx, cancel := context.WithCancel(context.Background())
			var wg sync.WaitGroup
			before := memory()
			for range n {
				wg.Go(func() { ask(ctx, url) })
			}
			peak, steady := uint64(0), 0
			for steady < 10 { // the last samples no longer grow
				time.Sleep(50 * time.Millisecond)
				if now := memory(); now > peak+peak/100 {
					peak, steady = now, 0
				} else {
					steady++
				}
			}
			runtime.GC()
			b.ReportMetric(float64(peak-before)/n/1024, "peak-KiB/ask")
			b.ReportMetric(float64(memory()-before)/n/1024, "held-KiB/ask")
			cancel()
			wg.Wait()
		}
	}
	b.Run("bare", func(b *testing.B) {
		hold(b, func() func(context.Context, string) {
			var once sync.Once
			var c *openai.Client
			var tools []openai.Tool
			return func(ctx context.Context, url string) {
				once.Do(func() { c, tools = bare(b, url) })
				_, _ = c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{Model: "m", Tools: tools,
					Messages: []openai.ChatCompletionMessage{{Role: "system", Content: benchSystem}, {Role: "user", Content: benchQuestion}}})
			}
		}())
	})
	b.Run("ours", func(b *testing.B) {
		hold(b, func() func(context.Context, string) {
			var once sync.Once
			var c *Client
			return func(ctx context.Context, url string) {
				once.Do(func() { c = ours(b, Options{BaseURL: url}) })
				_, _ = c.Ask(ctx, Prompt{System: benchSystem, Messages: []Message{{Role: "user", Text: benchQuestion}}, Tools: benchTools})
			}
		}())
	})
}

// memory is what heap and stacks take from the system.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

// BenchmarkGather reads one event after the other, without the network.
func BenchmarkGather(b *testing.B) {
	for name, call := range map[string]bool{"text": false, "call": true} {
		b.Run(name, func(b *testing.B) {
			var lines [][]byte
			for _, e := range answerOf(call).events {
				if data, ok := bytes.CutPrefix(bytes.TrimSpace(e), []byte("data: ")); ok && data[0] == '{' {
					lines = append(lines, data)
				}
			}
			b.ReportAllocs()
			for i := 0; i < b.N; {
				g := &gather{}
				for _, l := range lines {
					if _, _, err := g.add(l); err != nil {
						b.Fatal(err)
					}
					i++
				}
			}
		})
	}
}

// BenchmarkRequest makes the request of a task's second round, without the network.
func BenchmarkRequest(b *testing.B) {
	c := ours(b, Options{BaseURL: "http://127.0.0.1:1/v1"})
	p := Prompt{System: benchSystem, Tools: benchTools, Messages: []Message{{Role: "user", Text: benchQuestion},
		{Role: "assistant", Actions: []Called{{ID: "a", ToolName: "search_order_code"}}}, {Role: "tool", CallID: "a", Text: benchObserved}}}
	b.ReportAllocs()
	for b.Loop() {
		t := functionCall(p)
		r := c.request(b.Context(), "m", &t)
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			b.Fatal(err)
		}
		httptrace.ContextClientTrace(r.Context()).WroteRequest(httptrace.WroteRequestInfo{})
	}
}
