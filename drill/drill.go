package drill

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus"
)

// Options of a drill.
type Options struct {
	Seed   uint64        // of the schedule and the tasks; what the machine makes of them differs each time
	Length time.Duration // of the trouble; starting, settling and the audit come on top
	Tasks  int           // how many are submitted, spread over the length
	Kills  int           // how many kill -9, spread over the length
	Keep   bool          // keep the evidence folder also when all is well
	Dir    string        // where the evidence folder is made; "": the system's folder for temporary files
	Out    io.Writer     // progress and table
	Live   bool          // Out is a terminal: progress is one line that changes
	Exe    string        // our own executable, which becomes each child
	Env    []string      // set for the children besides
	Lie    bool          // the tools break their word, see [Hands]
}

// ErrBreach says that a promise was broken; the table says which.
var ErrBreach = errors.New("the drill found a breach")

const (
	clientsEach   = 16                // by WebSocket, and as many by NATS
	settleWithin  = 100 * time.Second // for all tasks to end once the trouble is over; more than a budget, an ask and a silence take together
	emptyWithin   = 30 * time.Second  // for the index and the queue to be empty when all clients have seen the end of their tasks
	cleanWithin   = 60 * time.Second  // for what is left over to go: consumers of readers that vanished are kept for 30 s
	lateLookers   = 24                // sessions that are read once more at the end
	warmUp        = 12                // tasks before the first look, so that what is made at first use is there
	watchInterval = time.Second
)

// Run makes a drill and prints how it went. The error is [ErrBreach] when a promise was broken, and another one when the drill could
// not be made.
func Run(ctx context.Context, o Options) error {
	dir, err := os.MkdirTemp(o.Dir, "hmap-drill-")
	if err != nil {
		return err
	}
	d := &drill{o: o, book: newBook(), line: progress{out: o.Out, live: o.Live}, begun: time.Now()}
	if d.c, err = build(o, dir); err != nil {
		return err
	}
	defer d.c.end()
	e, house, err := d.run(ctx)
	d.line.clear()
	if err != nil {
		return fmt.Errorf("%w; what the children said is in %s", err, filepath.Join(dir, "log"))
	}
	findings, inHouse := Audit(e), Audit(house)
	for i, f := range inHouse {
		findings[i].Judged += f.Judged
		for _, breach := range f.Breaches {
			findings[i].Breaches = append(findings[i].Breaches, kindHouse+": "+breach)
		}
	}
	table(o.Out, e, house, findings, d.book)
	broken := false
	for _, f := range findings {
		broken = broken || len(f.Breaches) > 0
	}
	d.c.end()
	if !broken && !o.Keep {
		return os.RemoveAll(dir)
	}
	if err := errors.Join(keep(dir, e, findings), keep(filepath.Join(dir, "house-evidence"), house, inHouse)); err != nil {
		return err
	}
	fmt.Fprintf(o.Out, "evidence: %s\n", dir)
	if broken {
		return ErrBreach
	}
	return nil
}

// drill is one drill on its way, of the cluster or of the house beside it.
type drill struct {
	o Options
	c *cluster
	site
	natsURL string // without proxies
	name    string // what connections of the drill's own are called
	killed  *child // the only one that is killed; nil: the schedule says which
	book    *book
	eyes    *bus.Bus
	line    progress
	begun   time.Time
	phase   string
	buses   []*bus.Bus
}

// run gives the evidence of the cluster and of the house, which are drilled at the same time.
func (d *drill) run(ctx context.Context) (e, house *Evidence, err error) {
	d.phase = "starting"
	stop := d.watch(ctx)
	defer stop()
	if err := d.c.start(ctx); err != nil {
		return nil, nil, err
	}
	d.site, d.natsURL, d.name = d.c.site(), d.c.direct(), "drill"
	ctx, cancel := context.WithCancel(ctx)
	var beside sync.WaitGroup
	var inHouse error
	beside.Go(func() {
		if house, inHouse = d.throughHouse(ctx); inHouse != nil {
			inHouse = fmt.Errorf("%s: %w", kindHouse, inHouse)
			cancel()
		}
	})
	e, err = d.through(ctx, schedule(d.o.Seed, d.o.Length, d.o.Kills))
	if err != nil {
		cancel()
	}
	beside.Wait()
	cancel()
	if err = errors.Join(err, inHouse); err != nil {
		return nil, nil, err
	}
	alarms, err := d.c.alarms()
	d.c.mu.Lock()
	defer d.c.mu.Unlock()
	e.Crashes = append(alarms, d.c.crashes...)
	e.Counts = maps.Clone(e.Counts) // the book's are still looked at
	maps.Copy(e.Counts, d.c.gave)
	return e, house, err
}

