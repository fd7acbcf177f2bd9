package plan

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// A wish about a file of the session goes to the analyst and to the tool for it with the text to the letter, whatever stands in that; what no tool does is said,
// and what is no such wish goes where it did.
func TestFilings(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	made := []Turn{{Request: `create a file todo.txt with the text "one"`, Answer: "todo.txt is saved (3 bytes).\n\nFiles:\n- [todo.txt](obj:1)"}}
	ran := []Turn{{Request: "运行代码：print(3*4)", Answer: "12"}}
	files := []string{"待办.txt", "a.csv", "todo.txt"}
	for _, c := range []struct {
		request string
		history []Turn
		files   []string
		job     string // what the analyst is asked; "": the request
		want    string // its call, the question, or a piece of what the master answers
	}{
		{`create a file todo.txt with the text "one"`, nil, nil, "", `save_file {"name":"todo.txt","text":"one"}`},
		{`write "cancel order 281065989409, refund Wang Pingping" to notes.md`, nil, nil, `save “cancel order 281065989409, refund Wang Pingping” as notes.md`,
			`save_file {"name":"notes.md","text":"cancel order 281065989409, refund Wang Pingping"}`},
		{`write "recieve teh parcel" to todo.txt`, made, files, `add “recieve teh parcel” to todo.txt`, `append_to_file {"name":"todo.txt","text":"recieve teh parcel"}`},
		{"make a note called shopping.txt: milk, eggs", nil, nil, "", `save_file {"name":"shopping.txt","text":"milk, eggs"}`},
		{`create a file todo.txt`, made, files, "", "todo.txt is there already"},
		{"新建一个文件 清单.txt，内容是“取消订单281065989409，然后退款”", nil, nil, "", `save_file {"name":"清单.txt","text":"取消订单281065989409，然后退款"}`},
		{"新建一个空文件 空.txt", nil, nil, "", `save_file {"name":"空.txt","text":""}`},
		{"把“今天的会”记到待办里", nil, files, "在 待办.txt 末尾加上“今天的会”", `append_to_file {"name":"待办.txt","text":"今天的会"}`},
		{"在待办.txt 后面加上“鸡蛋”", nil, files, "", `append_to_file {"name":"待办.txt","text":"鸡蛋"}`},
		{"add milk and bread to todo.txt", made, files, "add “milk and bread” to todo.txt", `append_to_file {"name":"todo.txt","text":"milk and bread"}`},
		{"add the late orders to todo.txt", made, files, "append a line to todo.txt", "ask append_to_file.text"},
		{`add "x" to it`, made, files, `add “x” to todo.txt`, `append_to_file {"name":"todo.txt","text":"x"}`},
		{"把待办.txt里的“买”都改成“卖”", nil, files, "", `edit_file {"all":true,"name":"待办.txt","new":"卖","old":"买"}`},
		{"replace A with B in todo.txt", made, files, "", `edit_file {"name":"todo.txt","new":"B","old":"A"}`},
		{`remove "one" from todo.txt`, made, files, "", `edit_file {"name":"todo.txt","new":"","old":"one"}`},
		{"show todo.txt", made, files, "", `read_file {"name":"todo.txt"}`},
		{"read it", made, files, "read todo.txt", `read_file {"name":"todo.txt"}`},
		{"第二行是什么", made, files, "todo.txt第二行是什么", `read_file {"from":2,"lines":1,"name":"todo.txt"}`},
		{"看看待办", nil, files, "看看待办.txt", `read_file {"name":"待办.txt"}`},
		{`create b.txt with the text "x" and then add "y" to it`, nil, nil, "create b.txt with the text \"x\", then add “y” to b.txt", `save_file {"name":"b.txt","text":"x"}`},
		{"write $HOME into notes.txt", nil, nil, "save “$HOME” as notes.txt", `save_file {"name":"notes.txt","text":"$$HOME"}`}, // no reference
		{"把「$$」写进 notes.txt", nil, nil, "把“$$”存成 notes.txt", `save_file {"name":"notes.txt","text":"$$$"}`},
		{"clear todo.txt", made, files, "", `save_file {"name":"todo.txt","text":""}`},
		{"清空草稿.txt", made, files, "", "本会话里没有文件 草稿.txt"},
		{"download todo.txt", made, files, "", "hmap files get todo.txt"},
		{"translate todo.txt into Chinese", made, files, "", "That is not done to todo.txt"},
		{"把todo.txt翻译成中文", made, files, "", "没有对 todo.txt 这样做"},
		{"how many lines does todo.txt have?", made, files, "", `count_in_file {"name":"todo.txt"}`},
		{"count the words in todo.txt", made, files, "", `count_in_file {"name":"todo.txt"}`},
		{"统计字数", made, files, "todo.txt统计字数", `count_in_file {"name":"todo.txt"}`},
		{"does todo.txt mention milk?", made, files, "", `count_in_file {"name":"todo.txt","text":"milk"}`},
		{"summarize it", made, files, "", "todo.txt is not summarized"},
		{"总结一下", made, files, "", "没有总结 todo.txt"},
		{"把todo.txt的内容改成“你好”", made, files, "", `save_file {"name":"todo.txt","text":"你好"}`},
		{"把草稿.txt的内容改成“你好”", made, files, "", "本会话里没有文件 草稿.txt"},
		{"帮我记一下：明天下午三点开会", nil, nil, "把“明天下午三点开会”存成 笔记.txt", `save_file {"name":"笔记.txt","text":"明天下午三点开会"}`},
		{"note this down: cancel order 281065989409", made, []string{"notes.txt"}, "add “cancel order 281065989409” to notes.txt", `append_to_file {"name":"notes.txt","text":"cancel order 281065989409"}`},
		{"待办.txt里一共有多少行", made, files, "", `count_in_file {"name":"待办.txt"}`},
		{"把待办.txt发给王萍萍", made, files, "", "没有对 待办.txt 这样做"},
		{"看看待办.txt和todo.txt", made, files, "看看 待办.txt，然后看看 todo.txt", `read_file {"name":"待办.txt"}`},
		{"把周五改成周四，在待办.txt里", made, files, "", `edit_file {"name":"待办.txt","new":"周四","old":"周五"}`},
		{"save the output to pi.txt", ran, files, "save “12” as pi.txt", `save_file {"name":"pi.txt","text":"12"}`},
		{"把代码保存成 a.py", ran, files, "把“print(3*4)”存成 a.py", `save_file {"name":"a.py","text":"print(3*4)"}`},
		{"run b.py", ran, append(files, "b.py"), "", `code_interpreter {"code":"import runpy\n_ = runpy.run_path(\"b.py\", run_name=\"__main__\")","language":"python"}`},
		{"运行b.js", nil, append(files, "b.js"), "", `code_interpreter {"code":"(0, eval)(readFile(\"b.js\"))","language":"javascript"}`},
		{"run it again", ran, files, "运行代码： `print(3*4)`", `code_interpreter {"code":"print(3*4)"}`},
		{"运行 c.py", ran, files, "", "本会话里没有文件 c.py"},
		{"run c.py", nil, nil, "", "has no file c.py"},
		{"再跑一次", append(ran, Turn{Request: "run it again", Answer: "12"}), files, "运行代码： `print(3*4)`", `code_interpreter {"code":"print(3*4)"}`},
		{"delete the second line", made, files, "", "by its words and not by its place"},
		{"delete todo.txt", made, files, "", "todo.txt is not deleted"},
		{"delete that file", made, files, "", "todo.txt is not deleted"},
		{"删除草稿.txt", nil, files, "", "本会话里没有文件 草稿.txt"},
		{"把待办.txt改名为清单.txt", nil, files, "", "待办.txt 没有改名"},
		{"在待办.txt开头加上“零”", nil, files, "", "文本只能加在末尾"},
		{"change the first line of todo.txt to “x”", made, files, "", "by its words and not by its place"},
	} {
		in := Input{Request: c.request, History: c.history, Files: c.files, Now: now}
		out := index["master"].Think(in)
		if out.Answer != "" {
			if !strings.Contains(out.Answer, c.want) {
				t.Errorf("%s: answers %q, want %q", c.request, out.Answer, c.want)
			}
			continue
		}
		job := c.job
		if job == "" {
			job = c.request
		}
		if len(out.Actions) != 1 || out.Actions[0].ToolName != "analyst" || out.Actions[0].JobDesc != job {
			t.Errorf("%s: %s, want it handed on as %q", c.request, told(out), job)
			continue
		}
		out = index["analyst"].Think(Input{Request: job, Job: true, Now: now})
		got := ""
		switch {
		case out.Ask != nil:
			got = "ask " + out.Ask.ToolName + "." + out.Ask.Parameter
		case len(out.Actions) > 0:
			got = out.Actions[0].ToolName + " " + string(out.Actions[0].Parameter)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.request, got, c.want)
		}
	}
	for request, want := range map[string]string{ // and the rest of the house as before
		"把王萍萍的订单存成 orders.md":                      "orders",
		"有哪些文件":                                    "analyst",
		"每个地区的销售额是多少 (a.csv)":                      "data",
		"how many rows and items does a.csv have":  "data",
		"a.csv一共有多少行":                              "data",
		"打开员工.csv":                                 "data",
		"分析员工.csv":                                 "data",
		"统计员工.csv里每个部门的人数":                         "data",
		"总结一下（员工.csv）":                             "data",
		"what is in a.csv":                         "data",
		"员工.csv里每个部门的人数":                           "data",
		"cancel it":                                "",
		"新建一个活动，内容是“满100减10”":                      "",
		"How many orders did Wang Pingping place?": "orders",
	} {
		out := index["master"].Think(Input{Request: request, Files: append(files, "员工.csv"), Now: now})
		if len(out.Actions) == 0 && want != "" || len(out.Actions) > 0 && (out.Actions[0].ToolName != want && want != "" || want == "" && out.Actions[0].ToolName == "analyst") {
			t.Errorf("%s: %s, want %s", request, told(out), want)
		}
	}
}

