package plan

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/filing"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Files that a connected server has, such as an MCP server of files, are named by a path, or by a name that the session does not have. Its tools are known by
// what they take and by the words of their names, for each server calls them as it likes.

// ofPathAlone reports whether a clause names the path of a file and no other thing: delete /tmp/x. A card that knows nothing of files is not what it wants, though
// it deletes something.
func ofPathAlone(g *goal, c wishes.Clause) bool {
	rest, paths := g.text[c.Start:min(c.End, len(g.text))], 0
	for _, f := range facts.Within(g.facts, c.Start, c.End) {
		if f.Kind == facts.Path && f.From == "" {
			rest, paths = strings.ReplaceAll(rest, f.Text, " "), paths+1
		}
	}
	if paths == 0 {
		return false
	}
	return !slices.ContainsFunc(words.Content(aFile.ReplaceAllString(rest, " ")), func(w string) bool {
		return !words.StopEnglish[w] && !words.LightEnglish[w] && !words.LatinVerbs[w] && !wishes.IsVerb(w) && !wishes.WishVerbs[words.Stem(w)] && !wishes.Changing[words.Stem(w)] && len(wishes.ChangeVerbs(w)) == 0
	})
}

// aFile only says what a path is of.
var aFile = words.MustCompile(`(?i)文件夹?|目录|路径|\b(?:files?|folders?|director(?:y|ies)|paths?)\b|把|将|请|帮我|读取?|打开|查看|看看?|\b(?:read|open|show|view|print|look|see)\b`)

// handlesFiles reports whether a card speaks of files, of itself or of what it takes.
func handlesFiles(e *cards.Entry) bool {
	return ofAnyFile.MatchString(cards.Wording(e.Card)) || slices.ContainsFunc(e.Params, func(p fields.Field) bool {
		return ofAnyFile.MatchString(strings.ReplaceAll(p.Name, "_", " ") + " " + p.Head())
	})
}

// ofAnyFile is in the words of cards that have to do with files, and with what may lie in one.
var ofAnyFile = words.MustCompile(`(?i)文件|目录|路径|文档|附件|图片|脚本|代码|命令|网址|\b(?:files?|filenames?|filesystem|folders?|director(?:y|ies)|paths?|documents?|attachments?|images?|videos?|audio|scripts?|code|commands?|shell|urls?|uris?|repositor(?:y|ies)|sources?|targets?|destinations?)\b`)

// takesPath reports whether a tool of another house takes the path of a file, as those of an MCP server of files do.
func takesPath(e *cards.Entry) bool { return !e.IsAgent() && pathParam(e) != nil }

// pathParam is the required parameter of a tool that takes the path of a file; nil when it has none.
func pathParam(e *cards.Entry) *fields.Field {
	for i, f := range e.Params {
		if f.Required && (strings.Contains(strings.ToLower(f.Name), "path") || f.Name == "source") {
			return &e.Params[i]
		}
	}
	return nil
}

// ofDisk reports whether somebody on offer works on files by their paths.
func (x *Index) ofDisk() bool { return slices.ContainsFunc(x.entries, takesPath) }

// The words by which a server's tools are known, in their names, and those of tools that are like them and are not meant.
var (
	serverTools = map[filing.Do]*words.Pattern{
		filing.Read:   words.MustCompile(`(?i)read|\bget\b.*content|\bcat\b|\bview\b|\bopen\b`),
		filing.Make:   words.MustCompile(`(?i)write|save|create|overwrite|put`),
		filing.Add:    words.MustCompile(`(?i)append`),
		filing.Change: words.MustCompile(`(?i)edit|replace|change|modify`),
	}
	otherTools = words.MustCompile(`(?i)media|image|audio|multiple|binary|dir|folder|tree|info|metadata`)
	textParam  = words.MustCompile(`(?i)^(?:file_?)?(?:content|contents|text|data|body)$`)
	oldParam   = words.MustCompile(`(?i)^(?:old|search|find|from|before)`)
	newParam   = words.MustCompile(`(?i)^(?:new|replace|to|after)`)
	headParam  = words.MustCompile(`(?i)^(?:head|first_?(?:n|lines)?)$`)
	deprecated = words.MustCompile(`(?i)deprecated`)
)

