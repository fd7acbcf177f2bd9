package gateway

import "github.com/hmap-project/hmap/bus"

// watch tells every connection when the bus goes away and when it is back, until the gateway closes. The first connection starts it.
func (g *Gateway) watch() {
	for reach := range g.bus.Reach(g.ctx) {
		g.mu.Lock()
		was := g.away
		g.away = reach
		if reach == bus.Reached {
			g.away = ""
		}
		switch {
		case g.away == was:
		case was == "":
			g.hub.mark()
		case g.away == "":
			g.hub.check()
		}
		if g.away != was {
			frame := statusFrame(g.away)
			for c := range g.conns {
				c.out.put(frame) // who has no room is told by being closed
			}
		}
		g.mu.Unlock()
	}
}

// statusFrame says that the bus is away, or, for "", that it is back.
func statusFrame(away bus.Reach) []byte {
	if away == "" {
		return encode(serverFrame{Type: "status", Bus: "back"})
	}
	return encode(serverFrame{Type: "status", Bus: "away", Why: away})
}