// through takes a site through its tasks and troubles to the evidence.
func (d *drill) through(ctx context.Context, events []event) (*Evidence, error) {
	var err error
	if d.eyes, err = bus.Connect(ctx, bus.Options{URL: d.natsURL, Node: d.name}); err != nil {
		return nil, err
	}
	defer d.eyes.Close()
	defer func() {
		for _, b := range d.buses {
			b.Close()
		}
	}()
	e := &Evidence{Wanted: d.o, Stored: map[uint64]time.Time{}, Removed: map[uint64]bool{}}
	d.stage("warming up")
	if err := d.work(ctx, min(warmUp, 2*d.each), time.Second, nil, "u"); err != nil {
		return nil, err
	}
	if err := d.settle(ctx); err != nil {
		return nil, err
	}
	if e.Before, err = d.steady(ctx); err != nil {
		return nil, err
	}
	d.book.mu.Lock()
	e.Warm = len(d.book.tasks)
	d.book.mu.Unlock()
	d.stage("trouble")
	url, err := d.nats("hand")
	if err != nil {
		return nil, err
	}
	hand, err := bus.Connect(ctx, bus.Options{URL: url, Node: d.name + "-hand"})
	if err != nil {
		return nil, err
	}
	defer hand.Close()
	if d.killed == nil {
		e.Planned = planned(events, d.o.Length)
	}
	trouble := &trouble{c: d.c, book: d.book, eyes: d.eyes, hand: hand, house: d.killed}
	if err := d.work(ctx, d.o.Tasks, d.o.Length, func(ctx context.Context) error { return trouble.run(ctx, events) }, "t"); err != nil {
		return nil, err
	}
	d.stage("cleaning up")
	if err := d.settle(ctx); err != nil {
		return nil, err
	}
	// What a kill cut off the next sweep ends.
	if _, err := hand.Sweep(ctx, bus.Retention{}); err != nil {
		return nil, err
	}
	hand.Close()
	d.stage("auditing")
	return e, d.gather(ctx, e)
}

// work lets the clients work on n tasks spread over a time, with the trouble beside it, and returns when all tasks have ended or
// have had the time to.
func (d *drill) work(ctx context.Context, n int, length time.Duration, trouble func(context.Context) error, name string) error {
	clients, err := d.clients(ctx)
	if err != nil {
		return err
	}
	life, end := context.WithCancel(ctx)
	defer end()
	open, shut := context.WithCancel(life)
	defer shut()
	feeds := [2]chan *Told{make(chan *Told), make(chan *Told)}
	var feeding, working sync.WaitGroup
	for i, client := range clients {
		working.Go(func() { client(life, feeds[i%2]) })
	}
	feeding.Go(func() {
		defer close(feeds[0])
		defer close(feeds[1])
		r := rand.New(rand.NewPCG(d.o.Seed, uint64(len(name))+uint64(n)))
		begun := time.Now()
		for i := range n {
			t := &Told{Name: fmt.Sprintf("%s%d", name, i), Client: byWindow, Cancel: r.IntN(12) == 0}
			t.Script = compose(r, t.Name)
			if i%2 == 1 {
				t.Client = []string{bySubmit, byAsk, byPub, byPlain}[r.IntN(4)]
			}
			if wait(open, length*time.Duration(i)/time.Duration(n)-time.Since(begun)) != nil {
				return
			}
			select {
			case feeds[i%2] <- t:
			case <-open.Done():
				return
			}
		}
	})
	if trouble != nil {
		if err := trouble(ctx); err != nil {
			return err
		}
		d.stage("settling")
	}
	closing := time.AfterFunc(length/4+30*time.Second, shut) // what was too much for the time is not begun any more
	defer closing.Stop()
	feeding.Wait()
	late := time.AfterFunc(settleWithin, end) // who has not ended by then has no end: the audit will say so
	defer late.Stop()
	working.Wait()
	return ctx.Err()
}

