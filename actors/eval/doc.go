// Package eval plans whole files of requests and says how good the plans are. It serves the commands hmap plan --batch and hmap eval
// planner; nothing that works on a task imports it.
//
// # Files
//
// A file of requests has one a line, {"id","request","tools":[card, …]}; "context" is what is known beside the request, and both it and
// "tools" may be missing. A plan is {"id","calls":[{"tool_name","parameter":{"x":"literal"}}]}, where "$i.field" in place of a literal is a
// field of the observation of call number i of the same list, from 0. So [Batch] writes, and [Read] reads what is wanted. A catalogue is a
// JSON array of cards or one card behind the other ([Cards]).
//
// [Open] knows three public sets by their folders in one directory:
//
//	nestools    requests.jsonl and gold.jsonl; scored with the right tools given, and with all candidates of a row
//	seal-tools  dev.jsonl, with "tools_used" instead of "calls", and catalogue.jsonl
//	ecom-bench  tasks.jsonl and tools.json
//
// # Figures
//
// All are pooled over the rows of a set, and a request without a plan counts as an empty one.
//
//	tool F1    over multisets of the names of tools
//	nested F1  over parameters that take a field of another call: right when the plan takes the same field of the same tool for the
//	           same parameter of the same tool
//	literal F1 over the other parameters, equal after trimming and in small letters
//	exact      rows with the same tools and all references right
//	recall@10  wanted tools among the ten that the planner finds first for the whole request
//
// Planning is deterministic, and so are all figures but the times.
//
// # ECom-Bench: tool F1, top-1 per intent
//
// A task is the script of a customer with several intents, and the calls that serve it. Counted is:
//
//   - Each intent is planned by itself, as it stands in the script, with the task's own user_id, shop_id and platform as context.
//   - Said, for a task, are the first tools of the plans of its intents, each tool once.
//   - Wanted are the tools of the task's calls, searches and actions alike, each once: the script does not say which intent a call
//     serves, and how often it takes one (a refund for each of the orders found) depends on what the shop answers.
//   - F1 is pooled over the tasks. An intent that only tells a story wants no tool, so that a planner that names one for it loses
//     precision unless another intent wants the same.
package eval
