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

// Wishes about the text files of the session are read as a whole ([filing.ReadAll]) and bound to the tools for them: what is to stand in a file is no wish,
// names nobody, and is not mended.

// fileTools are the tags of the tools for each wish.
var fileTools = map[filing.Do]string{filing.Read: "read file", filing.Make: "save file", filing.Add: "append to file", filing.Change: "edit file", filing.Count: "count in file", filing.Run: "run code", filing.List: "list files"}

// fileTool is the tool for a wish about a file of the session; nil when none is on offer.
func (x *Index) fileTool(do filing.Do) *cards.Entry {
	tag := fileTools[do]
	i := slices.IndexFunc(x.entries, func(e *cards.Entry) bool {
		return tag != "" && slices.Contains(e.Tags, tag) && !strings.Contains(e.Name, "__")
	})
	if i < 0 {
		return nil
	}
	return x.entries[i]
}

// tableTool is the tool that is asked for the rows of a table, or for what it holds in short; nil when none is on offer.
func (x *Index) tableTool(a *filing.Act) *cards.Entry {
	if x.behind != nil {
		x = x.behind.index
	}
	i := slices.IndexFunc(x.entries, func(e *cards.Entry) bool {
		return e.OfFiles() && e.Param(words.Either(a.Do == filing.Gist, "task", "question")) != nil
	})
	if i < 0 {
		return nil
	}
	return x.entries[i]
}

// writable are the endings of texts; readAsText those that are read and not asked about their rows.
var (
	writable = words.MustCompile(`(?i)(?:^|[^.])\.(?:md|markdown|txt|text|csv|tsv|jsonl?|html?|svg|py|js|css|ya?ml|toml|ini|xml|log|sql|tex)$`)
	// asText: who says that it is a file that is read wants its text, and not its rows.
	asText     = words.MustCompile(`(?i)文件|\bfile\b`)
	readAsText = words.MustCompile(`(?i)\.(?:md|markdown|txt|text|html?|svg|py|js|css|ya?ml|toml|ini|xml|log|sql|tex)$`)
)

// filings are the wishes about files of the session that a request consists of, each with its own words, which name the file; nil when it is, or says beside
// them, anything else.
func (x *Index) filings(in Input, text string) (acts []filing.Act, said []string) {
	if x.behind != nil {
		x = x.behind.index
	}
	ours := x.fileTool(filing.Read) != nil && x.fileTool(filing.Make) != nil
	if x.options.Without.Model || !ours && !(in.Job && x.ofDisk()) {
		return nil, nil
	}
	if ours && OfFiles(text) && x.fileTool(filing.List) != nil {
		return []filing.Act{{Do: filing.List, End: len(text)}}, []string{strings.TrimSpace(text)}
	}
	known := filing.Known{Names: in.Files, Paths: x.ofDisk(), Word: func(w string) bool {
		return slices.ContainsFunc(words.Content(w), func(w string) bool { return x.trade[w] || x.spoken[w] })
	}}
	if !in.Job {
		known.Last, known.Fresh = x.lastFile(in, known)
	}
	acts = filing.ReadAll(text, known)
	for i := range acts {
		a := &acts[i]
		quoted := (a.Output || a.Code) && !in.Job
		if quoted && !fromBefore(a, in.History) {
			return nil, nil
		}
		if a.Do == filing.Count && x.fileTool(filing.Count) == nil {
			a.Do = filing.Other
		}
		there, table := known.Has(a.Name), tableFile.MatchString(a.Name)
		elsewhere, ok := x.atServer(in, a, there)
		if !ok {
			return nil, nil // another tool may know it
		}
		if a.Elsewhere = elsewhere; !elsewhere && a.Whole && !in.Job && !there && len(in.Files) > 0 {
			a.Do = filing.Other // there is nothing that gives way
		}
		a.Rows = !elsewhere && table && (a.Do == filing.Gist || a.Do == filing.Count && a.Lines > 0 || a.Do == filing.Read && (a.From == 0 || a.From == 1) && !(writable.MatchString(a.Name) && asText.MatchString(text)))
		switch {
		case elsewhere && !(a.Loose && x.refersTo(a.Text)), a.Rows && x.tableTool(a) != nil:
		case a.Do == filing.Run && !in.Job && !there && ours:
			a.Do = filing.Other
		case a.Do == filing.Run && (programOf(a.Name) == "" || !ours || x.fileTool(filing.Run) == nil):
			return nil, nil
		case !ours, table && (a.Do == filing.Other || a.Do == filing.Gist || a.Do == filing.Count && (a.Loose || !writable.MatchString(a.Name)) || a.Rows), a.Do == filing.Read && !readAsText.MatchString(a.Name) && (!there || table && !writable.MatchString(a.Name)), a.Do != filing.Read && !a.Do.Undoable() && a.Name != "" && !writable.MatchString(a.Name):
			return nil, nil
		case a.Loose && !a.Note && !quoted && x.refersTo(a.Text), a.Note && a.Loose && pointsBack.MatchString(a.Text):
			if a.Do != filing.Add {
				return nil, nil
			}
			a.Text, a.HasText = "", false // it is asked for
		}
		if !elsewhere {
			a.Resolve(there)
		}
		said = append(said, a.Say(Language(text)))
	}
	if len(acts) == 1 && acts[0].AsTyped() && !acts[0].Rows {
		said = []string{strings.TrimSpace(text)}
	}
	return acts, said
}

