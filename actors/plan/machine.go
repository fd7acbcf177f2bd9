package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/filing"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// ofMachine is the path of a file or folder of somebody's machine: one of home, of a drive, of a share, beside the working folder, or from the root; of the
// last kind only below a folder that machines have there, or with the ending of a file, since /v1/tasks and 元/kg are none.
var ofMachine = words.MustCompile(`(?:^|[\s\p{Han}，、：；:;,(（“"'「『])((?:~[/\\]|[A-Za-z]:[/\\]|\\\\[\w.-]+\\|file:///?|\.{1,2}[/\\]|` +
	`/(?:etc|home|root|tmp|var|usr|opt|mnt|media|srv|proc|dev|boot|bin|lib|private|Users|Volumes|Applications|Library)(?:/|$|[\s，。；、]))[^\s，。；、？！（）“”「」『』"'<>|*?` + "`" + `]*|` +
	`/(?:[\w.@+\p{Han}-]+/)*[\w.@+\p{Han}-]+\.[A-Za-z]\w{0,5})`)

// ofMachineNamed is the first path of the machine that a request names as what is to be looked into; "" when it names none, when a connected server or folders
// that are searched may have it, and when the session has a file of that name.
func (x *Index) ofMachineNamed(g *goal, in Input) string {
	if x.behind != nil {
		x = x.behind.index
	}
	if in.Job || x.fileTool(filing.Read) == nil || x.ofDisk() || x.byName["search_documents"] != nil {
		return ""
	}
	text := g.text
	if len(g.acts) > 0 { // what is put into a file is no path, whatever it looks like
		names := make([]string, len(g.acts))
		for i, a := range g.acts {
			names[i] = a.Name
		}
		text = strings.Join(names, "\n")
	} else if facts.SourceText.MatchString(text) {
		return ""
	}
	m := ofMachine.FindStringSubmatchIndex(text)
	if m == nil || len(g.acts) == 0 && toKeep.MatchString(text[:m[2]]) {
		return ""
	}
	path := strings.TrimRight(text[m[2]:m[3]], ".,:;，。 \t\n")
	if base := path[strings.LastIndexAny(path, `/\`)+1:]; base != "" && slices.Contains(in.Files, base) {
		return ""
	}
	return path
}

// notOfMachine says that the files of the machine are not seen, and how one is brought; "" when the request names none. Nothing of the request is done: what
// is wanted beside may be about that file ([Index.besideMachine] takes what is not).
func (x *Index) notOfMachine(g *goal, in Input) string {
	path := x.ofMachineNamed(g, in)
	if path == "" {
		return ""
	}
	return notOpened(g.lang, path, words.Say(g.lang, "，所以什么也没有做", ", so nothing was done"))
}

// besideMachine are the wishes of a request beside one for a file of the machine, and what is said of that one; "" where there are none, or one of them may be about that
// file, changes something, or is no matter of the house.
func (x *Index) besideMachine(in Input) (rest, no string) {
	if !ofMachine.MatchString(in.Request) || len(in.Steering) > 0 {
		return "", ""
	}
	g := x.understand(in)
	path := x.ofMachineNamed(&g, in)
	if path == "" || len(g.clauses) < 2 {
		return "", ""
	}
	var kept []string
	opened := false // with nothing said of what is wanted of it: what follows may be
	for _, c := range g.clauses {
		said := strings.Trim(thenBefore.ReplaceAllString(c.Text, ""), " ，,。.；;")
		switch {
		case strings.Contains(g.text[c.Start:min(c.End, len(g.text))], path):
			opened = opened || !ofTrade.MatchString(strings.ReplaceAll(said, path, " "))
		case len(c.Change) > 0 || !ofTrade.MatchString(said) || ofThatFile.MatchString(said), opened && !ofHouse.MatchString(said) && !slices.ContainsFunc(facts.Within(g.facts, c.Start, c.End), func(f facts.Fact) bool { return named[f.Kind] }):
			return "", ""
		default:
			kept = append(kept, said)
		}
	}
	if len(kept) == 0 || len(kept) == len(g.clauses) {
		return "", ""
	}
	return strings.Join(kept, words.Say(g.lang, "，", ", and ")), notOpened(g.lang, path, "")
}

var (
	// thenBefore begins a wish that comes after another one.
	thenBefore = words.MustCompile(`(?i)^[\s，,。；;]*(?:然后|接着|再|并且?|同时|顺便|另外|还有|(?:and |then |also )+)+`)
	// ofThatFile: what was found in the file, or the file, is meant.
	ofThatFile = words.MustCompile(`(?i)它|其中|里面|这[些个份张]|那[些个份张]|上面|对比|比较|结果|文件|表格?|\b(?:it|its|them|they|this|these|that|those|there|file|table|sheet|result|compar\w+)\b`)
)

// notOpened says that a file of the machine is not seen, what follows from that, and how one is brought.
func notOpened(lang, path, so string) string {
	return words.Say(lang, "没有打开 %[1]s：我看不到机器上的文件和文件夹，只看得到带进本会话的文件%[2]s。两个办法：\n\n"+
		"- 把文件带进来再问：在页面上点输入框旁的回形针，或拖放进来；命令行用 `hmap ask --file 路径 '…'`。\n"+
		"- 让文件夹一直可用：在配置的 `mcp.servers` 里接入一个管文件的 MCP 服务器，之后说出路径即可。",
		"%[1]s was not opened: files and folders of the machine are not seen here, only files that were brought into this session%[2]s. There are two ways:\n\n"+
			"- Bring the file and ask again: with the paper clip beside the box on the page, by dropping it there, or with `hmap ask --file PATH '…'`.\n"+
			"- Keep a folder at hand: connect an MCP server of files under `mcp.servers` in the configuration; then naming the path is enough.", path, so)
}
