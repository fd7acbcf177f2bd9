package filing

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Say is the wish for whoever knows nothing of the conversation: it names the file, and marks the text where that was not plain.
func (a Act) Say(lang string) string {
	switch {
	case a.Rows && a.Do == Count:
		return words.Say(lang, "有多少行（%s）", "how many rows (%s)", a.Name)
	case a.Rows && a.Do == Gist:
		return words.Say(lang, "概览（%s）", "overview (%s)", a.Name)
	case a.Rows && a.Lines > 0:
		return words.Say(lang, "列出前 %[2]d 行（%[1]s）", "show the first %[2]d rows (%[1]s)", a.Name, a.Lines)
	case a.Rows:
		return words.Say(lang, "列出所有行（%s）", "show all rows (%s)", a.Name)
	case a.Do == Add && !a.HasText:
		return words.Say(lang, "在 %s 末尾追加一行", "append a line to %s", a.Name)
	case a.Do == Add && (a.Loose || a.turned):
		return words.Say(lang, "在 %[2]s 末尾加上%[1]s", "add %s to %s", marked(a.Text), a.Name)
	case a.Do == Make && (a.Loose || a.was == Put) && a.Text != "":
		return words.Say(lang, "把%s存成 %s", "save %s as %s", marked(a.Text), a.Name)
	}
	return a.said
}

// Resolve settles what a text that is put into a file does.
func (a *Act) Resolve(there bool) {
	if a.Do == Put {
		a.Do, a.was, a.turned = words.Either(there, Add, Make), Put, true
	}
	if a.Do == Make && !a.HasText {
		a.Do = There
	}
}

// AsTyped reports whether the wish can be handed on as it was typed.
func (a Act) AsTyped() bool { return !a.turned && !a.Loose }

// marked is a text in quotes that it holds none of.
func marked(text string) string {
	switch {
	case !strings.ContainsAny(text, "“”"):
		return "“" + text + "”"
	case !strings.ContainsAny(text, "「」"):
		return "「" + text + "」"
	}
	return "```\n" + text + "\n```"
}

// Refusal says why no tool does what is wanted of a file, and what can be done. there: the conversation has the file, or nobody knows.
func (a Act) Refusal(lang string, there bool) string {
	if a.Elsewhere {
		return words.Say(lang, "没有对 %[1]s 这样做：它不是本会话的文件，而连接的服务器上的文件，这里只能看全部、看前几行、写入和修改。可以做的：看看 %[1]s；或者把它带进会话再说（hmap ask --file 路径 '…'）。",
			"That is not done to %[1]s: it is no file of this session, and of files on a connected server only all or the first lines are shown here, and their text is written or changed. What can be done: show %[1]s, or bring it into the session (hmap ask --file PATH '…').", a.Name)
	}
	if !there {
		return words.Say(lang, "本会话里没有文件 %s，所以什么都没有做。「有哪些文件」会列出有哪些。", "This session has no file %s, so nothing was done. “What files are there?” lists those that it has.", a.Name)
	}
	switch a.Do {
	case Remove:
		return words.Say(lang, "没有删除 %[1]s：这里没有删除单个文件的工具，会话的文件和会话一起保留（hmap sessions --delete 会话编号 删除整个会话）。可以做的：删掉其中一段（从 %[1]s 中删除“…”），或者换成新的内容（把“…”存成 %[1]s）。",
			"%[1]s is not deleted: no tool here deletes a single file; the files of a session stay as long as the session (hmap sessions --delete ID removes all of it). What can be done: take a passage out (remove “…” from %[1]s), or give it a new text (save “…” as %[1]s).", a.Name)
	case Rename:
		return words.Say(lang, "%[1]s 没有改名，也没有移动：这里没有这样的工具。可以做的：用新名字另存一份内容（把“…”存成 新名字.txt），或者取到本机时换个名字（hmap files get 引用 -o 新名字）。",
			"%[1]s is neither renamed nor moved: no tool here does that. What can be done: save the text under the new name (save “…” as NAME.txt), or fetch the file under another name (hmap files get REF -o NAME).", a.Name)
	case Copy:
		return words.Say(lang, "没有复制 %[1]s：这里没有复制文件的工具。可以做的：把内容另存（把“…”存成 新名字.txt），或者取到本机（hmap files get 引用 -o 新名字）。旧的版本都还在，改动 %[1]s 不会丢掉它们。",
			"%[1]s is not copied: no tool here copies files. What can be done: save the text under another name (save “…” as NAME.txt), or fetch the file (hmap files get REF -o NAME). Older versions stay, so a change of %[1]s loses nothing.", a.Name)
	case Front:
		return words.Say(lang, "没有改动 %[1]s：文本只能加在末尾。要放在别处，可以替换那里的一段（把 %[1]s 里的“旧”改成“新旧”）。",
			"%[1]s is not changed: text can be added at its end only. To put it elsewhere, replace a passage there (replace “old” with “new old” in %[1]s).", a.Name)
	case Line:
		return words.Say(lang, "没有改动 %[1]s：不能按第几行来改，要说出原文。先看看 %[1]s，再说：把 %[1]s 里的“原文”改成“新文本”（或者：从 %[1]s 中删除“原文”）。",
			"%[1]s is not changed: a line is changed by its words and not by its place. Show %[1]s, and then say: replace “old” with “new” in %[1]s (or: remove “old” from %[1]s).", a.Name)
	case Fetch:
		return words.Say(lang, "文件在这里取：hmap files get %[1]s -o 本机文件名（最新的会话；别的会话加 --session 会话编号），或者在页面上点它的名字。",
			"Fetch it with: hmap files get %[1]s -o FILE (of the newest session; --session ID names another), or click on its name on the page.", a.Name)
	case Other:
		return words.Say(lang, "没有对 %[1]s 这样做：这里没有这样的工具。可以做的：看看 %[1]s；统计 %[1]s 的字数；在 %[1]s 里查找“…”；在末尾加上“…”；把其中的“旧”改成“新”；删除其中的“…”；把 %[1]s 做成 PPT 或 Word。",
			"That is not done to %[1]s: no tool here does it. What can be done: show %[1]s; count the words in it; find “…” in it; add “…” to it; replace “old” with “new” in it; remove “…” from it; make slides or a document of it.", a.Name)
	case Gist:
		return words.Say(lang, "没有总结 %[1]s：用自己的话概括一段文字要有语言模型，这里没有接上。可以做的：看看 %[1]s，或者它的前 10 行；统计 %[1]s 的字数；在 %[1]s 里查找“…”。",
			"%[1]s is not summarized: to say a text in other words takes a language model, and none is connected here. What can be done: show %[1]s, or the first 10 lines of it; count the words in it; find “…” in it.", a.Name)
	case There:
		return words.Say(lang, "%[1]s 已经有了，没有改动它。要加内容：在 %[1]s 末尾加上“…”；要换成新的内容：把“…”存成 %[1]s。",
			"%[1]s is there already and was not changed. To add to it: add “…” to %[1]s; to give it a new text: save “…” as %[1]s.", a.Name)
	}
	return ""
}
