package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/hmap-project/hmap/bus"
)

// What a server has besides tools, resources and prompts, is reached by tools that we make for it, so that planner, limits, penalty
// and log hold for it as for the rest.

// besideTool is one of them.
type besideTool struct {
	card bus.Card
	do   deed
}

const (
	maxBesides = 200 // resources, templates or prompts in one list
	maxTurns   = 20  // pages asked for to make it
)

// besides are the tools for what the server has besides tools, as far as the configuration offers them.
func (l *listing) besides(s *Server) []besideTool {
	var out []besideTool
	add := func(name, en, zh, parameters, returns string, tags []string, do deed) {
		if !s.offers(name) {
			return
		}
		c := bus.Card{
			Name: Name(s.Name, name), Kind: "tool", Timeout: s.Timeout + slack, Effect: bus.Read, Approval: "never",
			Description: fmt.Sprintf(zh+" "+en, s.Name, s.Name), Parameters: json.RawMessage(parameters),
		}
		if returns != "" {
			c.Returns = json.RawMessage(returns)
		}
		if s.Approval != "" {
			c.Approval = s.Approval
		}
		c.Tags = append(s.tags(), tags...)
		out = append(out, besideTool{c, do})
	}
	if l.resources {
		add("list_resources", "Lists the resources of the MCP server %s: documents and data that it holds, with their addresses.", "列出 MCP 服务器 %s 的资源：它存有的文档和数据及其地址。",
			`{"type":"object","properties":{},"additionalProperties":false}`, inventorySchema, []string{"资源列表", "列出资源", "list resources"}, listResources)
		add("read_resource", "Reads a resource of the MCP server %s by its address.", "读取 MCP 服务器 %s 的一个资源。",
			`{"type":"object","required":["uri"],"properties":{"uri":{"type":"string","title":"资源地址","x-title-en":"Address","minLength":1,"maxLength":2000,"format":"uri",
				"description":"资源的 URI，见资源列表。 The URI of the resource, as the list of resources gives it."}},"additionalProperties":false}`, "", []string{"读取资源", "read resource"}, readResource)
	}
	if l.prompts {
		add("list_prompts", "Lists the prompts of the MCP server %s: texts prepared for a model, with their arguments.", "列出 MCP 服务器 %s 的提示词模板及其参数。",
			`{"type":"object","properties":{},"additionalProperties":false}`, inventorySchema, []string{"提示词列表", "列出提示词", "list prompts"}, listPrompts)
		add("get_prompt", "Gets a prompt of the MCP server %s, filled in.", "取得 MCP 服务器 %s 的一个填好的提示词。",
			`{"type":"object","required":["name"],"properties":{"name":{"type":"string","title":"提示词名称","x-title-en":"Name of the prompt","minLength":1,"maxLength":200},
				"arguments":{"type":"object","title":"参数","x-title-en":"Arguments","maxProperties":32,"additionalProperties":{"type":"string","maxLength":20000},"description":"按提示词列表填写。 As the list of prompts says."}},"additionalProperties":false}`,
			"", []string{"获取提示词", "get prompt"}, getPrompt)
	}
	return out
}

// inventory is what the lists return.
type inventory struct {
	Count     int     `json:"count"`
	Items     []thing `json:"items"`
	Templates []thing `json:"templates,omitempty"` // addresses with places to fill in
	More      bool    `json:"more,omitempty"`      // there are more than are listed
}

// thing is a resource, a template of resources, or a prompt.
type thing struct {
	URI         string     `json:"uri,omitempty"`
	Name        string     `json:"name"`
	Type        string     `json:"type,omitempty"`
	Description string     `json:"description,omitempty"`
	Arguments   []argument `json:"arguments,omitempty"`
}

type argument struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required,omitempty"`
}

const inventorySchema = `{"type":"object","required":["count","items"],"properties":{"count":{"type":"integer","title":"数量","x-title-en":"Count"},
	"items":{"type":"array","title":"列表","x-title-en":"List","items":{"type":"object","properties":{"name":{"type":"string","title":"名称","x-title-en":"Name"},
		"uri":{"type":"string","title":"地址","x-title-en":"Address"},"type":{"type":"string","title":"类型","x-title-en":"Type"},"description":{"type":"string","title":"说明","x-title-en":"Description"}}}},
	"templates":{"type":"array","title":"地址模板","x-title-en":"Templates","items":{"type":"object"}},"more":{"type":"boolean","title":"还有更多","x-title-en":"More"}}}`

// tell makes an inventory the result of a call.
func (i *inventory) tell() (*mcp.CallToolResult, error) {
	i.Count = len(i.Items)
	if i.Items == nil {
		i.Items = []thing{}
	}
	raw, err := json.Marshal(i)
	return &mcp.CallToolResult{RawStructuredContent: raw}, err
}

// pages asks for one page after the other until there are enough of what they hold; next gives the number so far and the next cursor.
func pages(next func(mcp.Cursor) (int, mcp.Cursor, error)) (more bool, err error) {
	var at mcp.Cursor
	seen := map[mcp.Cursor]bool{}
	for range maxTurns {
		n, to, err := next(at)
		switch {
		case err != nil:
			return false, err
		case to == "":
			return n > maxBesides, nil
		case n >= maxBesides, seen[to]:
			return true, nil
		}
		seen[to], at = true, to
	}
	return true, nil
}

