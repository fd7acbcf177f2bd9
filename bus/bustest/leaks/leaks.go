// Package leaks names the goroutines that tests for leaks do not count.
package leaks

import "go.uber.org/goleak"

// OfLibraries are goroutines that libraries leave behind, by their own faults, in a process that starts and stops servers and clients all the time:
//   - nats-server 2.15.2, when it is stopped while it makes a stream: the store of that stream is not closed. A server that was not stopped leaves
//     dozens more and is still found.
func OfLibraries() []goleak.Option {
	return []goleak.Option{
		goleak.IgnoreTopFunction("github.com/nats-io/nats-server/v2/server.(*fileStore).flushStreamStateLoop"),
		goleak.IgnoreTopFunction("github.com/nats-io/nats-server/v2/server/ats.Register.func1"),
	}
}
