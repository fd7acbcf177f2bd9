package drill

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus"
)

// logged is one record as the server has it.
type logged struct {
	bus.Record
	stored time.Time // when the server had it
}

// readLog reads the records and inputs of a session, "*" for all, through NATS, in the order of the log, with no help of the verbs
// that are judged. Bodies that are neither are left out: only a foreign publisher can have brought them, and every reader skips them.
func readLog(ctx context.Context, js jetstream.JetStream, session string) ([]logged, error) {
	s, err := js.Stream(ctx, bus.LogStream)
	if err != nil {
		return nil, err
	}
	subjects := []string{bus.LogSubject("*", session, "*", "*"), bus.InputSubject("*", session, "*")}
	some := false
	for _, subject := range subjects {
		if _, err := s.GetLastMsgForSubject(ctx, subject); err == nil {
			some = true
		} else if !errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil, err
		}
	}
	if !some {
		return nil, nil
	}
	c, err := s.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{FilterSubjects: subjects, InactiveThreshold: 5 * time.Second}) // or it is left over
	if err != nil {
		return nil, err
	}
	messages, err := c.Messages()
	if err != nil {
		return nil, err
	}
	defer messages.Stop()
	var all []logged
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return nil, err
		}
		meta, err := m.Metadata()
		if err != nil {
			return nil, err
		}
		if r, ok := parse(m.Subject(), m.Data()); ok {
			r.Seq = meta.Sequence.Stream
			if r.Time.IsZero() {
				r.Time = meta.Timestamp
			}
			all = append(all, logged{r, meta.Timestamp})
		}
		if meta.NumPending == 0 {
			return all, nil
		}
	}
}

// parse reads a message of the log by PROTOCOL.md: where it belongs stands in the subject.
func parse(subject string, body []byte) (bus.Record, bool) {
	t := strings.Split(subject, ".")
	switch {
	case len(t) == 6 && t[2] == "log":
		var r bus.Record
		err := json.Unmarshal(body, &r)
		r.Session, r.Task, r.Call = t[3], t[4], t[5]
		return r, err == nil
	case len(t) == 5 && t[2] == "input":
		var in bus.Input
		if json.Unmarshal(body, &in) != nil || in.HMAP != "" && !strings.HasPrefix(in.HMAP, bus.Version) || in.Ask != "" && !bus.ValidToken(in.Ask) {
			return bus.Record{}, false
		}
		switch in.Kind {
		case bus.Answer, bus.Approve, bus.Refuse, bus.Steer, bus.Cancel, bus.Expire:
			return bus.Record{HMAP: bus.Version, Kind: bus.KindInput, Session: t[3], Task: t[4], Call: t[4], Input: &in}, true
		}
	}
	return bus.Record{}, false
}

// remains looks for what is left of sessions beside their records.
func remains(ctx context.Context, eyes *bus.Bus, js jetstream.JetStream, e *Evidence) error {
	list, err := js.KeyValue(ctx, bus.SessionsBucket)
	if err != nil {
		return err
	}
	keys, err := list.ListKeys(ctx)
	if err != nil {
		return err
	}
	for key := range keys.Keys() {
		if name, ok := strings.CutPrefix(key, eyes.Tenant()+"."); ok {
			e.Sessions = append(e.Sessions, name)
		}
	}
	for _, r := range e.Removals {
		for _, ref := range r.made() {
			body, _, err := eyes.Files().Get(ctx, ref)
			switch {
			case errors.Is(err, bus.ErrNotFound):
				e.Missing = append(e.Missing, ref)
			case err != nil:
				return fmt.Errorf("file %s: %w", ref, err)
			default:
				_ = body.Close() // nothing of it is wanted
			}
		}
	}
	return nil
}

