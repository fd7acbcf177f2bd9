package drill

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// kindHouse is hmap serve, everything in one process with its own NATS on its own data folder, and the drill's tools on that.
const kindHouse = "one process"

// site is where clients go: the cluster, or the house beside it.
type site struct {
	doors  []*proxy
	nats   func(name string) (url string, err error) // through proxies of the caller's own
	ledger string
	each   int // clients by WebSocket, and as many by NATS
	look   func(ctx context.Context, eyes *bus.Bus) (Residue, error)
}

// houseToken lets clients into the NATS of the house.
const houseToken = "drill"

// addHouse prepares the house and its tools, in processes of their own.
func (c *cluster) addHouse(port func() string) error {
	dir := filepath.Join(c.dir, "house")
	if err := os.WriteFile(filepath.Join(dir, "token"), []byte(houseToken), 0o600); err != nil {
		return err
	}
	text, err := os.ReadFile(c.config)
	if err != nil {
		return err
	}
	addr, page, config := "127.0.0.1:"+port(), "127.0.0.1:"+port(), filepath.Join(c.dir, "house.yaml")
	if err := os.WriteFile(config, fmt.Appendf(text, "nats: {listen: %q}\n", addr), 0o600); err != nil {
		return err
	}
	status := map[string]string{"house": "127.0.0.1:" + port(), "house-tools": "127.0.0.1:" + port()}
	if err := c.add(kindHouse, "house", func(int) []string {
		return []string{"--config", config, "--data", dir, "--status", status["house"], "--verbose", "serve", "--listen", page}
	}); err != nil {
		return err
	}
	c.houseNATS = "nats://" + houseToken + "@" + addr
	c.house = site{
		ledger: filepath.Join(c.dir, "ledger-house.jsonl"), each: 2,
		look: func(ctx context.Context, eyes *bus.Bus) (Residue, error) { return c.heldAndRun(ctx, eyes, status) },
		nats: func(name string) (string, error) {
			p, err := newProxy(name, func() string { return addr })
			if err != nil {
				return "", err
			}
			c.put(p, &c.clients)
			return "nats://" + houseToken + "@" + p.addr(), nil
		},
	}
	door, err := newProxy("house", func() string { return page })
	if err != nil {
		return err
	}
	c.put(door, &c.clients)
	c.house.doors = []*proxy{door}
	return c.add(kindHouse, "house-tools", func(int) []string {
		return []string{"--config", c.config, "--data", filepath.Join(c.dir, "tools"), "--nats", c.houseNATS, "--status", status["house-tools"], "--verbose",
			"drill-tools", "--ledger", c.house.ledger, fmt.Sprint("--lie=", c.o.Lie)}
	})
}

// throughHouse drills the house: for half of the time, with a share of the tasks, a kill every few seconds, and removals.
func (d *drill) throughHouse(ctx context.Context) (*Evidence, error) {
	starting, cancel := context.WithTimeout(ctx, 90*time.Second)
	defer cancel()
	for _, c := range d.c.of(kindHouse) {
		if err := c.awaitReady(starting); err != nil {
			return nil, err
		}
	}
	o := d.o
	o.Length, o.Tasks, o.Kills = o.Length/2, max(o.Tasks/6, 2), max(int(o.Length/(8*time.Second)), 1)
	h := &drill{o: o, c: d.c, site: d.c.house, natsURL: d.c.houseNATS, name: "house", book: newBook(), killed: d.c.of(kindHouse)[0]}
	return h.through(ctx, h.houseEvents())
}

// houseEvents are the troubles of the house.
func (d *drill) houseEvents() []event {
	r := rand.New(rand.NewPCG(d.o.Seed, 3))
	all := slices.DeleteFunc(removals(r, d.o.Length), func(e event) bool {
		return !strings.HasPrefix(e.way, byVerb) // a command on a folder whose server is dead would serve it itself
	})
	span := d.o.Length / time.Duration(d.o.Kills)
	for i := range d.o.Kills {
		all = append(all, event{at: span*time.Duration(i) + upTo(r, span), what: doKill, kind: kindHouse, d: upTo(r, 500*time.Millisecond)})
	}
	slices.SortStableFunc(all, func(a, b event) int { return int(a.at - b.at) })
	return all
}

// killHouse kills the house as soon as it is up, and starts it again.
func (t *trouble) killHouse(ctx context.Context, e event) {
	for !t.strike(t.house, kindHouse) {
		if wait(ctx, 20*time.Millisecond) != nil {
			return
		}
	}
	_ = wait(ctx, e.d) // ended early: it starts all the sooner
	t.revive(ctx, t.house)
}
