package filing

import "github.com/hmap-project/hmap/actors/plan/words"

// The parts of sentences. In them q is a text in quotes, l one that no quotes mark, and t all that follows a colon.
const (
	file  = `[\x{E100}-\x{E1FF}]`
	quote = `[\x{E000}-\x{E0FF}]`
	// many are quotes one after the other.
	many = quote + `(?:(?:\s|,|，|、|;|；|\band\b|以及|和|与|还有|跟)*` + quote + `)*`
	end  = `(?:\s|[。.!！?？~]|吧|呢|吗|啊|了|哦|好不好|好吗|可以吗|行吗|谢谢|,? ?\b(?:please|thanks|thank you|for me|now|again|to me)\b)*$`
	f    = `(?:the |my |our )?(?:(?:text |new )?(?:file|note|list|document) )?(?:(?:called|named) )?(?:文件|笔记)?\s*(?P<f>` + file + `)\s*(?:的?(?:文件|文档|笔记)|(?: (?:file|note|list|document)\b))?(?:这个文件|那个文件)?`
	// text ends a sentence: quotes, or what follows a colon, or any words.
	text  = `(?:(?P<q>` + many + `)` + end + `|[:：]\s*(?P<t>\S.*)$|(?P<l>[^\s:：].*?)` + end + `)`
	texts = `[:：]?\s*(?:(?P<q>` + many + `)|(?P<l>[^\s:：].*?))`
	// kind is what an added text is called.
	kind       = `(?P<k>(?:(?:an?|the|one|two|three|four|five|some|these|this|following|more|another|new|next|\d+) )*(?:lines?|rows?|items?|entr(?:y|ies)|words?|texts?|sentences?|paragraphs?|notes?|content)\b,?\s*)?`
	kindHan    = `(?P<k>(?:[一二两三四五\d]+|这)?(?:新的?)?(?:[行条句项段个](?:字|话|内容|文字)?|文字|内容|文本|文字内容))?(?:是|为)?\s*[,，]?\s*`
	inside     = `\s*(?:里面?|之?中|里头|内|上面?|当中)?`
	atEnd      = `(?:的)?(?:最后面?|后面?|末尾|尾部|结尾|文末|底部|下面|最下面|最后一行)?(?:一行|处)?`
	being      = `(?:内容|里面的?内容|正文|文字|文本|里面)?(?:就?是|为|写上?|写着|写入|放上?|加上|记上?|填上?|有)?`
	article    = `(?:a |an |the |my |one )?`
	adverbs    = `(?:都|全部|全|统统)?`
	nth        = `(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th))`
	nthHan     = `(?:第` + words.HanNumber + `|最后一?|倒数第?` + words.HanNumber + `|首|末|最末)`
	measure    = `(?:lines?|rows?|words?|characters?|letters?|signs?|entries|items?)`
	measureHan = `(?:字符?数|行数|词数|单词数|字数统计|长度)`
	turned     = `(?:改成|改为|换成|换为|替换成|替换为|变成|修改成|修改为|更正为|更正成|更新为|更新成|写成|替换|改)了?\s*`
)

// sentence is one way to say a wish.
type sentence struct {
	do Do
	*words.Pattern
	// bare: without a text the wish is whole, as create a.txt is.
	bare bool
}

func is(do Do, expr string) sentence {
	return sentence{do: do, Pattern: words.MustCompile(`(?is)^` + expr)}
}

func whole(do Do, expr string) sentence {
	s := is(do, expr)
	s.bare = true
	return s
}