// deadLetters lists them; of those that may be honest, which died as poison or after all tries, the bodies are whole.
func deadLetters(ctx context.Context, eyes *bus.Bus) ([]bus.Dead, error) {
	all, err := eyes.DeadLetters(ctx)
	if err != nil {
		return nil, err
	}
	for i, d := range all {
		if (strings.HasPrefix(d.Cause, bus.CodePoison) || d.Tries >= bus.MaxTries) && len(d.Body) >= letterHead {
			if all[i], err = eyes.DeadLetter(ctx, d.Seq); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// files gets the files that results in the log name.
func files(ctx context.Context, eyes *bus.Bus, log []logged) []Kept {
	var all []Kept
	for _, r := range log {
		if r.Kind != bus.KindResult {
			continue
		}
		for _, f := range r.Files {
			k := Kept{Ref: f.Ref, Bytes: f.Bytes}
			body, _, err := eyes.Files().Get(ctx, f.Ref)
			if err == nil {
				k.Came, err = io.Copy(io.Discard, body)
				err = errors.Join(err, body.Close())
			}
			if err != nil {
				k.Err = err.Error()
			}
			all = append(all, k)
		}
	}
	return all
}

// alarms are lines in what the children said that no program of ours may say: a race that was found, a panic that nobody caught, or one that somebody did.
func (c *cluster) alarms() ([]string, error) {
	var all []string
	for _, ch := range c.children {
		text, err := os.ReadFile(ch.log.Name())
		if err != nil {
			return nil, err
		}
		for _, alarm := range []string{"WARNING: DATA RACE", "\npanic: ", "\nfatal error: ", caughtPanic, "http: panic serving"} {
			n := bytes.Count(text, []byte(alarm))
			if alarm == caughtPanic {
				n -= bytes.Count(text, []byte(caughtPanic+strconv.Quote(toldToPanic)))
			}
			if n > 0 {
				all = append(all, say("%s said %q %d times; see %s", ch.name, strings.TrimSpace(alarm), n, ch.log.Name()))
			}
		}
	}
	return all, nil
}

// caughtPanic is how our programs log a panic that they caught, before what it said.
const caughtPanic = " panic="

// residue looks at what the cluster holds.
func (c *cluster) residue(ctx context.Context, eyes *bus.Bus) (Residue, error) {
	r, err := c.heldAndRun(ctx, eyes, c.status)
	if err != nil {
		return r, err
	}
	if err := c.connections(ctx, r); err != nil {
		return r, err
	}
	err = filepath.WalkDir(filepath.Join(c.dir, "tmp"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			r.Files = append(r.Files, path)
		}
		return err
	})
	return r, err
}

// heldAndRun looks at what NATS holds, and what runs in the processes that tell it.
func (c *cluster) heldAndRun(ctx context.Context, eyes *bus.Bus, status map[string]string) (Residue, error) {
	// Idle connections to the model stay in a bounded pool for 90 s, with two goroutines each. Cut, they are gone at once.
	for _, p := range c.inner {
		if p.name == kindModel {
			p.cut()
		}
	}
	r, err := held(ctx, eyes)
	if err != nil {
		return r, err
	}
	for name, addr := range status {
		text, err := get(ctx, "http://"+addr+"/")
		if err != nil {
			return r, err
		}
		n, err := strconv.Atoi(between(string(text), "total ", "\n"))
		if err != nil {
			return r, fmt.Errorf("status of %s: %w", name, err)
		}
		r.Goroutines[name], r.Stacks[name] = n, string(text)
	}
	return r, nil
}

// held looks at what NATS holds.
func held(ctx context.Context, eyes *bus.Bus) (Residue, error) {
	r := Residue{Entries: map[string]int{}, Cache: map[string]int{}, Consumers: map[string]int{}, Connections: map[string]int{}, Subscriptions: map[string]int{}, Goroutines: map[string]int{}, Stacks: map[string]string{}}
	js, err := jetstream.New(eyes.Conn())
	if err != nil {
		return r, err
	}
	open, err := eyes.OpenTasks(ctx)
	if err != nil {
		return r, err
	}
	for _, t := range open {
		r.Open = append(r.Open, t.Session+"."+t.Task)
	}
	if err := entries(ctx, js, r); err != nil {
		return r, err
	}
	streams := js.ListStreams(ctx)
	for info := range streams.Info() {
		if info.Config.Name == bus.TaskStream {
			r.Queued = int(info.State.Msgs)
		}
		if info.Config.Name == "KV_"+bus.OpenBucket {
			r.Entries[bus.OpenBucket] = int(info.State.Msgs)
		}
		s, err := js.Stream(ctx, info.Config.Name)
		if err != nil {
			return r, err
		}
		list := s.ListConsumers(ctx)
		for consumer := range list.Info() {
			if consumer.Config.Durable == "" {
				r.Consumers[info.Config.Name]++
				continue
			}
			r.Durable = append(r.Durable, info.Config.Name+" "+consumer.Config.Durable)
			if info.Config.Name == bus.LogStream {
				r.Pending += int(consumer.NumPending) + consumer.NumAckPending
			}
		}
		if list.Err() != nil {
			return r, list.Err()
		}
	}
	return r, streams.Err()
}

// entries counts what is in the buckets whose growth the tasks must not leave behind. The list of sessions is removed-whole's.
func entries(ctx context.Context, js jetstream.JetStream, r Residue) error {
	for _, bucket := range []string{bus.NodesBucket, bus.ToolsBucket, bus.CacheBucket} {
		kv, err := js.KeyValue(ctx, bucket)
		if err != nil {
			return err
		}
		keys, err := kv.ListKeys(ctx)
		if err != nil {
			return err
		}
		for key := range keys.Keys() {
			if bucket == bus.CacheBucket {
				_, key, _ = strings.Cut(key, ".") // behind the tenant
				kind, _, _ := strings.Cut(key, ".")
				r.Cache[kind]++
				continue
			}
			r.Entries[bucket]++
		}
	}
	return ctx.Err()
}

// connections asks the servers who is connected, and for how much each one has subscribed.
func (c *cluster) connections(ctx context.Context, r Residue) error {
	for _, addr := range c.monitor {
		text, err := get(ctx, "http://"+addr+"/connz?limit=10000")
		if err != nil {
			return err
		}
		var answer struct {
			Connections []struct {
				Name          string
				Subscriptions int
			}
		}
		if err := json.Unmarshal(text, &answer); err != nil {
			return err
		}
		for _, conn := range answer.Connections {
			kind := "others"
			switch {
			case strings.HasPrefix(conn.Name, "hmap drill"):
				continue // the drill's own
			case strings.HasPrefix(conn.Name, "hmap node"):
				kind = "nodes"
			case strings.HasPrefix(conn.Name, "hmap "):
				kind = "gateways and tools"
			}
			r.Connections[kind]++
			r.Subscriptions[kind] += conn.Subscriptions
		}
	}
	return nil
}

func get(ctx context.Context, url string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	answer, err := hostileClient.Do(q)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, 8<<20))
	return text, errors.Join(err, answer.Body.Close())
}

// between is the part of s between two others; "" if it is not there.
func between(s, before, after string) string {
	_, s, _ = strings.Cut(s, before)
	s, _, _ = strings.Cut(s, after)
	return s
}
