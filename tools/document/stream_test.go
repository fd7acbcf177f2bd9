package document

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/hmap-project/hmap/tools"
)

// The sections of a long document are told while it is written: those of a draft with the draft.
func TestSectionsAreTold(t *testing.T) {
	t.Parallel()
	b := bustest.New(t)
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	host := tools.NewHost(b, engine, tools.Options{Log: slog.New(slog.DiscardHandler)})
	defer host.Stop()
	if err := host.Add(Tool(b, nil)); err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	r := bus.Request{Session: "s", Task: "t", Call: "t-1-0", Caller: "tester", ToolName: reportTool,
		Parameter: json.RawMessage(`{"draft":true,"sections":[{"heading":"第一章","text":"内容一"},{"heading":"第二章","text":"内容二"}]}`)}
	answer, err := b.Call(t.Context(), r, func(p bus.Response) { told.WriteString(p.Text) })
	if err != nil || answer.Status != bus.OK || told.String() != "## 第一章\n\n内容一\n\n## 第二章\n\n内容二\n\n" {
		t.Errorf("%q, %+v, %v", told.String(), answer, err)
	}
}
