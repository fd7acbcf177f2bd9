package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// Questions about the files of a connected server are its tools', in a person's words, and what none of them tells is said.
func TestFilesOfAServer(t *testing.T) {
	path := json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)
	search := json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"pattern":{"type":"string"}},"required":["path","pattern"]}`)
	cards := []bus.Card{
		{Name: "files__read_text_file", Kind: "tool", Effect: bus.Read, Description: "Read Text File: Read the complete contents of a file from the file system as text.", Parameters: path},
		{Name: "files__get_file_info", Kind: "tool", Effect: bus.Read, Description: "获取文件信息。 Get File Info: Retrieve detailed metadata about a file or directory: size, creation time, last modified time, permissions.", Parameters: path},
		{Name: "files__list_directory", Kind: "tool", Effect: bus.Read, Description: "List Directory: Get a detailed listing of all files and directories in a specified path.", Parameters: path},
		{Name: "files__search_files", Kind: "tool", Effect: bus.Read, Description: "Search Files: Recursively search for files and directories matching a pattern.", Parameters: search},
	}
	x := NewIndex(cards, Options{})
	for request, want := range map[string]string{
		"how big is /tmp/x/hello.txt?":             "files__get_file_info",
		"when was /tmp/x/hello.txt last modified?": "files__get_file_info",
		"size of /tmp/x/hello.txt":                 "files__get_file_info",
		"/tmp/x/hello.txt 有多大":                     "files__get_file_info",
		"/tmp/x/hello.txt 是什么时候修改的？":               "files__get_file_info",
		"把 /tmp/x/hello.txt 的内容读给我":                "files__read_text_file",
		"把 /tmp/x/hello.txt 念给我听":                  "files__read_text_file",
	} {
		out := x.Think(Input{Request: request, Job: true})
		if len(out.Actions) != 1 || out.Actions[0].ToolName != want || !strings.Contains(string(out.Actions[0].Parameter), `"/tmp/x/hello.txt"`) {
			t.Errorf("%s: %v %s", request, out.Actions, out.Answer)
		}
	}
	for request, want := range map[string]string{"which files in /tmp/x contain the word milk?": "by their names only", "/tmp/x 里哪些文件含有 milk": "只按文件名"} {
		if out := x.Think(ask(request)); len(out.Actions) > 0 || !strings.Contains(out.Answer, want) {
			t.Errorf("%s: %v %s", request, out.Actions, out.Answer)
		}
	}
	grep := append(cards, bus.Card{Name: "files__grep", Kind: "tool", Effect: bus.Read, Description: "Search the contents of files.", Parameters: search})
	if out := NewIndex(grep, Options{}).Think(ask("which files in /tmp/x contain the word milk?")); strings.Contains(out.Answer, "by their names only") {
		t.Error(out.Answer)
	}
}
