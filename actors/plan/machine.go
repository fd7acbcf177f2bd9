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

// notOfMachine says that the files of the machine are not seen, and how one is brought; "" when the request names none. Nothing of the request is done, for what
// is wanted beside may be about that file.
func (x *Index) notOfMachine(g *goal, in Input) string {
	path := x.ofMachineNamed(g, in)
	if path == "" {
		return ""
	}
	return words.Say(g.lang, "没有打开 %[1]s：我看不到机器上的文件和文件夹，只看得到带进本会话的文件，所以什么也没有做。两个办法：\n\n"+
		"- 把文件带进来再问：在页面上点输入框旁的回形针，或拖放进来；命令行用 `hmap ask --file 路径 '…'`。\n"+
		"- 让文件夹一直可用：在配置的 `mcp.servers` 里接入一个管文件的 MCP 服务器，之后说出路径即可。",
		"%[1]s was not opened: files and folders of the machine are not seen here, only files that were brought into this session, so nothing was done. There are two ways:\n\n"+
			"- Bring the file and ask again: with the paper clip beside the box on the page, by dropping it there, or with `hmap ask --file PATH '…'`.\n"+
			"- Keep a folder at hand: connect an MCP server of files under `mcp.servers` in the configuration; then naming the path is enough.", path)
}