// Where nobody has files by their paths, a path of somebody's machine is told to be out of sight, with the ways to bring the file, and nothing is done; what only
// looks like one goes where it did.
func TestPathsOfTheMachine(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	for request, path := range map[string]string{
		"read /etc/hosts": "/etc/hosts", "what is in /etc/passwd?": "/etc/passwd", "list the files in /tmp/x": "/tmp/x", "列出 /tmp 里的文件": "/tmp",
		`open C:\Users\me\a.xlsx`: `C:\Users\me\a.xlsx`, "把 ~/文档/表.xlsx 打开": "~/文档/表.xlsx", "总结/home/me/report.pdf": "/home/me/report.pdf",
		`分析 D:\数据\销售.csv 里哪个地区卖得最好`: `D:\数据\销售.csv`, "看看 ./data/orders.csv 有几行": "./data/orders.csv", `read \\nas\share\notes.txt`: `\\nas\share\notes.txt`,
		"which region in /data/sales.csv sold most?": "/data/sales.csv", "show file:///home/me/a.txt": "file:///home/me/a.txt", "read /home/me/notes.txt": "/home/me/notes.txt",
		"查王萍萍的订单，然后读 /etc/hosts": "/etc/hosts", "open /home/me/a.csv and cancel order 281063663568": "/home/me/a.csv", "look at /home/me/sales.csv and tell me last month's revenue": "/home/me/sales.csv", `读一下 D:\报表.xlsx，然后和本月的销售额比较`: `D:\报表.xlsx`,
	} {
		out := index["master"].Think(Input{Request: request, Now: now})
		if want := words.Say(Language(request), "看不到机器上的文件", "files and folders of the machine are not seen"); !strings.Contains(out.Answer, path) || !strings.Contains(out.Answer, want) || len(out.Actions) > 0 {
			t.Errorf("%s: %s", request, told(out))
		}
	}
	for _, request := range []string{
		"运费是 5 元/kg 吗", "fetch https://example.com/home/a.html", "``运行这段代码：`print(open('/etc/hosts').read())` ``", "上/下半年的销售额", "订单 281065989409 的物流/状态",
		"read todo.txt", `create a file todo.txt with the text "see /etc/hosts"`, "and/or 退货政策", "把 ~/文档/todo.txt 打开",
	} {
		if out := index["master"].Think(Input{Request: request, Now: now, Files: []string{"todo.txt"}}); strings.Contains(out.Answer, "mcp.servers") {
			t.Errorf("%s: %s", request, told(out))
		}
	}
}

