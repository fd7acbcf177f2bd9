package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	maxPages  = 100     // of one listing
	maxListed = 8 << 20 // bytes of one listing
)

// tool is a tool as a server describes it.
type tool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  struct {
		Title       string `json:"title"`
		ReadOnly    *bool  `json:"readOnlyHint"`
		Destructive *bool  `json:"destructiveHint"`
		Idempotent  *bool  `json:"idempotentHint"`
	} `json:"annotations"`
}

// listing is what a server has.
type listing struct {
	tools  []tool
	unread int  // entries that are no tools
	cut    bool // there are more, which were not asked for
	// resources and prompts: it has any, or may have.
	resources, prompts bool
	begins             bool // it is none yet
	away               bool // the server is another node's, or stops
}

// list asks a server for its tools, page by page, up to most of those that are wanted. A server that turns in circles, or never comes to an end, is cut
// off and what it told so far is taken.
func (c *conn) list(ctx context.Context, wanted func(name string) bool, most int) (*listing, error) {
	l := &listing{resources: c.resources, prompts: c.prompts}
	if !c.tools {
		return l, nil
	}
	var cursor mcp.Cursor
	bytes := 0
	seen := map[mcp.Cursor]bool{}
	for range maxPages {
		var raw json.RawMessage
		request := mcp.ListToolsRequest{}
		request.Params.Cursor = cursor
		if _, err := c.client.ListToolsByPage(context.WithValue(ctx, listed{}, &raw), request); err != nil && raw == nil {
			return nil, c.explain(ctx, err)
		}
		var page struct {
			Tools []json.RawMessage `json:"tools"`
			Next  mcp.Cursor        `json:"nextCursor"`
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			return nil, fmt.Errorf("its list of tools is none: %w", err)
		}
		for _, text := range page.Tools {
			if bytes += len(text); len(l.tools) >= most || bytes > maxListed {
				l.cut = true
				return l, nil
			}
			var t tool
			if err := json.Unmarshal(text, &t); err != nil || t.Name == "" {
				l.unread++
				continue
			}
			if !wanted(t.Name) {
				continue
			}
			l.tools = append(l.tools, t)
		}
		if page.Next == "" {
			return l, nil
		}
		if seen[page.Next] {
			break
		}
		seen[page.Next], cursor = true, page.Next
	}
	if len(l.tools) == 0 {
		return nil, errors.New("its list of tools has no end")
	}
	l.cut = true
	return l, nil
}