// sentences are read in this order; the first that takes a text whole says what it is.
var sentences = []sentence{
	// what no tool does
	is(Remove, `(?:delete|remove|erase|trash|drop|discard|rm|get rid of|throw away) `+f+end),
	is(Remove, `(?:把|将)?`+f+`\s*(?:给我|给|都)?(?:删除|删掉|删了|删|移除|清除|丢掉|扔掉|扔了|去掉|不要了)(?:掉|一下)?`+end),
	is(Remove, `(?:删除|删掉|删了|删|移除|清除|丢掉|扔掉|去掉)(?:一下)?`+f+end),
	is(Rename, `(?:rename|move|mv) `+f+`.*$`),
	is(Rename, `(?:change|set) the (?:file)?name of `+f+`.*$`),
	is(Rename, `(?:give) `+f+` (?:a new|another) name.*$`),
	is(Rename, `(?:把|将|给)?`+f+`\s*(?:的(?:文件)?名字?)?(?:改名|重命名|更名|改个名|换个名|改一?下名|移动|移到|挪到|移至|移)[^`+"`"+`]*$`),
	is(Rename, `(?:把|将|给)?`+f+`\s*的?(?:文件名|名字|名称)(?:改|换).*$`),
	is(Rename, `(?:把|将)?`+f+`\s*`+turned+`\s*`+file+end),
	is(Rename, `(?:重命名|改名|移动)(?:一下)?`+f+`.*$`),
	is(Copy, `(?:copy|duplicate|cp|clone) `+f+`(?: .*)?$`),
	is(Copy, `make a (?:copy|duplicate) of `+f+`.*$`),
	is(Copy, `(?:把|将)?`+f+`\s*(?:复制|拷贝).*$`),
	is(Copy, `(?:复制|拷贝)(?:一份|一下)?`+f+`.*$`),
	is(Fetch, `(?:download|export|fetch) `+f+end),
	is(Fetch, `(?:把|将)?`+f+`\s*(?:下载|导出)(?:下来|一下|到(?:本地|电脑)(?:上)?)?`+end),
	is(Fetch, `(?:下载|导出)(?:一下)?`+f+end),
	is(Run, `(?:run|execute|start) (?:the )?(?:python |javascript |js )?(?:code|script|program)? ?(?:of |in |from )?`+f+`(?: again)?`+end),
	is(Run, `(?:运行|执行|跑)(?:一下|一遍|下)?(?:脚本|代码|程序)?`+f+`(?:里的代码)?`+end),
	is(Run, `(?:把|将)?`+f+`(?:里的代码)?\s*(?:运行|执行|跑)(?:一下|一遍|起来)?`+end),

	// what one cannot say without a model
	is(Gist, `(?:summari[sz]e|sum up|outline|recap|give (?:me )?(?:a|the) (?:short |brief )?(?:summary|gist|overview) of|(?:what(?:'s| is) )?(?:a |the )?(?:short |brief )?(?:summary|gist|overview|main points?|key points?) of) `+f+`(?: (?:for me|briefly|shortly|in .*))?`+end),
	is(Gist, `(?:把|将|对|给)?`+f+inside+`\s*的?(?:内容)?(?:做个|做一个|写个|写一个|给个|来个)?(?:总结|概括|归纳|摘要|提炼|小结|概述|概览|大意|要点)(?:一下|下|出来|出要点|要点|成.*|是什么|有哪些)?`+end),
	is(Gist, `(?:总结|概括|归纳|小结|概述|提炼)(?:一下|下|出)?`+f+inside+`\s*的?(?:内容|要点|大意|主要内容|重点)?`+end),

	// its size, and where a passage stands
	is(Count, `(?:count|how many|(?:what(?:'s| is) )?the (?:number|count) of|tell me how many)(?P<what>(?: (?:up|the|all|and|of|`+measure+`|,))*)(?: (?:are|is|there|does|do|and))*(?: (?:in|of|inside))? `+f+`(?: (?:have|has|contain|hold))?(?: now| in total)?`+end),
	is(Count, `(?:(?:what(?:'s| is) |show (?:me )?|give (?:me )?|get )?(?:the )?(?:word|line|character|letter) ?counts? (?:of|for|in)|(?:wc|how (?:long|big|large) is)) `+f+end),
	is(Count, `how (?:often|many times) (?:do(?:es)?|is|are) (?:the (?:words?|texts?|phrase|passage) )?(?P<o>`+quote+`|[^\s].*?) (?:occurs?|appears?|stands?|comes? up|mentioned|used|written|shows? up|found)?\s*(?:in|inside) `+f+end),
	is(Count, `(?:search|grep|look|check) (?:in |through |inside )?`+f+` for (?:the (?:words?|texts?|phrase|passage) )?(?P<o>`+quote+`|[^\s].*?)`+end),
	is(Count, `(?:search(?: for)?|look for|find|grep|locate|count)(?: all)? (?:the (?:words?|texts?|phrase|passage|lines? with) )?(?P<o>`+quote+`|[^\s].*?) (?:in|inside) `+f+end),
	is(Count, `(?:which|what) lines? (?:of|in) `+f+` (?:contains?|has|have|holds?|mentions?|says?) (?P<o>`+quote+`|[^\s].*?)`+end),
	is(Count, `(?:do(?:es)?|is) `+f+` (?:contain|hold|mention|have|include)(?: the (?:words?|texts?|phrase|passage))? (?P<o>`+quote+`|[^\s].*?)`+end),
	is(Count, `(?:is|are|does) (?:there )?(?:the (?:words?|texts?|phrase|passage) )?(?P<o>`+quote+`)(?: (?:stand|occur|appear|written|mentioned))? (?:in|inside) `+f+end),
	is(Count, `(?:数一?数|数一?下|统计(?:一?下)?|计算(?:一下)?|看看)?`+f+inside+`\s*的?(?:一共|总共|共|都)?(?:有|是)?(?:几|多少)(?P<what>行|个?字|个?字符|个?词|个?单词|条|项|段)(?:字|内容)?`+end),
	is(Count, `(?:数一?数|数一?下|统计(?:一?下)?|计算(?:一下)?|查一?下|查看?|看看)?`+f+inside+`\s*的?`+measureHan+`(?:(?:和|与|、|及)`+measureHan+`)*(?:是|有)?(?:多少|几|统计)?(?:一下)?`+end),
	is(Count, `(?:把)?`+f+inside+`\s*的?(?:内容)?(?:数一?数|数一?下|统计(?:一?下)?)(?:字数|行数)?`+end),
	is(Count, f+`(?:一共|总共)?有?多[长大]`+end),
	is(Count, `(?:在)?(?:搜索?|查找|找|查)(?:一下|找)?`+f+inside+`\s*的?(?:有没有|是否有|有无)?(?P<o>`+quote+`)`+end),
	is(Count, `(?:在|从)?`+f+inside+`\s*的?(?:搜索?|查找|查|找|定位)(?:一下|出|到)?(?:所有的?|全部的?)?(?P<o>`+quote+`|[^\s].*?)(?:在哪(?:里|儿|一?行)?)?`+end),
	is(Count, f+inside+`\s*(?:有没有|是否有|是不是有|是否提到|有没有提到|提到了?)(?P<o>`+quote+`|[^\s].*?)`+end),
	is(Count, `(?P<o>`+quote+`)(?:这个词|这个字|这句话)?(?:在|于)?`+f+inside+`\s*(?:里面?)?(?:一共|总共)?(?:出现|提到)了?(?:几|多少)[次回处]`+end),
	is(Count, `(?P<o>`+quote+`)(?:这个词|这个字|这句话)?在`+f+inside+`的?(?:第?(?:几|哪)行|哪里|哪儿|什么地方)`+end),
	is(Count, f+inside+`\s*(?P<o>`+quote+`)(?:这个词|这个字|这句话)?(?:一共|总共)?(?:出现|提到)了?(?:几|多少)[次回处]`+end),
	is(Count, f+inside+`\s*(?:一共|总共)?有(?:几|多少)[个处次]?(?P<o>`+quote+`)`+end),
	is(Count, f+inside+`\s*(?:第?哪|第?几)一?[几些]?行(?:有|提到|出现|包含)了?(?P<o>`+quote+`|[^\s].*?)`+end),

	is(Other, `(?:send|e-?mail|forward|translate|merge|combine|sort|search|print out|encrypt|zip|share) `+f+`(?: .*)?$`),
	is(Other, `(?:把|将)`+f+`\s*(?:和`+file+`\s*)?(?:发给|发送|发到|寄给|转发|分享|翻译|合并|排序|加密|压缩|拼)[^做]*$`),
	is(Other, `(?:翻译|合并|排序|发送|转发|分享|加密|压缩)(?:一下)?`+f+`(?:\s*(?:和|、|与)\s*`+file+`)*`+end),
	// a line by its place
	is(Line, `(?:replace|change|edit|delete|remove|update|set|rewrite|swap|move) (?:the )?(?:`+nth+` lines?|lines? \d+)\b.*(?P<f>`+file+`).*$`),
	is(Line, `in `+f+`,? (?:replace|change|edit|delete|remove|update|set|rewrite|swap|move) (?:the )?(?:`+nth+` lines?|lines? \d+)\b.*$`),
	is(Line, `(?:把|将|在|从)?`+f+inside+`\s*(?:的|，|,)?(?:把|将)?\s*`+nthHan+`[行条项](?:的内容)?\s*(?:都)?(?:改|换|替换|删|去掉|移除|写成|修改).*$`),
	is(Line, `(?:删除|删掉|去掉|修改)`+f+inside+`的?`+nthHan+`[行条项]`+end),
	is(Front, `(?:add|append|insert|put|write) .*(?:to|at|in) the (?:top|beginning|start|front|head) of `+f+`.*$`),
	is(Front, `(?:add|append|insert|put|write) .*\b(?:to|in|into) `+f+` (?:at|on|in) the (?:top|beginning|start|front|first line)`+end),
	is(Front, `(?:insert|add|put) .*\b(?:before|after|between|above|below) (?:the )?(?:`+nth+` |lines?\b).*(?P<f>`+file+`).*$`),
	is(Front, `(?:在|往|给|向)?`+f+`\s*(?:的|里面?的?)?(?:最?前面?|开头|最上面|顶部|首行|第一行之?前|第`+words.HanNumber+`行(?:之?[前后]面?|上面|下面))(?:再)?(?:加|添|插|写|放|补).*$`),

	is(Make, `(?:clear|empty|blank)(?: out)? (?P<whole>`+f+`)`+end),
	is(Make, `(?:把|将)?(?P<whole>`+f+`)\s*(?:给我)?(?:清空)(?:掉|一下)?`+end),
	is(Make, `清空(?:一下)?(?P<whole>`+f+`)`+end),

	// all of it by another text
	is(Make, `(?:把|将)?(?P<whole>`+f+`)`+inside+`\s*的?(?:全部|所有|整个)?的?(?:内容|全文|正文|文字|文本)?(?:都|全部|全)?`+turned+`\s*(?:[:：]\s*(?P<t>\S.*)$|(?P<q>`+many+`)`+end+`)`),
	is(Make, `(?:replace|change|rewrite|set|overwrite|update) (?:all |everything |the |whole |entire |text |contents? |of |in )*(?P<whole>`+f+`) (?:with|by|to|as)\s*(?:the text |the words )?(?:[:：]\s*(?P<t>\S.*)$|(?P<q>`+many+`)`+end+`)`),

	// another passage
	is(Change, `(?:把|将)(?P<o>`+quote+`|[^\s].*?)(?P<all>都|全部)?`+turned+`(?P<n>`+quote+`|[^\s，,].*?)[，,]\s*(?:就?在)?`+f+inside+end),
	is(Change, `(?:replace|change|swap|turn|correct|update|edit|fix|substitute) (?P<all>(?:all|every|each|all the|any) )?(?:of the )?(?:(?:the |each )?(?:words?|texts?|lines?|passage|phrase|occurrences? of|place) )*(?P<o>`+quote+`|[^\s].*?) (?:with|by|to|into|for) (?P<n>`+quote+`|[^\s].*?)(?P<all2> (?:everywhere|in all places|throughout))? (?:in|inside|of|within|throughout) `+f+`(?P<all3> everywhere)?`+end),
	is(Change, `in `+f+`,? ?(?:please )?(?:replace|change|swap|turn|correct|update|edit|fix|substitute) (?P<all>(?:all|every|each|all the|any) )?(?:(?:the |each )?(?:words?|texts?|lines?|passage|phrase|occurrences? of|place) )*(?P<o>`+quote+`|[^\s].*?) (?:with|by|to|into|for) (?P<n>`+quote+`|[^\s].*?)(?P<all2> everywhere)?`+end),
	is(Change, `(?:edit|change|update) `+f+`(?: so that| such that)?[:,，]? ?(?:replace |change )?(?P<o>`+quote+`) (?:with|by|to|into|becomes?|->|→|=>) (?P<n>`+quote+`)`+end),
	is(Change, `(?:把|将|在|修改|编辑)?`+f+inside+`\s*的?[,，:：]?\s*(?:的)?(?:把|将)?(?P<all>所有|全部|每一?[个处])?的?(?P<o>`+quote+`|[^\s`+"`"+`].*?)(?P<all2>都|全部|全|统统)?`+turned+`(?P<n>`+quote+`|[^\s].*?)`+end),
	is(Change, `用(?P<n>`+quote+`)(?:替换|换掉|代替)(?:掉)?`+f+inside+`的?(?P<all>所有|全部)?的?(?P<o>`+quote+`)`+end),
	is(Change, `(?:remove|delete|erase|take|strike|cut|cross) (?:out )?(?P<all>(?:all|every|each) )?(?:(?:the |each )?(?:words?|texts?|lines?|passage|phrase|item|entry) )*(?P<o>`+quote+`|[^\s].*?) (?:from|in|out of|off|on) `+f+end),
	is(Change, `(?:in|from) `+f+`,? ?(?:remove|delete|erase|take out|strike|cut) (?:the )?(?:words?|texts?|lines?|passage )*(?P<o>`+quote+`|[^\s].*?)`+end),
	is(Change, `(?:把|将|从|在)?`+f+inside+`\s*的?\s*(?:把|将)?(?P<all>所有|全部)?的?(?P<o>`+quote+`|[^\s].*?)(?:这一?[行条项段个词])?(?P<all2>都|全部)?(?:给)?(?:删除|删掉|删了|删去|去掉|移除|划掉|擦掉)(?:掉)?`+end),
	is(Change, `(?:从|在)?`+f+inside+`\s*(?:删除|删掉|删去|去掉|移除|划掉|擦掉)(?P<o>`+quote+`|[^\s].*?)(?:这一?[行条项段个词])?`+end),
	is(Change, `(?:删除|删掉|删去|去掉|移除)`+f+inside+`的?(?P<o>`+quote+`)(?:这一?[行条项段个词])?`+end),

	// a text at its end
	is(Add, `(?:append|add) to `+f+`\s*,?\s*`+kind+text),
	is(Add, `(?:add|append|attach|insert) `+kind+texts+`,? (?:to|into|onto|in|on|at) (?:the )?(?:(?:very )?(?:end|bottom|tail) of )?`+f+`(?: at the (?:end|bottom))?`+end),
	is(Add, `(?:add|append|attach|insert) `+kind+`(?:to|into|onto|in|on|at) (?:the )?(?:(?:very )?(?:end|bottom|tail) of )?`+f+`(?: at the (?:end|bottom))?\s*,?\s*`+text),
	is(Add, `(?:in|to|at the end of) `+f+`,? ?(?:please )?(?:add|append|attach|insert) `+kind+text),
	is(Add, `(?:在|往|给|向|到|朝)?`+f+inside+atEnd+`(?:再|继续|又|，|,)*(?:追加|加上|加入|加|添加|添上|添|补上|补充|补|附上|附加|增加|接上|插入)(?:上|入|进去)?\s*`+kindHan+text),
	is(Add, `(?:把|将)`+texts+`\s*(?:再)?(?:追加|添加|加|添|补充?|附加?|增加)(?:到|进|入|在|至|上)*`+f+inside+atEnd+`(?:去|里)?`+end),
	is(Add, `(?:追加|添加|加|添|补充?|增加)(?:一?[行条句项个])?\s*`+texts+`\s*(?:到|进|入|在|至)+`+f+inside+atEnd+`(?:去|里)?`+end),

	whole(Add, `(?:add|append) (?:(?:a|one|another|some|more) )?(?:new )?(?:lines?|text|something) (?:to|at) (?:the )?(?:(?:end|bottom) of )?`+f+end),
	whole(Add, `(?:在|往|给|向)?`+f+inside+atEnd+`(?:再)?(?:追加|加上?|添加|添|补充?)(?:一?[行条句段](?:话|文字|内容)?|内容|文字|点?东西)`+end),

	// a text into it
	is(Make, `(?:save|store|keep|export) (?:this |the |that )?`+kind+texts+`,? (?:as|under(?: the name)?|in(?:to)? a (?:new )?(?:file|note)(?: called| named)?|to a (?:new )?(?:file|note)(?: called| named)?|in a (?:new )?(?:file|note)(?: called| named)?) `+article+`(?:new )?`+f+end),
	is(Make, `(?:overwrite) `+f+` with `+kind+text),
	is(Put, `(?:write|save|put|store|note|jot|record|type|enter|log|keep)(?: down)? (?:this |that )?`+kind+texts+`(?: down)?,? (?:in|to|into|as|under|on|onto) `+article+`(?:new )?`+f+end),
	is(Put, `(?:write|save|put|store|note|jot|record|type|enter|log)(?: down)? (?:this |that |the following )?`+kind+`(?:in|to|into|as|under|on|onto) `+article+`(?:new )?`+f+`\s*,?\s*`+text),
	is(Make, `(?:把|将)`+texts+`\s*(?:给我)?(?:保存|另存|存储|储存|存|写)(?:成|为)(?:一?[个份]?)(?:新的?)?`+f+end),
	is(Put, `(?:把|将)`+texts+`\s*(?:给我)?(?:保存|存储|储存|存|写|记录?|记下来?|输入|录入|放|填|抄)(?:到|在|进|入|至|去|下来)*`+f+inside+`(?:去)?`+end),
	is(Put, `(?:保存|存|写|记下?|记录|放)(?:一下)?\s*(?P<q>`+many+`)\s*(?:到|成|为|在|进|入)+`+f+inside+end),
	is(Put, `(?:在|往|向)`+f+inside+`\s*(?:再)?(?:写上?|写入|写进|写下|记上?|记下|记录|放上?|输入|填上?|填入|存入)(?:去)?\s*`+kindHan+text),

	// notes whose file is not named
	is(Read, `(?P<note>(?:what (?:did|have) i (?:note|noted|write down|written down|jot down)(?: down)?|(?:(?:show|read|list|open|see)(?: me)? |what(?:'s| is| are) in )?(?:all )?(?:my|the) (?:notes|memos?)|what do(?:es)? (?:my|the) (?:notes?|memos?) (?:say|contain|hold)))`+end),
	is(Read, `(?P<note>(?:(?:看看|看一?下|看|查看|打开|读一?下|显示|列出|念一?下)?(?:一下)?我?的?(?:备忘录?|笔记|便签)(?:本|内容)?(?:里面?)?(?:都)?(?:写|有|记)?(?:了|着)?(?:些)?(?:什么|啥|哪些)?|我?(?:都|刚才|之前)?记了(?:些)?(?:什么|啥|哪些)))`+end),
	is(Put, `(?P<note>(?:note|write|jot|put) (?:(?:this|that|it) )?down|(?:(?:make|take|add|keep|write|save|store|create|record) a (?:quick |short |new )?|new )(?:note|memo)|note to self|memo|(?:note|remember|keep in mind)(?: this| that)?)(?: (?:of this|for me|that))?\s*(?:[:：]\s*(?P<t>\S.*)$|(?P<q>`+many+`)`+end+`)`),
	is(Put, `(?P<note>(?:note|write|jot) down|(?:make|take) a note)(?: that| to| of)? (?P<l>[^\s:：].*?)`+end),
	is(Put, `(?P<note>(?:save|store|write|create|record) a (?:quick |short |new )?(?:note|memo)) (?:that(?: says)?|saying) (?P<l>[^\s:：].*?)`+end),
	is(Put, `(?P<note>(?:记|记录|写|做|加|建|新建|创建|新增|添加|存|存下|保存|存储)(?:一?[个条份])?(?:笔记|备忘录?|便签|便条|小?纸条)|备忘|(?:记录?|写|记着|记住)(?:一?下来?|下来?)|记一?笔|记个事)(?:内容)?(?:是|为)?\s*(?:[:：，,]\s*(?P<t>[^\s“「"].*)$|[:：，,]?\s*(?P<q>`+many+`)`+end+`)`),
	is(Put, `(?P<note>记(?:一下|下|一笔))(?P<l>[^\s:：，,].*?)`+end),

	// a new one
	is(Make, `(?:create|make|write|start|open|new|begin|set up|put together|generate|save|prepare|add|i need|i want|give me) (?:me |us )?`+article+`(?:new |empty |blank |text |plain |small |short |little |simple |markdown |csv |json )*(?:(?:file|note|document|list|memo|text)(?: file)?,? )?(?:(?:called|named|titled|with (?:the )?(?:file)?name|by the name of|as) )?`+f+`\s*(?:(?:,|and)? ?\b(?:with|containing|contains|that (?:says|reads|contains|has)|holding|saying|which (?:says|contains)|and (?:write|put|add|type)|having|reading|its? (?:text|contents?) (?:is|are|should be|being))\b)\s*(?:as )?(?:(?:the|a|this|these|following|some|one|two|three|its) )*(?:(?:single )?(?:texts?|contents?|lines?|words?|sentences?)\b)?(?: (?:in|into|to|on) it| there| inside)?(?: of)?\s*`+text),
	is(Make, `(?:create|make|write|start|new|begin|set up|generate|save|prepare|add|i need|i want) (?:me |us )?`+article+`(?:new |text |plain |small |short |little |simple |markdown |csv |json )*(?:(?:file|note|document|list|memo|text)(?: file)?,? )?(?:(?:called|named|titled|with (?:the )?(?:file)?name|by the name of|as) )?`+f+`\s*(?:[:：]\s*(?P<t>\S.*)$|,?\s*(?P<q>`+many+`)`+end+`)`),
	whole(Make, `(?:create|make|start|new|begin|set up|generate|touch|i need|i want) (?:me |us )?`+article+`(?:new |empty |blank |text |plain |small |short |markdown |csv |json )*(?:(?:file|note|document|list|memo|text)(?: file)?,? )?(?:(?:called|named|titled|with (?:the )?(?:file)?name|by the name of|as) )?`+f+end),
	is(Make, `(?:create|make|write|start|new|begin|set up|generate|save) (?:me |us )?`+article+`(?:new |text |plain |small |short )*(?:file|note|memo)(?: (?:called|named|titled) (?P<name>[\w-]+))?,? (?:with|containing|that says|saying) (?:the )?(?:text|content|line|words)?\s*[:：]?\s*(?P<q>`+many+`)`+end),
	is(Make, `(?:新建|创建|建立|建|新增|生成|写|做|弄|开|来|存)(?:立|好|成|为)?(?:一?[个份篇张])?(?:新的?|空的?|空白的?|文本)*(?:的)?(?:文件|文档|笔记|备忘录?|便签|清单|列表)?(?:，|,)?(?:的)?(?:名字|文件名|名称)?(?:就?叫做?|命名为|名为|为|是|:|：)?`+f+`\s*(?:，|,|。|;|；|：|:)?\s*`+being+`\s*(?:，|,)?\s*(?:[:：]\s*(?P<t>\S.*)$|(?P<q>`+many+`)`+end+`)`),
	is(Make, `(?:新建|创建|建立|建|新增|生成|写|做|弄|开|来|存)(?:立|好|成|为)?(?:一?[个份篇张])?(?:新的?|空的?|空白的?|文本)*(?:的)?(?:文件|文档|笔记|备忘录?|便签|清单|列表)?(?:，|,)?(?:的)?(?:名字|文件名|名称)?(?:就?叫做?|命名为|名为|为|是|:|：)?`+f+`\s*(?:，|,|。|;|；)?\s*(?:内容|里面的?内容|正文|文字|文本|里面)(?:就?是|为|写上?|写着|写入|放上?|加上|记上?|有)\s*(?:，|,)?\s*(?P<l>[^\s:：].*?)`+end),
	whole(Make, `(?:新建|创建|建立|建|新增|生成|弄|开|来)(?:立|好)?(?:一?[个份篇张])?(?:新的?|空的?|空白的?|文本)*(?:的)?(?:文件|文档|笔记|备忘录?|便签|清单|列表)?(?:，|,)?(?:的)?(?:名字|文件名|名称)?(?:就?叫做?|命名为|名为|为|是|:|：)?`+f+end),
	is(Make, `(?:新建|创建|建立|建|新增|生成|写|做)(?:立|好)?(?:一?[个份篇])?(?:新的?|文本)*(?:文件|笔记|备忘录?|便签)(?:，|,)?(?:的)?(?:(?:名字)?(?:就?叫做?|命名为|名为)(?P<name>[\p{Han}\w-]{1,20}))?\s*(?:，|,|。|;|；|：|:)?\s*`+being+`\s*(?:，|,|：|:)?\s*(?P<q>`+many+`)`+end),

	// some of its lines
	is(Read, `(?:(?:show|read|give|print|tell|display|see|get|what(?:'s| is| does| are| do)?|which is)\s+)?(?:me )?(?:only |just )?(?:the )?(?P<line>`+nth+`) line (?:says? )?(?:of|in|from|on) `+f+`(?: says?)?`+end),
	is(Read, `(?:(?:show|read|give|print|tell|display|see|get|what(?:'s| is| does)?)\s+)?(?:me )?(?:only |just )?(?:the )?lines? (?P<line>\d+)(?:\s*(?:-|–|to|until|through)\s*(?P<to>\d+))? (?:of|in|from|on) `+f+`(?: says?)?`+end),
	is(Read, `(?:(?:show|read|give|print|tell|display|see|get|what(?:'s| is| are)?)\s+)?(?:me )?(?:only |just )?(?:the )?(?P<side>first|last) (?P<n>\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve) lines (?:of|in|from|on) `+f+end),
	is(Read, `(?:what (?:does|is)|show me|read) (?:on |in )?(?:the )?(?P<line>`+nth+`) line (?:of|in) `+f+` say`+end),
	is(Read, `(?:看看|看一?下|看|查看|打开|读取?|读一?下|显示|展示|输出|念一?下)?(?:一下)?`+f+inside+`\s*的?(?P<line>`+nthHan+`)行(?:到第?(?P<to>`+words.HanNumber+`)行)?(?:都)?(?:的内容|的文字)?(?:写|是|有|说)?(?:的是|着|了)?(?:什么|啥|哪些)?(?:内容)?`+end),
	is(Read, `(?:看看|看一?下|看|查看|打开|读取?|读一?下|显示|展示|输出|念一?下)?(?:一下)?`+f+inside+`\s*的?(?P<side>前|后|最后|末尾?|最前面?|开头)(?:的)?(?P<n>`+words.HanNumber+`)行(?:的内容)?(?:写|是|有|说)?(?:的是|着|了)?(?:什么|啥|哪些)?`+end),

	// all of it
	is(Read, `(?:show|read|open|print|cat|display|view|see|type out|look (?:at|into|in|inside)|check|let me see|give|tell|i want to see|list)(?: me| us)?(?: out| aloud| back)?(?: what(?:'s| is| stands| i have)?(?: written| there)? (?:in|inside|on))?(?: the| all the| all of the| all)?(?: (?:contents?|text|whole|full|entire|current|lines|latest|version|everything))*(?: of| in| from)? ?`+f+`(?: says| out)?`+end),
	is(Read, `what(?:'s|s| is| are| was| stands| do i have| have i(?: got)?| did i (?:write|put|save|note))? ?(?:(?:there|written|now|currently|still|left|the|all) )*(?:(?:contents?|text) )?(?:in|inside|of|on|into) `+f+`(?: now| at the moment| so far)?`+end),
	is(Read, `what (?:does|did|do) `+f+` (?:say|contain|hold|have(?: in it)?|look like|read)(?: now)?`+end),
	is(Read, `how does `+f+` (?:look|read)(?: now)?`+end),
	is(Read, `(?:看看|看一?看|看一?下|看|瞧瞧|查看|打开|读取?|读一?下|读一读|读出来|显示|展示|输出|打印|念一?下|念|翻开|给我看)(?:一下|出)?(?:我的|现在的)?`+f+inside+`\s*(?:都)?的?(?:全部|所有|完整|具体|现在)?(?:的)?(?:内容|全文|文字|正文)?(?:都)?(?:写|是|有|记|放|存|说)?(?:了|着)?(?:些)?(?:什么|啥|哪些)?(?:内容|东西|字)?(?:看看)?`+end),
	is(Read, `(?:把)?`+f+inside+`\s*(?:的)?(?:全部|所有|完整)?(?:的)?(?:内容|全文)?(?:都)?(?:给我看看|(?:读|念|说|显示|展示|发)给我(?:听|看)?(?:听|看)?|给我(?:读|念)(?:一?下)?|读|念|读一?下|念一?下|读出来|念出来|显示出来|打印出来|展示一?下|打开|看看|看一?下|给我看)`+end),
	is(Read, f+inside+`\s*(?:都|现在|目前|到底|一共|究竟|我)*(?:写|有|是|放|记|说|存|包含|保存|内容是|的内容是|装)(?:了|着|过)?(?:些)?(?:什么|啥|哪些)(?:内容|东西|字|事|事情|项)?`+end),
	is(Read, f+`\s*(?:里面?|中)?的?(?:全部|所有|完整|现在的)?(?:的)?(?:内容|全文|正文)(?:是什么|是啥|有哪些|是怎样的|怎么样)?`+end),
	is(Read, f+end),
}