// Beside a server of files, a file that the session has is the session's, and a path, or a name that it does not have, the server's; which files there are is
// asked of the session, and the answer says that the server has folders, too.
func TestFilingsBesideServer(t *testing.T) {
	t.Parallel()
	all, agents := cardsOfHouse(t)
	server := filesOfServer()
	agents = append([]bus.Card{{Name: "toolbox", Kind: "agent", Description: "外部工具。 External tools.", Tags: []string{"external tools"}}}, agents...)
	x := NewIndex(agents, Options{Tools: append(all, server...)})
	for request, want := range map[string]string{
		"read notes.md": "analyst", "看看notes.md": "analyst", "what is in notes.md?": "analyst", "read it": "analyst", "read other.md": "toolbox", "read /tmp/x/notes.md": "toolbox",
		"list the files in /tmp/x": "toolbox", "what files are there?": "analyst", "有哪些文件": "analyst", `create a file other.md with the text "x"`: "analyst",
	} {
		in := Input{Request: request, Files: []string{"notes.md"}, Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC), History: []Turn{{Request: "show notes.md", Answer: "mine"}}}
		out := x.Think(in)
		if len(out.Actions) != 1 || out.Actions[0].ToolName != want {
			t.Errorf("%s: %s, want %s", request, told(out), want)
			continue
		}
		if !OfFiles(request) {
			continue
		}
		in.Done = []Done{{Action: out.Actions[0], Call: "c", Status: bus.OK, Observation: json.RawMessage(`"notes.md"`)}}
		if out := x.Think(in); !strings.Contains(out.Answer, "notes.md") || !strings.Contains(out.Answer, "files") {
			t.Errorf("%s: %s", request, out.Answer)
		}
	}
	if out := x.Think(Input{Request: "don't cancel order 281065989409"}); out.Ask != nil || len(out.Actions) == 1 && out.Actions[0].ToolName == "toolbox" {
		t.Errorf("a refusal is no wish for a file: %s", told(out))
	}
}