// serverTool is a server's tool for a wish about one of its files, with the arguments that are not its path; nil when there is none.
func (x *Index) serverTool(a *filing.Act) (tool *cards.Entry, given map[string]any) {
	like := serverTools[a.Do]
	if like == nil {
		return nil, nil
	}
	for _, e := range x.entries {
		_, name, ok := strings.Cut(e.Name, "__")
		name = strings.ReplaceAll(name, "_", " ")
		if !ok || e.IsAgent() || !like.MatchString(name) || otherTools.MatchString(name) || (a.Do == filing.Read) != e.Reads() || tool != nil && deprecated.MatchString(e.Description) {
			continue
		}
		args, ok := wantedOf(e, a)
		if ok && (tool == nil || deprecated.MatchString(tool.Description) && !deprecated.MatchString(e.Description)) {
			tool, given = e, args
		}
	}
	return tool, given
}

// wantedOf binds all that a tool must have for a wish but the path; false when it wants anything else, or cannot take what is wanted.
func wantedOf(e *cards.Entry, a *filing.Act) (map[string]any, bool) {
	at := pathParam(e)
	if at == nil {
		return nil, false
	}
	out := map[string]any{}
	give := func(like *words.Pattern, in []fields.Field, v any, to map[string]any) bool {
		i := slices.IndexFunc(in, func(f fields.Field) bool { return f.Name != at.Name && like.MatchString(f.Name) })
		if i >= 0 {
			to[in[i].Name] = v
		}
		return i >= 0
	}
	ok := true
	switch a.Do {
	case filing.Read:
		switch n := json.Number(strconv.Itoa(a.Lines)); {
		case a.From == 1 && a.Lines > 0:
			ok = give(headParam, e.Params, n, out)
		default:
			ok = a.From == 0 // what a server holds for its last line, where the text ends with an end of line, is its own
		}
	case filing.Make, filing.Add:
		ok = give(textParam, e.Params, a.Text, out)
	case filing.Change:
		if ok = give(oldParam, e.Params, a.Old, out) && give(newParam, e.Params, a.New, out); ok || a.All {
			break
		}
		for _, f := range e.Params { // a list of them
			pair := map[string]any{}
			if f.Sort == fields.List && give(oldParam, f.Fields, a.Old, pair) && give(newParam, f.Fields, a.New, pair) {
				out[f.Name], ok = []any{pair}, true
			}
		}
	}
	for _, f := range e.Required() {
		if _, has := out[f.Name]; !has && f.Name != at.Name {
			return nil, false
		}
	}
	return out, ok
}

// atServer settles a wish about a file that the session does not have: whether it is one for a connected server, and whether that can be told here; what the
// server cannot do is to be answered.
func (x *Index) atServer(in Input, a *filing.Act, there bool) (elsewhere, ok bool) {
	path := strings.ContainsAny(a.Name, `/\`)
	switch new := (a.Do == filing.Make || a.Do == filing.Put) && !a.Whole; {
	case in.Job && x.fileTool(filing.Read) != nil && !path, a.Name == "", there, !x.ofDisk(), new && !path:
		return false, true // the session's, or nobody's
	}
	if a.Do == filing.Put {
		a.Do = filing.Make
	}
	if tool, _ := x.serverTool(a); tool != nil {
		return true, true
	}
	if a.Do == filing.Count || a.Do == filing.Other || a.Do == filing.Gist || a.Do == filing.Read || a.Do == filing.Add || a.Do == filing.Change {
		a.Do = filing.Other // which is said of a server whose files can be read
		tool, _ := x.serverTool(&filing.Act{Do: filing.Read})
		return true, tool != nil
	}
	return true, false
}

// ofSession reports whether a server's tool would take a file of the session for one of its own.
func ofSession(e *cards.Entry, bound map[string]fields.Binding, files []string) bool {
	if at := pathParam(e); at != nil && !e.IsAgent() && strings.Contains(e.Name, "__") {
		name, ok := bound[at.Name].Value.(string)
		return ok && slices.Contains(files, name)
	}
	return false
}
