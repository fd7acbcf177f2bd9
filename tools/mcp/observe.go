package mcp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// maxKept is how many files of one result are kept, as many as the host hands on.
const maxKept = 64

// observe makes an observation of a result: what is structured as it is, texts as text (or as the JSON that they are), pictures, sounds
// and embedded files as artifacts.
func observe(ctx context.Context, call *tools.Call, r *mcp.CallToolResult) (any, error) {
	var texts []string
	files := 0
	keep := func(media, b64 string) {
		if files++; files > maxKept {
			return
		}
		data, err := base64.StdEncoding.DecodeString(b64)
		if err != nil {
			texts = append(texts, "[a "+clip(plain(media), 80)+" that cannot be decoded]")
			return
		}
		if f, err := call.Files.Put(ctx, fileName(call, files, media), clip(plain(media), 100), "from an MCP server", bytes.NewReader(data)); err == nil {
			call.Attach(f)
			texts = append(texts, fmt.Sprintf("[%s, %d bytes: %s]", f.Type, len(data), f.Name))
		} else {
			texts = append(texts, "[a file that could not be kept]")
		}
	}
	for _, content := range r.Content {
		switch v := content.(type) {
		case mcp.TextContent:
			texts = append(texts, v.Text)
		case mcp.ImageContent:
			keep(v.MIMEType, v.Data)
		case mcp.AudioContent:
			keep(v.MIMEType, v.Data)
		case mcp.ResourceLink:
			texts = append(texts, strings.TrimSpace(v.Name+" "+v.URI))
		case mcp.EmbeddedResource:
			switch inner := v.Resource.(type) {
			case mcp.TextResourceContents:
				texts = append(texts, inner.Text)
			case mcp.BlobResourceContents:
				keep(inner.MIMEType, inner.Blob)
			}
		}
	}
	if files > maxKept {
		texts = append(texts, fmt.Sprintf("[%d more files are left out]", files-maxKept))
	}
	text := strings.ToValidUTF8(strings.Join(texts, "\n\n"), "�")
	if r.IsError {
		if text == "" {
			text = "it failed without a word"
		}
		return nil, &bus.Error{Code: bus.CodeFailed, Message: "the MCP server says: " + clip(text, 3000)}
	}
	if len(r.RawStructuredContent) > 0 && string(r.RawStructuredContent) != "null" {
		return json.RawMessage(bytes.ToValidUTF8(r.RawStructuredContent, []byte("�"))), nil
	}
	if t := strings.TrimSpace(text); len(t) > 1 && (t[0] == '{' || t[0] == '[') && json.Valid([]byte(t)) {
		return json.RawMessage(t), nil
	}
	return text, nil
}

// fileName is the name of the nth file of a call, from 1.
func fileName(call *tools.Call, n int, media string) string {
	_, ending, _ := strings.Cut(media, "/")
	ending, _, _ = strings.Cut(ending, "+")
	if !bus.ValidToken(ending) || len(ending) > 8 {
		ending = "bin"
	}
	return fmt.Sprintf("%s-%d.%s", call.Request.Call, n, ending)
}
