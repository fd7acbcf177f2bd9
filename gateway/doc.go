// Package gateway is the window of hmap: it shows people the log of their tasks while it grows, and takes in what they say.
// It holds no model and no state of its own; what it sends is the log, so a second browser, a reconnect and a late joiner all
// see the same. README.md beside this file lists the endpoints, the frames and the close codes.
//
// # Guarantees
//
// A follower of a session gets every record of it after the sequence it named, each once and in order, or its connection is
// closed with [CloseSlow], after which it asks again from the last sequence it has.
//
// A slow follower costs nobody else anything: each connection has its own bounded queue, and nobody waits for it. Nor does one that
// floods, or a storm of them: what each sends, follows and has read from the log is bounded, in all and per connection.
//
// Whoever looks is told while the bus is away.
//
// A task or input that carries a client id is taken once, however often it is sent within two minutes.
//
// # Non-guarantees
//
// Live text may be dropped; whatever matters comes again as a record. Who somebody is, is not checked here: whoever reaches
// the port may read every session whose id they know.
package gateway
