package bus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// serverTag begins the tag that names the MCP server behind a tool.
const serverTag = "mcp:"

// ServerTag is the tag of a tool that an MCP server stands behind.
func ServerTag(server string) string { return serverTag + server }

// Server is the name of the MCP server behind a tool, by its tag; "" when there is none.
func (c Card) Server() string {
	for _, tag := range c.Tags {
		if name, ok := strings.CutPrefix(tag, serverTag); ok && ValidToken(name) {
			return name
		}
	}
	return ""
}

// ServerName is the name of the server that an entry of mcp_servers means: the entry itself, or one made from it when it is an address.
func ServerName(entry string) string {
	if ValidToken(entry) {
		return entry
	}
	sum := sha256.Sum256([]byte(entry))
	return "url-" + hex.EncodeToString(sum[:6])
}

// OpenTool is the tool that opens an MCP server at an address which a request names; who may name which is the configuration's business.
const OpenTool = "mcp_open"

// OnRequestTag marks the tools of an MCP server that only requests which name it are offered.
const OnRequestTag = "mcp-on-request"

// Penalty says that an MCP server is left out in a session for a while, because it failed there.
type Penalty struct {
	Until time.Time `json:"until"`
	Why   string    `json:"why"`
}

// maxPenalties bounds those that one session has at a time; more failures than that are not remembered.
const maxPenalties = 64

// Penalize leaves a server out in a session until p.Until; of two the later end counts. It is kept in the cache, so all nodes of the
// tenant see it, and losing it costs one more failure. [ErrBadName]; an error that wraps ctx's; otherwise the store's.
func (b *Bus) Penalize(ctx context.Context, session, server string, p Penalty) error {
	if !ValidToken(session) || !ValidToken(server) {
		return fmt.Errorf("penalize %.80q in session %.80q: %w", server, session, ErrBadName)
	}
	for n := 0; ; n++ {
		all, revision, err := b.penalties(ctx, session)
		if err != nil {
			return fmt.Errorf("penalize %s: %w", server, err)
		}
		if old, ok := all[server]; ok && !old.Until.Before(p.Until) || !ok && len(all) >= maxPenalties {
			return nil
		}
		all[server] = p
		body, err := json.Marshal(all)
		if err != nil {
			return fmt.Errorf("penalize %s: %w", server, err)
		}
		if _, err = b.Recache(ctx, penaltyKey(session), body, revision); !errors.Is(err, ErrFenced) {
			return err
		}
		if !b.again(ctx, n) { // a replica that lags gives the old revision for a while
			return fmt.Errorf("penalize %s: %w", server, b.ended(ctx))
		}
	}
}

// Penalties are the servers that are left out in a session now, by name. nil: none.
func (b *Bus) Penalties(ctx context.Context, session string) (map[string]Penalty, error) {
	if !ValidToken(session) {
		return nil, fmt.Errorf("penalties of session %.80q: %w", session, ErrBadName)
	}
	all, _, err := b.penalties(ctx, session)
	if len(all) == 0 {
		return nil, err
	}
	return all, err
}

// PenaltiesOfAll gives the penalties that hold now, of each session that has any.
func (b *Bus) PenaltiesOfAll(ctx context.Context) (map[string]map[string]Penalty, error) {
	sessions := map[string]map[string]Penalty{}
	err := b.AllCached(ctx, "penalty", func(session string, body []byte) {
		if all := parsePenalties(body); len(all) > 0 {
			sessions[session] = all
		}
	})
	return sessions, err
}

func penaltyKey(session string) string { return "penalty." + session }

func (b *Bus) penalties(ctx context.Context, session string) (map[string]Penalty, uint64, error) {
	body, revision, err := b.Cached(ctx, penaltyKey(session))
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return parsePenalties(body), revision, err
}

// parsePenalties reads those that have not ended; what cannot be read is none, for the cache is nobody's word.
func parsePenalties(body []byte) map[string]Penalty {
	var all map[string]Penalty
	if json.Unmarshal(body, &all) != nil || all == nil {
		return map[string]Penalty{}
	}
	now := time.Now()
	for server, p := range all {
		if !ValidToken(server) || !now.Before(p.Until) {
			delete(all, server)
		}
	}
	return all
}