// fromBefore puts what the turn before printed, or the code that was run last, in the place of the words for it; false when none was.
func fromBefore(a *filing.Act, history []Turn) bool {
	for i, t := range slices.Backward(history[max(0, len(history)-lookBack):]) {
		code := facts.SourceText.FindStringSubmatch(again(Input{Request: readable(t.Request, nil), History: history[:len(history)-1]}))
		if code == nil && a.Code && t.Ask == nil && i > 0 {
			continue
		}
		if code == nil || t.Ask != nil || a.Output && strings.TrimSpace(t.Answer) == "" {
			return false
		}
		if a.Text = code[1] + code[2] + code[3]; a.Output {
			a.Text, _, _ = strings.Cut(strings.TrimSpace(t.Answer), "\n\n"+words.Say(Language(t.Answer), "文件：", "Files:"))
			a.Text = strings.TrimSuffix(strings.TrimPrefix(a.Text, "```\n"), "\n```")
		}
		a.Output, a.Code = false, false
		return true
	}
	return false
}

// refersTo reports whether a text that nothing marks as one may name what is to be looked up, or what was found.
func (x *Index) refersTo(text string) bool {
	if pointsBack.MatchString(text) || thereHan.MatchString(text) || thereEng.MatchString(text) {
		return true
	}
	return slices.ContainsFunc(words.Content(text), func(w string) bool { return x.trade[w] || x.spoken[w] || len(x.values.facts(w, nil)) > 0 })
}

// lastFile is the file that was spoken of last, and whether in the turn before; "" when it is none of the last turns, or a question is open.
func (x *Index) lastFile(in Input, known filing.Known) (name string, fresh bool) {
	for i, t := range slices.Backward(in.History) {
		if i == len(in.History)-1 && t.Ask != nil || len(in.History)-i > lookBack {
			break
		}
		last, at := "", -1
		for _, text := range []string{t.Request, words.Clip(t.Answer, words.MaxText)} {
			for _, name := range in.Files {
				if j := strings.LastIndex(text, name); j > at {
					last, at = name, j
				}
			}
			if last != "" {
				return last, i == len(in.History)-1
			}
		}
		for _, a := range filing.ReadAll(t.Request, known) { // by a part of its name, or as the notes
			if known.Has(a.Name) {
				return a.Name, i == len(in.History)-1
			}
		}
		if x.ofDisk() {
			for _, f := range slices.Backward(facts.Read(t.Request, in.Now, x.knows)) {
				if f.Kind == facts.Path && writable.MatchString(f.Text) {
					return f.Text, i == len(in.History)-1
				}
			}
		}
	}
	return "", false
}

// file makes wishes about files the goal.
func (x *Index) file(g *goal, acts []filing.Act, said []string) {
	g.text, g.how = "", ""
	var names []string
	for i, a := range acts {
		if i > 0 {
			g.text += words.Say(g.lang, "，然后", ", then ")
		}
		c := wishes.Clause{Start: len(g.text), End: len(g.text) + len(said[i]), Text: said[i]}
		g.text += said[i]
		g.clauses, g.acts = append(g.clauses, c), append(g.acts, a)
		if at := strings.Index(said[i], a.Name); a.Name != "" && at >= 0 {
			g.facts = append(g.facts, facts.Fact{Kind: facts.Path, Text: a.Name, Value: a.Name, Start: c.Start + at, End: c.Start + at + len(a.Name)})
		}
		if a.Implied && !slices.Contains(names, a.Name) {
			names = append(names, a.Name)
		}
	}
	g.plain = g.text
	if len(names) > 0 {
		g.how = words.Say(g.lang, "说的是文件 %s", "this is about the file %s", strings.Join(names, ", "))
	}
}

// programOf is code that runs the file of a name, which lies in its working folder; "" for what is no code.
func programOf(name string) string {
	quoted, err := json.Marshal(name) // a text of Python and JavaScript, too
	switch {
	case err != nil:
	case strings.HasSuffix(strings.ToLower(name), ".py"):
		return "import runpy\n_ = runpy.run_path(" + string(quoted) + `, run_name="__main__")`
	case strings.HasSuffix(strings.ToLower(name), ".js"):
		return "(0, eval)(readFile(" + string(quoted) + "))"
	}
	return ""
}

