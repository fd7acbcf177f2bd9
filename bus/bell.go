package bus

import (
	"context"
	"sync"
)

// bell wakes everybody who waits. The zero bell works.
type bell struct {
	mu   sync.Mutex
	next context.Context
	hit  context.CancelFunc
}

// wait gives a context that ends at the next ring.
func (b *bell) wait() context.Context {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		b.next, b.hit = context.WithCancel(context.Background())
	}
	return b.next
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next != nil {
		b.hit()
		b.next = nil
	}
}
