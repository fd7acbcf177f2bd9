package filing

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// short is an act in a line.
func (a Act) short() string {
	s := [...]string{"read", "list", "make", "put", "add", "change", "count", "run", "remove", "rename", "copy", "front", "line", "fetch", "other", "gist", "there"}[a.Do] + " " + a.Name
	if a.HasText {
		s += fmt.Sprintf(" %q", a.Text)
	}
	if a.Loose && a.Do != Count {
		s += " loose"
	}
	if a.Do == Count && a.Old != "" {
		s += fmt.Sprintf(" %q", a.Old)
	}
	if a.Output {
		s += " output"
	}
	if a.Code {
		s += " code"
	}
	if a.Whole {
		s += " whole"
	}
	if a.Do == Change {
		s += fmt.Sprintf(" %q %q", a.Old, a.New)
	}
	if a.All {
		s += " all"
	}
	if a.Do == Count && a.Lines > 0 {
		s += " lines"
	} else if a.From != 0 || a.Lines != 0 {
		s += fmt.Sprintf(" %d+%d", a.From, a.Lines)
	}
	if a.Implied {
		s += " implied"
	}
	return s
}

// What is said of a file is read to its last word, in both languages, with and without quotes; what is no such wish is left to the house.
func TestReadAll(t *testing.T) {
	t.Parallel()
	k := Known{Names: []string{"todo.txt", "待办.txt", "sales.csv", "sales (1).csv", "订单.md", "README", "notes.txt"}, Last: "todo.txt", Fresh: true, Word: func(w string) bool { return slices.Contains([]string{"订单", "sales"}, w) }}
	for _, line := range strings.Split(strings.TrimSpace(cases), "\n") {
		request, want, ok := strings.Cut(line, " ⇒")
		if !ok {
			t.Fatalf("%s: no ⇒", line)
		}
		var got []string
		for _, a := range ReadAll(strings.ReplaceAll(request, `\n`, "\n"), k) {
			got = append(got, a.short())
		}
		if g := strings.Join(got, "; "); g != strings.TrimSpace(want) {
			t.Errorf("%s:\n  %s\nwant\n  %s", request, g, strings.TrimSpace(want))
		}
	}
}

// What names nothing is about the file of the turn before, and about no earlier one; and a path is a file where somebody has folders.
func TestReadAllElsewhere(t *testing.T) {
	t.Parallel()
	for request, want := range map[string]string{
		"summarize it": "", "总结一下": "", "count the words in it": "", "read it": "read todo.txt implied",
		"看看": "", "帮我记一下：开会": `put 笔记.txt "开会"`, "note this down: a meeting": `put notes.txt "a meeting"`, "what did I note?": "",
		"what is in /tmp/x/a.txt?": "read /tmp/x/a.txt", "read notes/a.txt": "read notes/a.txt", "打开/tmp/员工/表.csv": "read /tmp/员工/表.csv", `put "x" into ~/a.txt`: `put ~/a.txt "x"`,
		`把/tmp/x/a.txt里的“A”改成“B”`: `change /tmp/x/a.txt "A" "B"`, "show https://example.com/a.txt": "", "show example.com/a.txt": "", "list the files in /tmp/x": "",
	} {
		got := ""
		for _, a := range ReadAll(request, Known{Names: []string{"todo.txt"}, Last: "todo.txt", Paths: true}) {
			got += a.short()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", request, got, want)
		}
	}
}

