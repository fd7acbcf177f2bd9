// Package drill breaks a cluster of hmap in every way and shows that no promise was broken. It starts NATS servers, nodes, gateways, tools
// and a model as child processes on loopback, lets clients work through them by WebSocket and NATS, and meanwhile kills, freezes, cuts,
// slows, floods, lies, removes sessions and parts the servers from each other, by a schedule that a seed decides. Beside the cluster stands a small house, hmap serve with the
// NATS inside it, that is killed every few seconds and drilled in the same way. Then it lets go, and audits from outside: the log as NATS
// has it, a ledger of effects that the tools wrote to a file, what each client saw, what was written down of each session before it was
// removed, and what is left over.
//
// It imports nothing of hmap but the language of the bus: what it judges by is what any stranger could see. Its children are our own
// executable under other commands, so whoever wires the drill in brings two that are only for it: drill-model, which serves [Next] over
// HTTP, and drill-tools, which puts [Hands] on the bus.
//
// [Checks] are the promises. bus/doc.go names for each guarantee the check that guards it, and a test breaks what each check guards, to
// see that it notices.
package drill
