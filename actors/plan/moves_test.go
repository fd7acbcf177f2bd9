package plan

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// The tools of a server of files, as a stranger words them: their verbs are in no list of ours, and paths are told apart by where they stand.
func TestPathsOfStrangers(t *testing.T) {
	path := func(names ...string) json.RawMessage {
		s := `{"type":"object","required":["` + names[0] + `"],"properties":{`
		for i, n := range names {
			if i > 0 {
				s += ","
			}
			s += `"` + n + `":{"type":"string"}`
		}
		return json.RawMessage(s + `}}`)
	}
	x := NewIndex([]bus.Card{
		{Name: "files__read_file", Kind: "tool", Description: "Read File: Read the contents of a file.", Parameters: path("path"), Effect: bus.Read},
		{Name: "files__read_multiple_files", Kind: "tool", Description: "Read the contents of multiple files.", Effect: bus.Read,
			Parameters: json.RawMessage(`{"type":"object","required":["paths"],"properties":{"paths":{"type":"array","items":{"type":"string"}}}}`)},
		{Name: "files__move_file", Kind: "tool", Description: "Move File: Move or rename files and directories.", Parameters: path("source", "destination"), Effect: bus.Unsafe, Approval: "ask",
			Tags: []string{"移动文件", "文件", "移动"}},
		{Name: "every__read_resource", Kind: "tool", Description: "读取 MCP 服务器 every 的一个资源。 Reads a resource of the MCP server every by its address.", Effect: bus.Read, Tags: []string{"读取资源"},
			Parameters: json.RawMessage(`{"type":"object","required":["uri"],"properties":{"uri":{"type":"string","format":"uri","title":"资源地址"}}}`)},
		{Name: "memory__read_graph", Kind: "tool", Description: "Read Graph: Read the entire knowledge graph.", Effect: bus.Read},
	}, Options{})
	for _, c := range []struct{ request, context, tool, parameter string }{
		{"move /a/x.txt to /b/y.txt", "", "files__move_file", `{"destination":"/b/y.txt","source":"/a/x.txt"}`},
		{"rename /a/x.txt to /a/y.txt", "", "files__move_file", `{"destination":"/a/y.txt","source":"/a/x.txt"}`},
		{"把 /a/x.txt 移动到 /b/y.txt", "", "files__move_file", `{"destination":"/b/y.txt","source":"/a/x.txt"}`},
		{"read multiple files /a/x.txt and /a/y.txt", "", "files__read_multiple_files", `{"paths":["/a/x.txt","/a/y.txt"]}`},
		{"读取 every 的资源 demo://resource/a/features.md", "", "every__read_resource", `{"uri":"demo://resource/a/features.md"}`},
		{"read /a/x.txt", "read /a/x.txt", "files__read_file", `{"path":"/a/x.txt"}`},
	} {
		o := x.Think(Input{Request: c.request, Context: c.context, Now: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)})
		if len(o.Actions) != 1 || o.Actions[0].ToolName != c.tool || string(o.Actions[0].Parameter) != c.parameter {
			t.Errorf("%s: %+v %v, want %s %s", c.request, o.Actions, o.Ask, c.tool, c.parameter)
		}
	}
	for _, look := range []string{"what was moved to /b/y.txt?", "show /a/x.txt"} {
		if x.Asks(look, "files__move_file") {
			t.Errorf("%s asks for a change", look)
		}
	}
}
