package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// list asks for the tools anew; once at a time.
func (s *server) list() {
	if s.listing {
		s.again = true
		return
	}
	s.listing = true
	c, config, most := s.conn, s.config, s.o.MaxTools
	s.beside.Go(func(ctx context.Context) any {
		ctx, cancel := context.WithTimeout(ctx, maxTimeout)
		defer cancel()
		list, err := c.list(ctx, config.offers, most)
		return &relisted{c, list, err}
	})
}

func (s *server) relisted(m *relisted) {
	s.listing = false
	if m.conn != s.conn || s.conn == nil {
		return
	}
	if m.err != nil { // a connection on which nothing can be listed is none
		s.drop(m.err)
		return
	}
	s.take(m.list)
	if s.again {
		s.again = false
		s.list()
	}
}

// take brings what is on the bus in line with a list.
func (s *server) take(l *listing) {
	s.listed = l
	if s.conn != nil {
		s.after(s.o.Refresh, relist{s.conn})
	}
	s.offer()
}

// offer adds and removes tools beside the actor, one list at a time; of those that come meanwhile the newest is next.
func (s *server) offer() {
	if s.busy || s.listed == s.taken {
		return
	}
	s.busy, s.taken = true, s.listed
	l, now, host, config := s.taken, maps.Clone(s.offers), s.host, s.config
	s.beside.Go(func(context.Context) any {
		return bring(host, s, config, l, now)
	})
}

// bring changes what is on offer from now to what the list says, and tells what came of it.
func bring(host *tools.Host, s *server, config *Server, l *listing, now map[string]bus.Card) *offered {
	wanted, refused := map[string]bus.Card{}, []string{}
	runs := map[string]deed{}
	refuse := func(name string, why error) {
		if len(refused) < 10 {
			refused = append(refused, clip(fmt.Sprintf("%.80q: %v", plain(name), why), 300))
		}
	}
	control := s.control()
	if config.Single && !l.away { // whoever runs it tells of it
		wanted[control.Card.Name] = control.Card
	}
	for i := range l.tools {
		t := &l.tools[i]
		c, err := card(config, t)
		if _, twice := wanted[c.Name]; twice {
			err = errors.New("the name is taken by another tool of this server")
		}
		if err != nil {
			refuse(t.Name, err)
			continue
		}
		wanted[c.Name], runs[c.Name] = c, calling(t.Name)
	}
	for _, e := range l.besides(config) { // what the server itself calls so goes before
		if _, taken := wanted[e.card.Name]; !taken {
			wanted[e.card.Name], runs[e.card.Name] = e.card, e.do
		}
	}
	for name, c := range now {
		if reflect.DeepEqual(wanted[name], c) {
			continue
		}
		if err := host.Remove(name); err != nil {
			refuse(name, err)
		}
		delete(now, name)
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if _, there := now[name]; there {
			continue
		}
		c := wanted[name]
		tool := control
		if do := runs[name]; do != nil {
			tool = tools.Tool{Card: c, Run: s.runs(do, c.Effect)}
		}
		if err := host.Add(tool); err != nil {
			refuse(name, err)
			continue
		}
		now[name] = c
	}
	if l.unread > 0 {
		refuse("", fmt.Errorf("%d entries of its list are no tools", l.unread))
	}
	return &offered{now, refused}
}

func (s *server) offered(m *offered) {
	s.busy, s.offers = false, m.cards
	l := s.taken
	if len(m.refused) > 0 && !slices.Equal(m.refused, s.face.Load().Refused) {
		s.o.Log.Warn("mcp: tools that cannot be offered", slog.String("server", s.config.Name), slog.String("which", strings.Join(m.refused, "; ")))
	}
	n := len(m.cards)
	if _, told := m.cards[ControlName(s.config.Name)]; told {
		n--
	}
	s.show(func(f *face) {
		f.Tools, f.Refused, f.More = n, m.refused, l.cut
		f.settled = f.settled || !l.begins
		if s.conn != nil {
			f.Listed = time.Now().UTC()
		}
	})
	if s.listed == s.taken && s.conn != nil { // else they were taken away, and whoever asked since waits for a try of its own
		s.answer(nil)
	}
	if s.stopped != nil {
		s.end()
		return
	}
	s.offer()
}