// lead are the words before a wish that say nothing of it.
var lead = words.MustCompile(`(?is)^(?:\s|[,，。;；]|please\b|could you\b|can you\b|would you\b|will you\b|now\b|then\b|and\b|also\b|ok(?:ay)?\b|i(?:'d| would) like (?:you )?to\b|i want you to\b|let's\b|help me(?: to)?\b|go ahead and\b|first\b|finally\b|请问?|麻烦|帮忙?我?|替我|给我(?:们)?|劳驾|你|您|能不能|可不可以|能否|可以|我想要?|想|我要|我们|首先|先|最后(?:[，,]|再)|再|也|还|另外|并且?|然后|接着|随后|之后|现在|顺便|那么?|好的?|一下)*`)

// pronoun is a file that is not named.
var pronoun = words.MustCompile(`(?i)(?:这|那|该|此|刚才的?|刚刚的?|上面的?)(?:一?[个份篇])?(?:文件|笔记|文档)|它|\b(?:(?:that|this|the(?: same)?|my) (?:file|note)|it)\b`)

// parting are the words between wishes that are done one after the other; andThen may as well part two things.
var (
	parting = words.MustCompile(`(?i)[,，.。;；!！]?\s*(?:然后|接着|随后|之后再?|最后再?|\band then\b|\bthen\b|\bafter that,?\b|\bafterwards,?\b|\bfinally,?\b)\s*|[。;；!！\n]\s*|[.?!]\s+|[，,]\s*(?:再|并且?|同时|把|将|在|看看|打开)|[，,]?\s*\band (?:add|append|write|create|make|show|read|open|print|replace|change|delete|remove|rename|save|put|list|display|tell|count|find|run)\b`)
	// keepsWord: the last alternatives above begin a wish with a word of its own.
	keepsWord = words.MustCompile(`(?i)(?:把|将|在|看看|打开|\b(?:add|append|write|create|make|show|read|open|print|replace|change|delete|remove|rename|save|put|list|display|tell|count|find|run))$`)
)
