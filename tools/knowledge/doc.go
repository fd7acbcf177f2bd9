// Package knowledge finds passages in a folder of Markdown files and says where they come from. It backs the tool
// search_rules, and ships a small set of shop rules in Chinese ([Rules]) so that it answers from the first start.
//
// # How a file is written
//
//	---
//	title: 运费问题纠纷处理        # else the first "# " heading, else the file's name
//	link: https://example.org/a   # where the text comes from; optional
//	words: [邮费, 快递费]           # other words people use for the subject; searched, never shown
//	note: 示例规则                 # shown with every passage of the file; optional
//	title_en: Freight disputes    # title and note for readers of English; optional
//	note_en: A sample.
//	---
//	Text before the first heading is a passage too.
//
//	## A heading starts a passage
//	来源: https://example.org/b
//	note: 备注 of this passage only
//	words: other words people use for this passage; searched, never shown
//	en: What it says, in English, for readers and questions in English; several such lines are joined
//	Its text …
//
// A line 来源:, source: or link: with an address, and a line 备注: or note:, belong to their passage and win over the front
// matter, as does note_en: beside a note: of its own, and a line words: or 又叫:. Headings inside code fences are text. A section longer than [MaxPassage] is cut between paragraphs.
//
// # How it is found
//
// BM25 over the stems of English words and pairs of Han characters (bleve). Words that only make a question of it (谁, 什么, 可以,
// how, the …) are dropped from the query first: they are a closed class of the language, not of these texts. A passage counts
// only when it holds enough of what is left of the query, rare words weighing more than common ones, so a question about
// something else finds nothing rather than the least bad passage.
package knowledge