func listResources(ctx context.Context, c *conn, _ json.RawMessage, meta *mcp.Meta) (*mcp.CallToolResult, error) {
	var out inventory
	more, err := pages(func(at mcp.Cursor) (int, mcp.Cursor, error) {
		var r mcp.ListResourcesRequest
		r.Params.Cursor, r.Params.Meta = at, meta
		page, err := c.client.ListResourcesByPage(ctx, r)
		if err != nil {
			return 0, "", err
		}
		for _, x := range page.Resources {
			out.Items = append(out.Items, thing{URI: line(x.URI, 2000), Name: line(x.Name, 200), Type: line(x.MIMEType, 100), Description: line(x.Description, 300)})
		}
		return len(out.Items), page.NextCursor, nil
	})
	if err != nil {
		return nil, err
	}
	moreOf, err := pages(func(at mcp.Cursor) (int, mcp.Cursor, error) {
		var r mcp.ListResourceTemplatesRequest
		r.Params.Cursor, r.Params.Meta = at, meta
		page, err := c.client.ListResourceTemplatesByPage(ctx, r)
		if err != nil {
			return 0, "", err
		}
		for _, x := range page.ResourceTemplates {
			t := thing{Name: line(x.Name, 200), Type: line(x.MIMEType, 100), Description: line(x.Description, 300)}
			if x.URITemplate != nil && x.URITemplate.Template != nil {
				t.URI = line(x.URITemplate.Raw(), 2000)
			}
			out.Templates = append(out.Templates, t)
		}
		return len(out.Templates), page.NextCursor, nil
	})
	if err != nil && ctx.Err() != nil { // a server need not have templates
		return nil, err
	}
	out.More = more || moreOf
	out.Items, out.Templates = out.Items[:min(len(out.Items), maxBesides)], out.Templates[:min(len(out.Templates), maxBesides)]
	return out.tell()
}

func readResource(ctx context.Context, c *conn, arguments json.RawMessage, meta *mcp.Meta) (*mcp.CallToolResult, error) {
	var r mcp.ReadResourceRequest
	if err := json.Unmarshal(arguments, &r.Params); err != nil {
		return nil, err
	}
	r.Params.Meta = meta
	got, err := c.client.ReadResource(ctx, r)
	if err != nil {
		return nil, err
	}
	out := &mcp.CallToolResult{}
	for _, content := range got.Contents {
		out.Content = append(out.Content, mcp.EmbeddedResource{Resource: content})
	}
	if len(out.Content) == 0 {
		return nil, &bus.Error{Code: bus.CodeInvalidParameter, Message: fmt.Sprintf("the MCP server holds nothing at %.200q", r.Params.URI)}
	}
	return out, nil
}

func listPrompts(ctx context.Context, c *conn, _ json.RawMessage, meta *mcp.Meta) (*mcp.CallToolResult, error) {
	var out inventory
	more, err := pages(func(at mcp.Cursor) (int, mcp.Cursor, error) {
		var r mcp.ListPromptsRequest
		r.Params.Cursor, r.Params.Meta = at, meta
		page, err := c.client.ListPromptsByPage(ctx, r)
		if err != nil {
			return 0, "", err
		}
		for _, x := range page.Prompts {
			t := thing{Name: line(x.Name, 200), Description: line(x.Description, 300)}
			for _, a := range x.Arguments[:min(len(x.Arguments), 32)] {
				t.Arguments = append(t.Arguments, argument{line(a.Name, 100), line(a.Description, 200), a.Required})
			}
			out.Items = append(out.Items, t)
		}
		return len(out.Items), page.NextCursor, nil
	})
	if err != nil {
		return nil, err
	}
	out.Items, out.More = out.Items[:min(len(out.Items), maxBesides)], more
	return out.tell()
}

// getPrompt gives the turns of a prompt one below the other, each after the name of who speaks.
func getPrompt(ctx context.Context, c *conn, arguments json.RawMessage, meta *mcp.Meta) (*mcp.CallToolResult, error) {
	var r mcp.GetPromptRequest
	if err := json.Unmarshal(arguments, &r.Params); err != nil {
		return nil, err
	}
	r.Params.Meta = meta
	got, err := c.client.GetPrompt(ctx, r)
	if err != nil {
		return nil, err
	}
	out := &mcp.CallToolResult{}
	for _, m := range got.Messages {
		if t, ok := m.Content.(mcp.TextContent); ok {
			t.Text = string(m.Role) + ": " + t.Text
			m.Content = t
		}
		out.Content = append(out.Content, m.Content)
	}
	return out, nil
}

// line is a stranger's text in one line of at most n bytes.
func line(text string, n int) string {
	return clip(strings.Join(strings.Fields(plain(text)), " "), n)
}

// roots are the folders that a server is told to keep to; whether it does is its own business.
type roots []string

// ListRoots tells them.
func (r roots) ListRoots(context.Context, mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	out := &mcp.ListRootsResult{}
	for _, dir := range r {
		at := filepath.ToSlash(dir)
		out.Roots = append(out.Roots, mcp.Root{URI: (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(at, "/")}).String(), Name: path.Base(at)})
	}
	return out, nil
}

func (r roots) check() error {
	if slices.ContainsFunc(r, func(dir string) bool { return !filepath.IsAbs(dir) || filepath.Clean(dir) != dir }) {
		return errors.New("a root is no absolute path of a folder")
	}
	return nil
}
