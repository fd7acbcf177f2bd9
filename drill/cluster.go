package drill

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Kinds of children.
const (
	kindNATS    = "NATS server"
	kindNode    = "node"
	kindGateway = "gateway"
	kindTools   = "tools"
	kindModel   = "model"
)

// cluster is all child processes and what stands between them.
type cluster struct {
	o   Options
	dir string

	children  []*child
	natsAddr  []string     // of the servers themselves, for the drill's own eyes
	monitor   []string     // their monitoring addresses
	gateways  []*proxy     // what clients connect to
	inner     []*proxy     // between the children and NATS or the model
	routes    [3][3]*proxy // from a NATS server to another one
	clients   []*proxy     // between the drill's own clients and NATS or the house; grows
	status    map[string]string
	config    string // the file that all share
	hand      string // URL of NATS for commands
	house     site
	houseNATS string // its URL, without a proxy

	mu      sync.Mutex // for the proxies, too
	crashes []string
	gave    map[string]int // the model's bad answers, by the names of the events
}

// lease is how long a node may be silent in the drill. Short, so that a takeover happens often; freezes are longer.
const lease = 2 * time.Second

// queueBound is how many submissions may wait: few, so that the queue is soon full.
const queueBound = 64

// build writes the files of a cluster and prepares its processes.
func build(o Options, dir string) (*cluster, error) {
	c := &cluster{o: o, dir: dir, status: map[string]string{}, gave: map[string]int{}}
	ports, err := freePorts(3*3 + 2 + 5 + 2 + 2)
	if err != nil {
		return nil, err
	}
	port := func() string { p := ports[0]; ports = ports[1:]; return p }
	for _, sub := range []string{"agents", "tmp", "log", "hand", "house", "node1", "node2", "gateway1", "gateway2", "tools"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, err
		}
	}
	for name, text := range agentFiles {
		if err := os.WriteFile(filepath.Join(dir, "agents", name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	if err := c.addNATS(port); err != nil {
		return nil, err
	}
	if err := c.add(kindModel, "model", func(int) []string { return []string{"drill-model"} }); err != nil {
		return nil, err
	}
	c.of(kindModel)[0].heard = c.heard
	link, err := newProxy("model", c.of(kindModel)[0].word) // each life has a port of its own
	if err != nil {
		return nil, err
	}
	c.inner = append(c.inner, link)
	c.config = filepath.Join(dir, "hmap.yaml")
	if err := os.WriteFile(c.config, fmt.Appendf(nil, configFile, queueBound, lease, link.addr(), filepath.Join(dir, "agents")), 0o600); err != nil {
		return nil, err
	}
	common := func(name string) ([]string, error) {
		urls, err := c.toNATS(name, &c.inner)
		if err != nil {
			return nil, err
		}
		status := "127.0.0.1:" + port()
		c.status[name] = status
		return []string{"--config", c.config, "--data", filepath.Join(dir, name), "--nats", urls, "--status", status, "--verbose"}, nil
	}
	if c.hand, err = c.toNATS("hand", &c.inner); err != nil {
		return nil, err
	}
	args, err := common("tools")
	if err != nil {
		return nil, err
	}
	tools := []string{"drill-tools", "--ledger", c.ledger(), fmt.Sprint("--lie=", o.Lie)}
	if err := c.add(kindTools, "tools", func(int) []string { return slices.Concat(args, tools) }); err != nil {
		return nil, err
	}
	for _, name := range []string{"node1", "node2"} {
		args, err := common(name)
		if err != nil {
			return nil, err
		}
		if err := c.add(kindNode, name, func(start int) []string {
			return slices.Concat(args, []string{"node", "--name", nodeName(name, start), "--tools", "none", "--agents", strings.Join([]string{master, left, right}, ",")})
		}); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"gateway1", "gateway2"} {
		args, err := common(name)
		if err != nil {
			return nil, err
		}
		at := "127.0.0.1:" + port()
		if err := c.add(kindGateway, name, func(int) []string { return slices.Concat(args, []string{"gateway", "--listen", at}) }); err != nil {
			return nil, err
		}
		door, err := newProxy(name, func() string { return at })
		if err != nil {
			return nil, err
		}
		c.gateways = append(c.gateways, door)
	}
	return c, c.addHouse(port)
}

// nodeName is the name of a node's nth life. Every fourth life keeps the name of the one before, as a node with a fixed name does.
func nodeName(name string, start int) string { return fmt.Sprintf("%s-%d", name, start-start/4) }

func (c *cluster) ledger() string { return filepath.Join(c.dir, "ledger.jsonl") }

func (c *cluster) addNATS(port func() string) error {
	clients, cluster := []string{port(), port(), port()}, []string{port(), port(), port()}
	for i := range 3 {
		var routes []string
		for j := range 3 {
			if i == j {
				continue
			}
			p, err := newProxy("route", func() string { return "127.0.0.1:" + cluster[j] })
			if err != nil {
				return err
			}
			c.routes[i][j] = p
			routes = append(routes, "nats://"+p.addr())
		}
		name := fmt.Sprintf("nats%d", i+1)
		monitor := port()
		file := filepath.Join(c.dir, name+".conf")
		text := fmt.Sprintf(natsFile, name, clients[i], monitor, filepath.Join(c.dir, name), cluster[i], strings.Join(routes, ", "))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		c.natsAddr = append(c.natsAddr, "127.0.0.1:"+clients[i])
		c.monitor = append(c.monitor, "127.0.0.1:"+monitor)
		if err := c.add(kindNATS, name, func(int) []string { return []string{"nats", "-c", file} }); err != nil {
			return err
		}
	}
	return nil
}

// toNATS makes three proxies of a child's own, one in front of each server, and gives their URLs.
func (c *cluster) toNATS(name string, into *[]*proxy) (string, error) {
	var urls []string
	for _, addr := range c.natsAddr {
		p, err := newProxy(name, func() string { return addr })
		if err != nil {
			return "", err
		}
		c.put(p, into)
		urls = append(urls, "nats://"+p.addr())
	}
	return strings.Join(urls, ","), nil
}

// put adds a proxy to those that are troubled.
func (c *cluster) put(p *proxy, into *[]*proxy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*into = append(*into, p)
}

// troubled are the proxies that are not in front of gateways.
func (c *cluster) troubled() []*proxy {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Concat(c.inner, c.clients)
}

// between are the proxies through which NATS server i comes to the others, and those through which they come to it.
func (c *cluster) between(i int) (from, to []*proxy) {
	for j := range c.routes {
		if j != i {
			from, to = append(from, c.routes[i][j]), append(to, c.routes[j][i])
		}
	}
	return from, to
}

// site is the cluster as clients come to it.
func (c *cluster) site() site {
	return site{doors: c.gateways, ledger: c.ledger(), each: clientsEach, look: c.residue, nats: func(name string) (string, error) { return c.toNATS(name, &c.clients) }}
}

// direct is the URL of the servers themselves.
func (c *cluster) direct() string { return "nats://" + strings.Join(c.natsAddr, ",nats://") }

func (c *cluster) add(kind, name string, args func(int) []string) error {
	log, err := os.OpenFile(filepath.Join(c.dir, "log", name+".log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	c.children = append(c.children, &child{name: name, kind: kind, exe: c.o.Exe, env: c.env(), args: args, log: log, crash: c.crash})
	return nil
}

func (c *cluster) crash(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.crashes = append(c.crashes, what)
}

// heard hears what the model says.
func (c *cluster) heard(line string) {
	if way, ok := strings.CutPrefix(line, Gave+" "); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.gave[answers+way]++
	}
}

// given is how many bad answers of a name the model gave.
func (c *cluster) given(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gave[name]
}

// of are the children of a kind.
func (c *cluster) of(kind string) []*child {
	var all []*child
	for _, ch := range c.children {
		if ch.kind == kind {
			all = append(all, ch)
		}
	}
	return all
}

// start starts everything, NATS first, and waits until all is ready.
func (c *cluster) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 90*time.Second)
	defer cancel()
	for _, kinds := range [][]string{{kindHouse}, {kindNATS, kindModel}, {kindTools}, {kindNode, kindGateway}} {
		for _, kind := range kinds {
			for _, ch := range c.of(kind) {
				if err := ch.start(); err != nil {
					return err
				}
			}
		}
		for _, kind := range kinds {
			if kind == kindHouse {
				continue // it fills the demo shop first; the cluster does not wait for that
			}
			for _, ch := range c.of(kind) {
				if err := ch.awaitReady(ctx); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// end ends everything.
func (c *cluster) end() {
	var all sync.WaitGroup
	for _, ch := range c.children {
		all.Go(ch.end)
	}
	all.Wait()
	for i := range c.routes {
		from, _ := c.between(i)
		for _, p := range from {
			p.close()
		}
	}
	for _, p := range append(c.troubled(), c.gateways...) {
		p.close()
	}
	for _, ch := range c.children {
		_ = ch.log.Close() // nothing is written any more
	}
}

// freePorts are ports of loopback that nobody listens on now, below those that systems give out by themselves: a child that is dead must find its own
// again, and not a connection of somebody else's, or a proxy, in its place.
func freePorts(n int) ([]string, error) {
	const lowest, highest = 20_000, 32_000
	var ports []string
	var held []net.Listener
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	for try := 0; len(ports) < n; try++ {
		port := strconv.Itoa(lowest + rand.IntN(highest-lowest))
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
		if err != nil {
			if try == 100*n {
				return nil, fmt.Errorf("no free ports from %d to %d: %w", lowest, highest, err)
			}
			continue
		}
		held = append(held, l)
		ports = append(ports, port)
	}
	return ports, nil
}