// filesOfServer are cards as an MCP server of files has them.
func filesOfServer() []bus.Card {
	card := func(name, description, properties string, required ...string) bus.Card {
		c := bus.Card{Name: "files__" + name, Kind: "tool", Description: description, Effect: bus.Read, Tags: []string{"toolbox", "mcp:files"}}
		if name == "write_file" || name == "edit_file" || name == "move_file" {
			c.Effect, c.Approval = bus.Unsafe, "ask"
		}
		names, _ := json.Marshal(required)
		c.Parameters = json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":` + string(names) + `}`)
		return c
	}
	const path, some = `"path":{"type":"string"}`, `,"tail":{"type":"number","description":"If provided, returns only the last N lines of the file"},"head":{"type":"number","description":"If provided, returns only the first N lines of the file"}`
	return []bus.Card{
		card("get_file_info", "Get File Info: Retrieve detailed metadata about a file or directory.", path, "path"),
		card("directory_tree", "Directory Tree: Get a recursive tree view of files and directories.", path, "path"),
		card("list_directory", "List Directory: Get a detailed listing of all files and directories in a specified path.", path, "path"),
		card("read_file", "Read File (Deprecated): Read the complete contents of a file as text. DEPRECATED: Use read_text_file instead.", path+some, "path"),
		card("read_media_file", "Read Media File: Read a file and return it as a base64-encoded content block.", path, "path"),
		card("read_multiple_files", "Read Multiple Files: Read the contents of multiple files.", `"paths":{"type":"array","items":{"type":"string"}}`, "paths"),
		card("read_text_file", "Read Text File: Read the complete contents of a file from the file system as text.", path+some, "path"),
		card("search_files", "Search Files: Recursively search for files and directories matching a pattern.", path+`,"pattern":{"type":"string"}`, "path", "pattern"),
		card("write_file", "Write File: Create a new file or completely overwrite an existing file with new content.", path+`,"content":{"type":"string"}`, "path", "content"),
		card("edit_file", "Edit File: Make line-based edits to a text file.", path+`,"edits":{"type":"array","items":{"type":"object","properties":{"oldText":{"type":"string"},"newText":{"type":"string"}},"required":["oldText","newText"]}},"dryRun":{"type":"boolean","default":false}`, "path", "edits"),
		card("move_file", "Move File: Move or rename files and directories.", `"source":{"type":"string"},"destination":{"type":"string"}`, "source", "destination"),
	}
}

