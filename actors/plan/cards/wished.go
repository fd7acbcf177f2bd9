package cards

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Tools are called by a verb and a thing, add_comment, and people wish for them by either: comment on P-4, open a new issue, move P-7 to Done.

var (
	// makesHere are the verbs in names of tools that make the thing behind them, which English then makes the verb: to comment, to email, to invoice.
	makesHere = words.MustCompile(`(?i)^(?:add|create|post|send|write|make|set|log)$`)
	// atThing stands behind such a verb, and not behind the thing: comment on P-4, email bob@x.io, and no issue 77 of somebody.
	atThing = words.MustCompile(`^\s+(?:(?:on|to|at|about|for)\s|["“'‘]|[\w.+-]+@\w|me\b|him\b|her\b|them\b)`)
	// makesNew wishes for a new thing, whatever verb the tool is called by.
	makesNew = words.MustCompile(`(?i)(?:^|[,.;]|\b(?:please|and|then|to|you|can|could))\s*(?:open|raise|file|start|make|set up|log|put up|schedule|draft|add|create)\s+(?:me\s+|us\s+)?(?:an?|another|new|one)\s+(?:[\w-]+\s+){0,2}?`)
	// turnsTo wishes for something to become what follows.
	turnsTo = words.MustCompile(`(?i)(?:^|[,.;]|\b(?:please|and|then|to|you|can|could))\s*(?:move|put|set|change|mark|switch|turn|bring|transition|push)\b[^.;?]*?\s(?:to|as|into|in)\s+["“'‘]?$|[改变换设标移][成为到]\s*["“「]?$`)
)

// strange reports whether the card is a stranger's: those of the house, with titles for people, say all their verbs themselves.
func (e *Entry) strange() bool {
	return !e.IsAgent() && !slices.ContainsFunc(e.Params, func(f fields.Field) bool { return f.Title != "" })
}

// WishedIn reports whether a text wishes for what a stranger's tool does in other words than its verb.
func (e *Entry) WishedIn(text string) bool {
	return e.strange() && (e.makesWhatIs(text) || e.turnsInto(text))
}

// makesWhatIs: the thing that the tool makes is the verb, or stands behind another verb that makes one.
func (e *Entry) makesWhatIs(text string) bool {
	name := words.Pieces(strings.ReplaceAll(e.ownName(), "_", " "))
	at := slices.IndexFunc(name, func(w words.Piece) bool { return makesHere.MatchString(w.Text) })
	if at < 0 || at+1 >= len(name) {
		return false
	}
	thing := strings.ToLower(name[len(name)-1].Text)
	named := func(word string) bool {
		return slices.ContainsFunc(words.AlsoCalled(word), func(w string) bool { return words.Stem(strings.ToLower(w)) == words.Stem(thing) })
	}
	ps := words.Pieces(text)
	for _, p := range ps {
		low := strings.ToLower(p.Text)
		if words.Stem(low) == words.Stem(thing) && !strings.HasSuffix(low, "s") && (strings.TrimSpace(text[:p.Start]) == "" || beforeWish.MatchString(text[:p.Start])) && atThing.MatchString(text[p.End:]) {
			return true
		}
	}
	for _, m := range makesNew.FindAllStringIndex(text, 4) {
		if behind := words.Pieces(words.Clip(text[m[1]:], 60)); slices.ContainsFunc(behind[:min(len(behind), 3)], func(p words.Piece) bool { return named(p.Text) }) {
			return true
		}
	}
	return false
}

// turnsInto: something shall become a value that a parameter takes, which must be given.
func (e *Entry) turnsInto(text string) bool {
	low := strings.ToLower(text)
	if len(low) != len(text) { // places in one are none in the other: Ⱥ
		return false
	}
	for i := range e.Params {
		f := &e.Params[i]
		for _, v := range f.Enum {
			if at := strings.LastIndex(low, strings.ToLower(v)); f.Required && len(v) > 1 && at > 0 && turnsTo.MatchString(text[:at]) {
				return true
			}
		}
	}
	return false
}

// Shortened reports whether a text of two to four capitals begins words of the tool's name that stand side by side: PR, for merge_pull_request.
func (e *Entry) Shortened(text string) bool {
	if len(text) < 2 || len(text) > 4 || text != strings.ToUpper(text) {
		return false
	}
	first := ""
	for _, p := range words.Pieces(strings.ReplaceAll(e.ownName(), "_", " ")) {
		first += strings.ToUpper(p.Text[:1])
	}
	return strings.Contains(first, text)
}

// undoes are verbs in English and Chinese by which something ends.
var undoes = words.MustCompile(`(?i)^\s*(?:please\s+|can you\s+|could you\s+|请|帮我|把)*(?:delete|remove|drop|erase|destroy|purge|wipe|truncate|uninstall|删除|删掉|删了|移除|清空|销毁)(?:$|[^\p{Latin}])|^\s*(?:请|帮我)*(?:把|将)[^，。]{1,40}(?:删除|删掉|删了|移除|清空)`)

// Undone reports whether a text wishes that something ends, and a stranger's tool says nothing of such: to show the thing is no part of that.
func (e *Entry) Undone(text string) bool {
	return e.strange() && undoes.MatchString(text) && !e.HasVerb(wishes.ChangeVerbs(text)) && !undoing.MatchString(e.Name+" "+e.Description)
}

// undoing is what a card says that ends something.
var undoing = words.MustCompile(`(?i)delet|remov|drop|eras|destroy|purg|wip(?:e|ing)|truncat|uninstall|删|移除|清空|销毁`)
