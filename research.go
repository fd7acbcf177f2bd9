package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/prompts"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/knowledge"
	"github.com/hmap-project/hmap/tools/search"
	"github.com/hmap-project/hmap/tools/web"
)

// researchTools are deep_search, web_fetch and, where the configuration has folders, search_documents. rules, if there are any, are searched beside these folders.
func (h *house) researchTools(rules *knowledge.Base) ([]tools.Tool, error) {
	c := h.config.Search
	pages := web.New(web.Options{Time: c.Page, Allow: c.Networks(), NoRobots: c.Robots != nil && !*c.Robots})
	h.closes = append(h.closes, pages.Close)
	engines, err := engines(c)
	if err != nil {
		return nil, err
	}
	var own []*knowledge.Base
	for _, path := range c.Folders {
		folder, err := search.Folder(path, h.log)
		if err != nil {
			return nil, fmt.Errorf("search.folders: %w; make it, or name another one in the configuration", err)
		}
		if folder.Len() == 0 {
			fmt.Fprintf(os.Stderr, "search.folders: %s has nothing to search yet; Markdown, text, HTML, PDF and DOCX files that are put there are found at once\n", path)
		}
		h.closes = append(h.closes, h.quietly(filepath.Base(path), folder.Close))
		own = append(own, folder)
	}
	ask, err := h.searchModel()
	if err != nil {
		return nil, err
	}
	folders := own
	if rules != nil {
		folders = append([]*knowledge.Base{rules}, own...)
	}
	s := search.New(search.Options{
		Engines: engines, AtOnce: c.AtOnce, Timeout: c.Timeout, Web: pages, Folders: folders, Rounds: c.Rounds, Queries: c.Queries, Pages: cmp.Or(c.Pages, -1),
		Time: c.Time, Ask: ask, Log: h.log,
	})
	all := []tools.Tool{s.Tool(), web.Tool(pages)}
	if len(own) > 0 {
		all = append(all, knowledge.Documents(rules, own...))
	}
	return all, nil
}

// engines are those of the configuration that can be used: with a key in the environment, or, of SearXNG, an address.
func engines(c configs.Search) ([]search.Engine, error) {
	var out []search.Engine
	for _, name := range c.Engines {
		base, key := "", os.Getenv(c.Keys[name])
		if name == "searxng" {
			base = c.SearXNG
		}
		if base == "" && key == "" {
			continue
		}
		e, err := search.NewEngine(name, base, key)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// searchModel asks a model for a search. nil: there is no model here.
func (h *house) searchModel() (func(context.Context, bus.Request, search.Prompt) (search.Reply, error), error) {
	ask, err := h.asker()
	if err != nil || ask == nil {
		return nil, err
	}
	texts, err := prompts.Load(h.config.Prompts)
	if err != nil {
		return nil, err
	}
	zone := h.config.Location()
	return func(ctx context.Context, call bus.Request, p search.Prompt) (search.Reply, error) {
		text, err := texts.Text(p.Language, p.Name, prompts.Vars{Task: p.Task, Context: p.Context, Text: p.Text, Date: time.Now().In(zone).Format(time.DateOnly)})
		if err != nil {
			return search.Reply{}, err
		}
		asked := model.Prompt{Language: p.Language, Schema: p.Schema, Messages: []model.Message{{Role: "user", Text: text}}}
		if p.OnText != nil {
			asked.OnDelta = func(channel, piece string) {
				if channel == "answer" {
					p.OnText(piece)
				}
			}
		}
		r, err := ask(ctx, call, asked)
		return search.Reply{Text: r.Answer, JSON: r.JSON, Usage: r.Usage}, err
	}, nil
}
