package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway"
)

// One session watched by many: how long a 2 kB record takes from Append to the last of them.
func BenchmarkFollowers(b *testing.B) {
	for _, followers := range []int{1, 100} {
		b.Run(fmt.Sprint(followers), func(b *testing.B) {
			h := open(b, gateway.Options{})
			clients := make([]*client, followers)
			for i := range clients {
				clients[i] = h.dial()
				clients[i].send(`{"type":"follow","session":"s1"}`)
				clients[i].want("caught_up")
			}
			w := &call{house: h, session: "s1", task: "t1", call: "t1"}
			thought := strings.Repeat("x", 2000)
			for b.Loop() {
				w.append(bus.Record{Thought: thought})
				for _, c := range clients {
					c.want("record")
				}
			}
		})
	}
}