// clients makes them: of two feeds, one is for those by WebSocket, the other for those by NATS.
func (d *drill) clients(ctx context.Context) ([]func(context.Context, <-chan *Told), error) {
	if len(d.buses) == 0 {
		for i := range d.each {
			urls, err := d.nats(fmt.Sprint("client", i))
			if err != nil {
				return nil, err
			}
			b, err := bus.Connect(ctx, bus.Options{URL: urls, Node: fmt.Sprint(d.name, "-", i)})
			if err != nil {
				return nil, err
			}
			d.buses = append(d.buses, b)
		}
	}
	var all []func(context.Context, <-chan *Told)
	for i := range d.each {
		r := rand.New(rand.NewPCG(d.o.Seed, uint64(100+i)))
		w := &window{doors: d.doors, book: d.book, r: r, door: i}
		js, err := jetstream.New(d.buses[i].Conn())
		if err != nil {
			return nil, err
		}
		n := &direct{bus: d.buses[i], js: js, book: d.book, r: rand.New(rand.NewPCG(d.o.Seed, uint64(200+i)))}
		all = append(all, w.run, n.run)
	}
	return all, nil
}

// settle waits until the index of open tasks and the queue are empty.
func (d *drill) settle(ctx context.Context) error {
	late := time.Now().Add(emptyWithin)
	for ctx.Err() == nil && time.Now().Before(late) {
		open, err := d.eyes.OpenTasks(ctx)
		if err == nil && len(open) == 0 {
			js, err := jetstream.New(d.eyes.Conn())
			if err != nil {
				return err
			}
			if s, err := js.Stream(ctx, bus.TaskStream); err == nil && s.CachedInfo().State.Msgs == 0 {
				return nil
			}
		}
		_ = wait(ctx, 200*time.Millisecond)
	}
	return ctx.Err() // what is left the audit will find
}

// steady looks at what the cluster holds until that does not change any more.
func (d *drill) steady(ctx context.Context) (Residue, error) {
	var last Residue
	late := time.Now().Add(cleanWithin)
	for {
		now, err := d.look(ctx, d.eyes)
		if err == nil && fmt.Sprint(now.Consumers, now.Connections, now.Subscriptions) == fmt.Sprint(last.Consumers, last.Connections, last.Subscriptions) || time.Now().After(late) {
			return now, err
		}
		last = now
		if err := wait(ctx, 3*time.Second); err != nil {
			return last, err
		}
	}
}

// gather brings the evidence together.
func (d *drill) gather(ctx context.Context, e *Evidence) error {
	// What vanished readers leave behind goes by itself after a while.
	for late := time.Now().Add(cleanWithin); ; {
		var err error
		if e.After, err = d.look(ctx, d.eyes); err == nil && len(nothingLeft(e)) == 0 {
			break
		}
		if time.Now().After(late) {
			if err != nil {
				return err
			}
			break
		}
		if err := wait(ctx, time.Second); err != nil {
			return err
		}
	}
	js, err := jetstream.New(d.eyes.Conn())
	if err != nil {
		return err
	}
	reading, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	log, err := readLog(reading, js, "*")
	if err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	d.book.mu.Lock()
	for _, r := range d.book.removals {
		e.Removals = append(e.Removals, *r)
	}
	d.book.mu.Unlock()
	e.restore(log)
	if err := remains(reading, d.eyes, js, e); err != nil {
		return err
	}
	if e.Ledger, err = readLedger(d.ledger); err != nil {
		return err
	}
	if e.Dead, err = deadLetters(reading, d.eyes); err != nil {
		return err
	}
	e.Files = files(reading, d.eyes, log)
	d.book.mu.Lock()
	for _, v := range d.book.views {
		e.Views = append(e.Views, *v)
	}
	for _, t := range append(d.book.tasks, d.book.flooded...) {
		e.Tasks = append(e.Tasks, *t)
	}
	e.Diary, e.Floods = d.book.diary, d.book.floods
	e.Approved, e.Refused, e.Hostile, e.Counts, e.Deaths = d.book.approved, d.book.refused, d.book.hostile, d.book.counts, d.book.deaths
	d.book.mu.Unlock()
	for i := range min(lateLookers, len(e.Views)) {
		v, err := lateLook(reading, d.doors[i%len(d.doors)].addr(), e.Views[i*len(e.Views)/lateLookers%len(e.Views)].Session)
		if err != nil {
			return fmt.Errorf("a late look: %w", err)
		}
		e.Views = append(e.Views, *v)
	}
	return nil
}
