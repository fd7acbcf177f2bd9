package document

import (
	"encoding/json"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/document/outline"
)

// schemaOf is the JSON Schema of a type, whole in itself, as a value to put into another.
func schemaOf(v any) map[string]any {
	r := jsonschema.Reflector{Anonymous: true, DoNotReference: true, ExpandedStruct: true, AllowAdditionalProperties: true}
	s := r.Reflect(v)
	s.Version = ""
	raw, err := json.Marshal(s)
	out := map[string]any{}
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		panic(err) // our own types
	}
	return out
}

func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and maps
	}
	return raw
}

type obj = map[string]any

func reportCard() bus.Card {
	return bus.Card{
		Name: reportTool,
		Kind: "tool",
		Description: "把对话中已经查到的结果做成文件：网页报告、PPT 幻灯片、Excel 表格、CSV、Word 文档、PDF 或 Markdown，含表格、图表和引用，可下载。默认用本次任务（或上一个任务）查到的结果；" +
			"也可以给出材料 material 或分节内容 sections。 " +
			"Makes a file of what the conversation has found: web page, slides, workbook, CSV, Word, PDF or Markdown, with tables and charts. Takes the results of this task " +
			"(or the one before) unless material or sections are given.",
		Parameters: encode(obj{
			"type": "object", "additionalProperties": false,
			"properties": obj{
				"format": obj{
					"type": "string", "title": "格式", "enum": formatNames(), "default": "html",
					"description": "文件格式：html 网页、pptx 幻灯片、xlsx 表格、csv、docx 文档、pdf、md。 The file's format.",
					"x-means": map[string][]string{
						"html": {"网页"}, "pptx": {"PPT", "幻灯片", "演示文稿", "演示", "slides", "slide deck", "deck", "presentation", "powerpoint"},
						"xlsx": {"表格", "报表", "excel", "工作簿", "spreadsheet", "workbook", "table"}, "docx": {"文档", "word", "document"}, "md": {"markdown"},
					},
				},
				"title":    obj{"type": "string", "title": "标题", "maxLength": 300, "description": "文档标题；不给则取自任务。 Title; by default what the task is about."},
				"subtitle": obj{"type": "string", "title": "一句话结论", "maxLength": 300, "description": "封面上的一行。 The conclusion in one sentence."},
				"theme":    obj{"type": "string", "title": "配色", "enum": outline.ThemeNames(), "description": "sea（蓝，默认）、ember（暖色）、night（深色）。 Colours."},
				"scope": obj{
					"type": "string", "title": "范围", "enum": []string{"task", "all"}, "description": "task：本次或上一个任务的结果（默认）；all：整个对话。 The results of this or the last task, or of the whole conversation.",
					"x-means": map[string][]string{"all": {"整个对话", "全部对话", "所有对话", "whole conversation", "entire conversation"}},
				},
				"columns": obj{
					"type": "array", "title": "列", "x-title-en": "Columns", "maxItems": outline.MaxColumns, "items": obj{"type": "string", "minLength": 1, "maxLength": 80},
					"description": "表格里只要这些列，按列名，例如「订单编号」「金额」；不给则全部。 The only columns that tables shall have, by their names.",
				},
				"material": obj{"type": "string", "title": "材料", "maxLength": maxMaterial, "description": "直接给出的内容（Markdown，可含表格），代替对话中的结果。 Content in Markdown, instead of the conversation's results."},
				"files": obj{
					"type": "array", "title": "文件", "maxItems": maxFiles, "items": obj{"type": "string", "minLength": 1, "maxLength": 200},
					"description": "要放进文档的会话文件（CSV、XLSX、JSON、Markdown、图片）的文件名或引用 obj:…。 Files of the session to put in, by name or reference.",
				},
				"sections": obj{"type": "array", "title": "各节", "maxItems": outline.MaxSections, "items": schemaOf(new(outline.Section)), "description": "分节内容，代替对话中的结果。 The sections, instead of the conversation's results."},
				"draft": obj{
					"type": "boolean", "title": "草稿", "default": false,
					"description": "长报告分几次写：先带 draft 逐次给出各节 sections，最后一次不带 draft 生成文件。 For long reports: give the sections in several calls with draft, then call without it to make the file.",
				},
				"sources": obj{"type": "array", "title": "来源", "maxItems": outline.MaxSources, "items": schemaOf(new(outline.Source)), "description": "正文中 [1]、[2] 引用的来源。 Sources cited as [1], [2]."},
			},
		}),
		Returns: encode(obj{
			"type": "object", "required": []string{"summary", "summary_en", "sections", "tables", "charts"},
			"properties": obj{
				"summary":    obj{"type": "string", "title": "结论", "x-title-en": "Summary"},
				"summary_en": obj{"type": "string", "title": "结论（英文）", "x-title-en": "Summary in English"},
				"file": obj{"type": "object", "title": "文件", "x-title-en": "File", "properties": obj{
					"ref": obj{"type": "string", "title": "引用"}, "name": obj{"type": "string", "title": "文件名"}, "type": obj{"type": "string", "title": "类型"},
					"bytes": obj{"type": "integer", "title": "字节"}, "description": obj{"type": "string", "title": "说明"},
				}},
				"sections": obj{"type": "integer", "title": "节数", "x-title-en": "Sections"},
				"tables":   obj{"type": "integer", "title": "表数", "x-title-en": "Tables"},
				"charts":   obj{"type": "integer", "title": "图数", "x-title-en": "Charts"},
			},
		}),
		Effect:  bus.Read, // it changes nothing that was there; asked again under the same call id it gives the same file
		Timeout: 3 * time.Minute,
		Tags:    []string{"documents", "报告", "报表", "幻灯片", "文档", "导出", "report", "slides", "deck", "export"},
	}
}

func formatNames() []string {
	var out []string
	for _, f := range Formats() {
		out = append(out, string(f))
	}
	return out
}
