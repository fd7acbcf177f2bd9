// Package round decides the next step of a call. It is pure: no clock, no network, no goroutine. A [State] is the fold over the
// call's records in the log; [State.Due] says what should be happening now, given that state. Whoever runs a call keeps doing
// what is due and stops doing what no longer is, so starting, going on after a crash, cancelling and steering are one and the
// same code path.
//
//	record ──► Fold ──► State ──► Due ──► Think | Call | Write | Wait
//	   ▲                                     │
//	   └──────────── the log ◄───────────────┘
//
// The rules it keeps are those of H-MAP (bus/PROTOCOL.md): rounds, trust_mode, references, asks, the effect ledger, budgets.
package round
