// Package bus is the language and the road of hmap: the types of H-MAP, its subjects, and the verbs with which agents, tools
// and windows meet on NATS. It imports nothing else of hmap. PROTOCOL.md beside this file is the specification of the wire.
//
// # The verbs
//
// [Bus.Append] adds a record to a call's subject, guarded by the sequence of the last one.
//
// [Bus.Read], [Bus.Last] and [Bus.Follow] give the records of a session, a task or a call: history, the last one, or history
// and then live.
//
// [Bus.Submit] and [Bus.Work] are the job queue; [Bus.Tell] and [Bus.Inputs] carry what people say to running tasks.
//
// [Bus.Call] and [Bus.Serve] ask an agent or a tool and stream back progress and one final response; or are one.
//
// [Bus.Directory] knows who is there; [Bus.Files] keeps artifacts by reference; [Bus.Lease] says which nodes are alive.
package bus