// act is the wish about a file that a clause is; nil for any other.
func (g *goal) act(c wishes.Clause) *filing.Act {
	for i := range g.acts {
		if i < len(g.clauses) && g.clauses[i].Start == c.Start {
			return &g.acts[i]
		}
	}
	return nil
}

// fileTarget binds a wish about a file to its tool; nil when there is none for it, or it failed.
func (x *Index) fileTarget(g *goal, c wishes.Clause, a *filing.Act, barred map[string]string, ex *ExplainClause) *target {
	tool, given := x.fileTool(a.Do), map[string]any{}
	switch {
	case a.Elsewhere:
		if tool, given = x.serverTool(a); tool != nil {
			given[pathParam(tool).Name] = a.Name
		}
	case a.Rows:
		tool, given = x.tableTool(a), map[string]any{"file": a.Name, "question": c.Text, "task": c.Text}
	}
	if tool == nil {
		return nil
	}
	ex.Candidates = []ExplainCandidate{{Tool: tool.Name, Score: 1, Fit: 1, Lost: barred[tool.Name]}}
	if barred[tool.Name] != "" {
		return nil
	}
	e := *tool
	bound := map[string]fields.Binding{}
	give := func(name string, v any, ok bool) {
		if f := e.Param(name); f != nil && ok {
			bound[name] = fields.Binding{Value: v, Sure: 1, Why: facts.KindNames[facts.Said], Used: -1}
		} else if text := g.given[name]; f != nil && text != "" {
			if v, ok := x.fromAnswer(f, text, g); ok {
				bound[name] = fields.Binding{Value: v, Sure: 1, Why: "answer", Used: -1}
			}
		}
	}
	number := func(n int) any { return json.Number(strconv.Itoa(n)) }
	called := "name"
	switch {
	case a.Elsewhere, a.Rows:
		called = "file"
		if a.Elsewhere {
			called = pathParam(tool).Name
		}
		for name, v := range given {
			give(name, v, true)
		}
	case a.Do == filing.Run:
		called = ""
		give("code", programOf(a.Name), true)
		give("language", words.Either(strings.HasSuffix(strings.ToLower(a.Name), ".js"), "javascript", "python"), true)
	default:
		give("name", a.Name, a.Name != "")
		give("text", a.Text, a.HasText)
		give("text", a.Old, a.Do == filing.Count && a.Old != "")
		give("old", a.Old, a.Do == filing.Change)
		give("new", a.New, a.Do == filing.Change)
		give("all", true, a.All)
		give("from", number(a.From), a.From != 0)
		give("lines", number(a.Lines), a.Lines != 0)
	}
	for i, f := range g.facts {
		if b, ok := bound[called]; ok && f.Start >= c.Start && f.End <= c.End && f.Value == b.Value {
			b.Used = i
			bound[called] = b
		}
	}
	ex.Chosen, ex.Why = e.Name, words.Say(g.lang, "说的是本会话的文件", "it is about a file of this session")
	if a.Elsewhere {
		ex.Why = words.Say(g.lang, "说的是连接的服务器上的文件", "it is about a file of a connected server")
	}
	return &target{clause: c, e: &e, bound: bound}
}

// onDisk says, beside the list of the session's files, whose folders are listed by naming one; "" when nobody has any. It is said by whoever knows both.
func (r *round) onDisk() string {
	if len(r.g.acts) != 1 || r.g.acts[0].Do != filing.List {
		return ""
	}
	x := r.x
	if x.behind != nil {
		x = x.behind.index
	}
	var servers []string
	for _, e := range x.entries {
		if server, _, ok := strings.Cut(e.Name, "__"); ok && takesPath(e) && e.Reads() && !slices.Contains(servers, server) {
			servers = append(servers, server)
		}
	}
	if len(servers) == 0 {
		return ""
	}
	return words.Say(r.g.lang, "以上是本会话的文件。另外连接的服务器 %s 有自己的文件夹：说出文件夹就能列出，例如「列出 /文件夹 里的文件」。",
		"That is of this session. What is connected besides (%s) has folders of its own: name one to list it, such as “list the files in /FOLDER”.", strings.Join(servers, words.Say(r.g.lang, "、", ", ")))
}

// undone says of each wish about a file that nothing does why, and what can be done instead; "" when there is none.
func (r *round) undone() string {
	var out []string
	for _, a := range r.g.acts {
		if a.Do.Undoable() {
			out = append(out, a.Refusal(r.g.lang, r.in.Job && len(r.in.Files) == 0 || slices.Contains(r.in.Files, a.Name)))
		}
	}
	return strings.Join(out, "\n\n")
}