const cases = `
create a file new.txt with the text "one" ⇒ make new.txt "one"
Please create a new file called new.txt that says "one". ⇒ make new.txt "one"
make a note called shopping.txt: milk, eggs ⇒ make shopping.txt "milk, eggs"
make a note called shopping.txt: call mom. ⇒ make shopping.txt "call mom."
create empty.txt ⇒ make empty.txt ""
create a file todo.txt ⇒ make todo.txt
create a file with the text "hello" ⇒ make  "hello"
create a note called ideas with the text "hello" ⇒ make ideas.txt "hello"
create a file "my plan.md" containing "a" and "b" ⇒ make my plan.md "a\nb"
create a file list.md with the lines "a", "b" and "c" ⇒ make list.md "a\nb\nc"
write "x" to notes.md ⇒ put notes.md "x"
write hello world to notes.md ⇒ put notes.md "hello world" loose
save "hello" as hello.txt ⇒ make hello.txt "hello"
put "eggs" into todo.txt ⇒ put todo.txt "eggs"
note down 'call Bob' in todo.txt ⇒ put todo.txt "call Bob"
add "two" to todo.txt ⇒ add todo.txt "two"
add two to todo.txt ⇒ add todo.txt "two" loose
add a line "two" to the end of todo.txt ⇒ add todo.txt "two"
append two lines to todo.txt: "bread" and "jam" ⇒ add todo.txt "bread\njam"
append to todo.txt: buy bread, then jam ⇒ add todo.txt "buy bread, then jam"
can you add "two" to the file todo? ⇒ add todo.txt "two"
add "x" to it ⇒ add todo.txt "x" implied
add "three" ⇒ add todo.txt "three" implied
add "todo.txt" to 待办.txt ⇒ add 待办.txt "todo.txt"
replace A with B in todo.txt ⇒ change todo.txt "A" "B"
replace "A b" with "B" everywhere in todo.txt ⇒ change todo.txt "A b" "B" all
replace all "A" with "B" in todo.txt ⇒ change todo.txt "A" "B" all
in todo.txt, change milk to oat milk ⇒ change todo.txt "milk" "oat milk"
change "a" to "b" in it ⇒ change todo.txt "a" "b" implied
remove "one" from todo.txt ⇒ change todo.txt "one" ""
delete the line "one" from todo.txt ⇒ change todo.txt "one" ""
show todo.txt ⇒ read todo.txt
Show me the contents of todo.txt, please ⇒ read todo.txt
show todo ⇒ read todo.txt
open TODO.txt ⇒ read todo.txt
what is in todo.txt? ⇒ read todo.txt
what's in sales (1).csv ⇒ read sales (1).csv
what does todo.txt say? ⇒ read todo.txt
what have I written in todo.txt? ⇒ read todo.txt
cat README ⇒ read README
read it ⇒ read todo.txt implied
what is in it? ⇒ read todo.txt implied
read it to me ⇒ read todo.txt implied
todo.txt ⇒ read todo.txt
what is the second line of todo.txt? ⇒ read todo.txt 2+1
what does the last line of todo.txt say ⇒ read todo.txt -1+1
show lines 2 to 4 of todo.txt ⇒ read todo.txt 2+3
show me the last 3 lines of todo.txt ⇒ read todo.txt -3+3
what is the second line? ⇒ read todo.txt 2+1 implied
delete todo.txt ⇒ remove todo.txt
delete it ⇒ remove todo.txt implied
rename todo.txt to a.md ⇒ rename todo.txt
move todo.txt to the archive folder ⇒ rename todo.txt
make a copy of todo.txt ⇒ copy todo.txt
insert "zero" at the top of todo.txt ⇒ front todo.txt
delete the second line of todo.txt ⇒ line todo.txt
change the first line of todo.txt to "x" ⇒ line todo.txt
create a.txt with the text "x" and then add "y" to it ⇒ make a.txt "x"; add a.txt "y" implied
create a.txt with the text "x" and show it ⇒ make a.txt "x"; read a.txt implied
add "x" to todo.txt and replace "A" with "B" in 待办.txt ⇒ add todo.txt "x"; change 待办.txt "A" "B"
新建一个文件 清单.txt，内容是“牛奶” ⇒ make 清单.txt "牛奶"
新建一个叫清单.txt的文件，写上“牛奶”和“鸡蛋” ⇒ make 清单.txt "牛奶\n鸡蛋"
帮我建一个清单.txt：牛奶、鸡蛋 ⇒ make 清单.txt "牛奶、鸡蛋"
新建文件 清单.txt，内容是牛奶和鸡蛋 ⇒ make 清单.txt "牛奶和鸡蛋" loose
新建一个空文件 空.txt ⇒ make 空.txt ""
建一个文件叫计划，内容是“一”。 ⇒ make 计划.txt "一"
把“会议纪要”存成 备忘.md ⇒ make 备忘.md "会议纪要"
把“会议纪要”写到备忘.md里 ⇒ put 备忘.md "会议纪要"
把「明天开会」记到待办里 ⇒ put 待办.txt "明天开会"
在待办.txt 后面加上“鸡蛋” ⇒ add 待办.txt "鸡蛋"
在待办.txt里加一行“鸡蛋” ⇒ add 待办.txt "鸡蛋"
待办.txt里再加上：鸡蛋 ⇒ add 待办.txt "鸡蛋"
给待办.txt加一行鸡蛋 ⇒ add 待办.txt "鸡蛋"
把“鸡蛋”加到待办.txt ⇒ add 待办.txt "鸡蛋"
把鸡蛋追加到待办.txt的末尾 ⇒ add 待办.txt "鸡蛋" loose
往待办里加“鸡蛋” ⇒ add 待办.txt "鸡蛋"
再加一行“面包” ⇒ add todo.txt "面包" implied
把待办.txt里的“A”改成“B” ⇒ change 待办.txt "A" "B"
把待办.txt里的牛奶换成豆浆 ⇒ change 待办.txt "牛奶" "豆浆"
把待办.txt里所有的“A”都改成“B” ⇒ change 待办.txt "A" "B" all
在待办.txt中把“A”替换为“B” ⇒ change 待办.txt "A" "B"
把它里面的“A”改成“B” ⇒ change todo.txt "A" "B" implied
把待办.txt里的“A”删掉 ⇒ change 待办.txt "A" ""
从待办.txt中删除“A” ⇒ change 待办.txt "A" ""
看看待办.txt ⇒ read 待办.txt
打开待办.txt ⇒ read 待办.txt
看看待办 ⇒ read 待办.txt
待办.txt里写了什么？ ⇒ read 待办.txt
待办.txt的内容是什么 ⇒ read 待办.txt
它里面写了什么 ⇒ read todo.txt implied
把待办.txt读一下 ⇒ read 待办.txt
这个文件里有什么 ⇒ read todo.txt implied
待办.txt的第二行是什么 ⇒ read 待办.txt 2+1
第二行是什么 ⇒ read todo.txt 2+1 implied
最后一行写了什么 ⇒ read todo.txt -1+1 implied
看待办.txt的前3行 ⇒ read 待办.txt 1+3
待办.txt最后两行 ⇒ read 待办.txt -2+2
删除待办.txt ⇒ remove 待办.txt
把待办.txt删了吧 ⇒ remove 待办.txt
把待办.txt改名为清单.txt ⇒ rename 待办.txt
重命名待办.txt为清单.txt ⇒ rename 待办.txt
把待办.txt移到回收站 ⇒ rename 待办.txt
复制一份待办.txt ⇒ copy 待办.txt
在待办.txt开头加上“零” ⇒ front 待办.txt
把待办.txt的第二行改成“B” ⇒ line 待办.txt
新建 a.txt，内容是“x”，然后把“y”加到a.txt ⇒ make a.txt "x"; add a.txt "y"
clear todo.txt ⇒ make todo.txt "" whole
清空待办.txt ⇒ make 待办.txt "" whole
download todo.txt ⇒ fetch todo.txt
translate todo.txt into Chinese ⇒ other todo.txt
把待办.txt发给王萍萍 ⇒ other 待办.txt
搜索待办.txt里的“报告” ⇒ count 待办.txt "报告"
count the words in todo.txt ⇒ count todo.txt
how many lines and words does todo.txt have? ⇒ count todo.txt
how many lines are there in todo.txt ⇒ count todo.txt lines
word count of todo.txt ⇒ count todo.txt
how long is todo.txt? ⇒ count todo.txt
count the words in it ⇒ count todo.txt implied
how many words? ⇒ count todo.txt implied
how often does milk occur in todo.txt? ⇒ count todo.txt "milk"
how many times does "buy milk" appear in todo.txt ⇒ count todo.txt "buy milk"
search todo.txt for "milk" ⇒ count todo.txt "milk"
find milk in todo.txt ⇒ count todo.txt "milk"
which lines of todo.txt mention "milk"? ⇒ count todo.txt "milk"
does todo.txt mention milk? ⇒ count todo.txt "milk"
待办.txt有多少字 ⇒ count 待办.txt
待办.txt里一共有多少行 ⇒ count 待办.txt lines
统计一下待办.txt的字数和行数 ⇒ count 待办.txt
待办.txt的字数是多少 ⇒ count 待办.txt
它有多少字 ⇒ count todo.txt implied
统计字数 ⇒ count todo.txt implied
一共多少字 ⇒ count todo.txt implied
“牛奶”在待办.txt里出现了几次 ⇒ count 待办.txt "牛奶"
待办.txt里有没有牛奶 ⇒ count 待办.txt "牛奶"
在待办.txt里查找牛奶 ⇒ count 待办.txt "牛奶"
待办.txt里哪几行提到了“牛奶” ⇒ count 待办.txt "牛奶"
summarize todo.txt ⇒ gist todo.txt
give me a short summary of todo.txt ⇒ gist todo.txt
summarize it ⇒ gist todo.txt implied
总结一下 ⇒ gist todo.txt implied
总结一下待办.txt ⇒ gist 待办.txt
把待办.txt的内容概括一下 ⇒ gist 待办.txt
待办.txt的主要内容是什么 ⇒
总结一下（待办.txt） ⇒ gist 待办.txt implied
how many words? (todo.txt) ⇒ count todo.txt implied
取消订单（待办.txt） ⇒
把待办.txt的内容改成“你好” ⇒ make 待办.txt "你好" whole
把待办.txt的全部内容换成：一、二 ⇒ make 待办.txt "一、二" whole
replace the contents of todo.txt with "hi" ⇒ make todo.txt "hi" whole
change the text of todo.txt to "hi" ⇒ make todo.txt "hi" whole
帮我记一下：明天下午三点开会 ⇒ put notes.txt "明天下午三点开会"
记一下明天开会 ⇒ put notes.txt "明天开会" loose
备忘：买牛奶 ⇒ put notes.txt "买牛奶"
新建一条笔记：“买牛奶” ⇒ put notes.txt "买牛奶"
note this down: buy milk tomorrow ⇒ put notes.txt "buy milk tomorrow"
note down that Bob is away ⇒ put notes.txt "Bob is away" loose
make a note: call Bob ⇒ put notes.txt "call Bob"
save a note: buy milk ⇒ put notes.txt "buy milk"
create a short note: pay the rent ⇒ put notes.txt "pay the rent"
new note: pay the rent ⇒ put notes.txt "pay the rent"
store a memo: water the plants ⇒ put notes.txt "water the plants"
save a note that the meeting is at 5 ⇒ put notes.txt "the meeting is at 5" loose
create a note saying buy milk ⇒ put notes.txt "buy milk" loose
存个便签：买牛奶 ⇒ put notes.txt "买牛奶"
保存笔记：买牛奶 ⇒ put notes.txt "买牛奶"
帮我添加一条备忘：交房租 ⇒ put notes.txt "交房租"
run a.py ⇒ run a.py
运行a.py ⇒ run a.py
执行一下脚本 a.js ⇒ run a.js
run it ⇒ run todo.txt implied
save the output to pi.txt ⇒ put pi.txt "the output" loose output
把运行结果保存到 a.txt ⇒ put a.txt "运行结果" loose output
把代码保存成 a.py ⇒ make a.py "代码" loose code
delete the second line ⇒ line todo.txt implied
把第二行改成“x” ⇒ line todo.txt implied
show todo.txt and tell me how many words it has ⇒ read todo.txt; count todo.txt implied
写一条笔记 ⇒
what did I note down? ⇒ read notes.txt
what do my notes say? ⇒ read notes.txt
what does my memo contain ⇒ read notes.txt
看一下备忘 ⇒ read notes.txt
我记了些什么 ⇒ read notes.txt
再看看 ⇒ read todo.txt implied
show it again ⇒ read todo.txt implied
它一共多少字 ⇒ count todo.txt implied
写一封道歉信：对不起 ⇒
remember me ⇒
合并待办.txt和todo.txt ⇒ other 待办.txt
把周五改成周四，在待办.txt里 ⇒ change 待办.txt "周五" "周四"
把第一行读给我听 ⇒ read todo.txt 1+1 implied
看看待办.txt和todo.txt ⇒ read 待办.txt; read todo.txt
show todo.txt and 待办.txt ⇒ read todo.txt; read 待办.txt
把待办.txt做成PPT ⇒
看看订单 ⇒
show sales ⇒
cancel it ⇒
delete order 281065989409 ⇒
add "vip" to the note of order 281065989409 ⇒
what is in stock? ⇒
第二个订单是什么 ⇒
看看它的物流 ⇒
show its orders ⇒
把王萍萍的订单存成 orders.csv ⇒ make orders.csv "王萍萍的订单" loose
每个地区的销售额是多少 (sales.csv) ⇒
why did sales in sales.csv fall in May? ⇒
read /tmp/x/todo.txt ⇒
list the files in /tmp/x ⇒
create a file todo.txt with the late orders and email it to Bob ⇒ make todo.txt "late orders and email it to Bob" loose
新建一个活动，内容是“满减” ⇒
`

// Whatever is typed, reading it ends, and a wish lies in the text.
func FuzzReadAll(f *testing.F) {
	for line := range strings.SplitSeq(strings.TrimSpace(cases), "\n") {
		request, _, _ := strings.Cut(line, " ⇒")
		f.Add(request, "todo.txt")
	}
	f.Fuzz(func(t *testing.T, request, name string) {
		for _, a := range ReadAll(request, Known{Names: []string{name}, Last: name}) {
			if a.Start < 0 || a.Start > a.End || a.End > len(request) {
				t.Errorf("%q: %+v", request, a)
			}
		}
	})
}