// However many tools connected servers bring, those of the house are looked at for every request: one is found by a file that came with the request, or by an order number, alone.
func TestHouseBesideManyTools(t *testing.T) {
	t.Parallel()
	all, agents := cardsOfHouse(t)
	agents = append(agents, bus.Card{Name: "toolbox", Kind: "agent", Description: "外部工具。 External tools.", Tags: []string{"external tools"}})
	for _, server := range []string{"files", "disk", "home", "share"} {
		for _, c := range filesOfServer() {
			c.Name = strings.Replace(c.Name, "files__", server+"__", 1)
			c.Tags = []string{"toolbox", bus.ServerTag(server)}
			all = append(all, c)
		}
	}
	master := NewIndex(agents, Options{Tools: all})
	for request, want := range map[string]string{
		"how many patients are there? (patients.csv)": "data",
		"median age (patients.csv)":                   "data",
		"取消的有几个（flights.csv）":                         "data",
		"温度和故障次数有关系吗（machines.json）":                  "data",
		"281065989409":                                "orders",
		"list the files in /tmp/x":                    "toolbox",
		"read /tmp/x/notes.txt":                       "toolbox",
		"which department costs most? (patients.csv)": "data",
		"How many orders did Wang Pingping place?":    "orders",
	} {
		in := Input{Request: request, Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}
		for _, f := range []string{"patients.csv", "flights.csv", "machines.json"} {
			if strings.Contains(request, f) {
				in.Files = []string{f}
			}
		}
		if out := master.Think(in); len(out.Actions) != 1 || out.Actions[0].ToolName != want {
			t.Errorf("%s: %s, want %s", request, told(out), want)
		}
	}
}

