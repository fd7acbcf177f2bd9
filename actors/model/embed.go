package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// embedBatch is how many texts go in one request; the smallest limit known among vendors is 10 (DashScope), the usual 2048.
const embedBatch = 10

// Embed gives a vector for each text, in their order, all of the same length; nil for no texts. The client's model must be an
// embedding model. Fallbacks are not asked: another model's vectors lie in another space. Errors are those of [Client.Ask].
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for len(texts) > 0 {
		n := min(len(texts), embedBatch)
		var batch [][]float32
		f := c.insist(ctx, func() (f *failure) {
			batch, f = c.embed(ctx, texts[:n])
			return f
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if f == nil && len(out) > 0 && len(batch[0]) != len(out[0]) {
			f = &failure{kind: final, message: "the vectors differ in length"}
		}
		if f != nil {
			return nil, f.error(c.o.Model)
		}
		out = append(out, batch...)
		texts = texts[n:]
	}
	return out, nil
}

func (c *Client) embed(ctx context.Context, texts []string) ([][]float32, *failure) {
	ctx, x := c.begin(ctx, c.o.Timeout, c.o.Idle)
	defer x.stop()
	input := make([]string, len(texts))
	for i, t := range texts {
		if c.o.Mask != nil {
			t = c.o.Mask.Blank(t)
		}
		if input[i] = t; t == "" {
			input[i] = " " // servers refuse an empty text
		}
	}
	res, err := c.open(x).CreateEmbeddings(ctx, openai.EmbeddingRequestStrings{
		Input: input, Model: openai.EmbeddingModel(c.o.Model), ExtraBody: c.added(),
	})
	if err != nil {
		return nil, c.failed(ctx, x, c.o.Model, err)
	}
	out := make([][]float32, len(texts))
	for _, e := range res.Data {
		if e.Index < 0 || e.Index >= len(out) || out[e.Index] != nil || len(e.Embedding) == 0 || len(e.Embedding) != len(res.Data[0].Embedding) {
			return nil, &failure{kind: spoilt, message: "the vectors do not fit the texts"}
		}
		out[e.Index] = e.Embedding
	}
	if len(res.Data) != len(texts) {
		return nil, &failure{kind: spoilt, message: fmt.Sprintf("%d vectors came for %d texts", len(res.Data), len(texts))}
	}
	return out, nil
}

// added are the fields to add to each request; those to be removed are not there in the first place.
func (c *Client) added() map[string]any {
	extra := maps.Clone(c.o.Extra)
	maps.DeleteFunc(extra, func(_ string, v any) bool { return v == nil })
	return extra
}

// Space names what decides which vectors [Client.Embed] gives: the model and the fields added to requests, such as "dimensions". Vectors of
// different spaces cannot be compared.
func (c *Client) Space() string {
	extra, err := json.Marshal(c.added())
	if err != nil {
		extra = nil // New has tried it
	}
	return c.o.Model + " " + string(extra)
}

// Probe asks the endpoint for its list of models, once and for at most 10 s: nil means that it is there and takes the key.
// An endpoint without such a list counts as there. The error says what to do.
func (c *Client) Probe(ctx context.Context) error {
	const limit = 10 * time.Second
	within, x := c.begin(ctx, limit, limit)
	defer x.stop()
	_, err := c.open(x).ListModels(within)
	if err == nil {
		return nil
	}
	var api *openai.APIError
	var req *openai.RequestError
	if errors.As(err, &api) && api.HTTPStatusCode == http.StatusNotFound || errors.As(err, &req) && req.HTTPStatusCode == http.StatusNotFound {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return c.failed(within, x, c.o.Model, err).error(c.o.Model)
}