// A wish about a file of a server is bound to that server's tools by what they take, with the text to the letter; what they do not do is said, and a name of a
// file is no address of the web.
func TestFilesOfServer(t *testing.T) {
	t.Parallel()
	all, agents := cardsOfHouse(t)
	server := filesOfServer()
	agents = append(agents, bus.Card{Name: "toolbox", Kind: "agent", Description: "外部工具。 External tools.", Tags: []string{"external tools"}})
	master, toolbox := NewIndex(agents, Options{Tools: append(all, server...)}), NewIndex(server, Options{})
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	read := []Turn{{Request: "read notes.txt", Answer: "one\ntwo"}}
	for _, c := range []struct {
		request string
		history []Turn
		want    string // the call of the toolbox, or a piece of what the master answers
	}{
		{"what is in notes.txt", nil, `files__read_text_file {"path":"notes.txt"}`},
		{"notes.txt里写了什么", nil, `files__read_text_file {"path":"notes.txt"}`},
		{"打开员工.csv", nil, `files__read_text_file {"path":"员工.csv"}`},
		{"what is in /tmp/x/notes.txt?", nil, `files__read_text_file {"path":"/tmp/x/notes.txt"}`},
		{"show the first 3 lines of notes.txt", nil, `files__read_text_file {"head":3,"path":"notes.txt"}`},
		{"notes.txt的最后两行", nil, "不是本会话的文件"},
		{"the second line of notes.txt", nil, "only all or the first lines are shown"},
		{"read it", read, `files__read_text_file {"path":"notes.txt"}`},
		{"它有多少字", read, "不是本会话的文件"},
		{"count the words in todo.txt", nil, "no file of this session"},
		{"add \"x\" to notes.txt", nil, "no file of this session"},
		{"把notes.txt的内容改成“你好”", nil, `files__write_file {"content":"你好","path":"notes.txt"}`},
		{`save "cancel order 281065989409" as /tmp/x/a.txt`, nil, `files__write_file {"content":"cancel order 281065989409","path":"/tmp/x/a.txt"}`},
		{`replace "A" with "B" in notes.txt`, nil, `files__edit_file {"edits":[{"newText":"B","oldText":"A"}],"path":"notes.txt"}`},
		{`replace "A" with "B" everywhere in notes.txt`, nil, "no file of this session"},
	} {
		in := Input{Request: c.request, History: c.history, Now: now}
		out := master.Think(in)
		if out.Answer != "" || len(out.Actions) != 1 || out.Actions[0].ToolName != "toolbox" {
			if out.Answer == "" || !strings.Contains(out.Answer, c.want) {
				t.Errorf("%s: %s %q, want %q", c.request, told(out), out.Answer, c.want)
			}
			continue
		}
		out = toolbox.Think(Input{Request: out.Actions[0].JobDesc, Job: true, Now: now})
		if len(out.Actions) != 1 || out.Actions[0].ToolName+" "+string(out.Actions[0].Parameter) != c.want {
			t.Errorf("%s: %s, want %s", c.request, told(out), c.want)
		}
	}
	out := master.Think(Input{Request: "items neither from Ikon nor Zen (stock.json)", Files: []string{"stock.json"}, Now: now})
	if len(out.Actions) != 1 || out.Actions[0].ToolName != "data" {
		t.Errorf("a table of the session is none of the server's: %s", told(out))
	}
	house, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range []string{"is anything about milk in notes.txt", "look up notes.txt", "打开网页 notes.txt", "what does “notes.txt” say about Bob"} {
		if out := house["researcher"].Think(Input{Request: request, Job: true, Now: now}); len(out.Actions) > 0 && out.Actions[0].ToolName == "web_fetch" {
			t.Errorf("%s: %s", request, told(out))
		}
	}
}

// A person of an earlier turn is no file of the disk.
func TestNameBesideFilesOfTheDisk(t *testing.T) {
	path := json.RawMessage(`{"type":"object","required":["path","content"],"properties":{"path":{"type":"string"},"content":{"type":"string"}}}`)
	cards := append(houseCards(t), bus.Card{Name: "files__write_file", Kind: "tool", Description: "Create a new file or overwrite one.", Parameters: path, Effect: bus.Unsafe, Approval: "ask"})
	x := NewIndex(cards, Options{})
	in := ask("她最近的订单有哪些")
	in.History = []Turn{{Request: "王萍萍是谁", Answer: "王萍萍有 18 个订单。"}}
	if o := x.Think(in); len(o.Actions) != 1 || !strings.Contains(string(o.Actions[0].Parameter), "王萍萍") {
		t.Errorf("%v %s", o.Actions, o.Answer)
	}
}
