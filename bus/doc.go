// Package bus is the language and the road of hmap: the types of H-MAP, its subjects, and the verbs with which agents, tools
// and windows meet on NATS. It imports nothing else of hmap. PROTOCOL.md beside this file is the specification of the wire.
//
// # What holds for all verbs
//
// A [Bus] belongs to one tenant and may be used from many goroutines. Names and ids are checked before they get into a subject, bodies
// before they are sent. Everything the bus starts ends with [Bus.Close]. A lost connection comes back by itself, and the verbs that store
// something go on until ctx ends; they never report success before the server has confirmed, by default with a sync to disk.
//
// Not promised: that a body tells the truth. Who may publish where is decided by NATS permissions on subjects; the bus believes the
// subject, never the body, about whose record, input or task it is.
//
// Guarded by hmap drill: no-crash, nothing-left.
//
// # Append, TryAppend, Read, ReadCall, Said, Last, Follow
//
// Promised: a record is stored once or not at all, and only behind the one its writer saw last ([ErrFenced] otherwise), also when
// acknowledgements are lost. Follow gives history, one marker, then what comes, in order, each record once, across lost connections and
// restarts of the server. A slow reader holds up nobody and keeps a bounded number of records in memory. Said waits while there is no leader
// to ask, rather than miss a word. What the disk loses from the middle of a log that runs is told within 10 s ([ErrDamaged]), and not waited for. What is no record is passed over, and
// ReadCall tells where to go on behind it.
//
// Not promised: an order of time between calls other than that of the stream; that Read on a cluster already sees what another node
// appended a moment ago (Last and Said do, and Append's fence does not care), so nobody takes what Read does not find for gone; that a failed Append left no record when its error is ctx's; that
// records live for ever, which is a matter of the stream's limits.
//
// Guarded by hmap drill: one-end and one-writer (Append), view-exact (Read, Follow).
//
// # Submit, Work, dead letters
//
// Promised: what Submit accepted waits until a worker accepts or rejects it. A job comes at least once, to one worker at a time while
// it decides within 3 s, or says Hold; no worker holds more than it has slots. A submission without ids gets the same ones at each delivery. A full
// queue says [ErrBusy]. What cannot be worked on ends in the dead letters with its cause, after [MaxTries] deliveries or at once, but never
// while the log has its task: whoever takes it decides by that. A task that was begun and that nobody could finish is kept there by [Bus.Bury], as a submission without its task id.
//
// Not promised: exactly once (two workers may get a job, and Accept is not confirmed: it may come once more; the log's fence lets one begin); order, once something was put back; fairness
// between tenants, which share one bound; that a publisher who does not wait for the stream's acknowledgement learns of a full queue.
//
// Guarded by hmap drill: accepted-kept, busy-told, dead-explained.
//
// # Tell, Inputs, HearInputs
//
// Promised: what Tell accepted is in the log, given to one of the nodes that ask at a time, again and again until one says Done, or more was said to
// the same task, and hinted to all that listen, by when it can be read. Not promised: that there is such a task, or that it still cares.
//
// Guarded by hmap drill: leave-first and answer-true (what was told is heeded), nothing-left (each input is seen to).
//
// # Call, Serve
//
// Promised: Call returns one response within the deadline, or within the bound of silence after the callee's last word, whatever the
// callee does or says. A callee is told to stop when the deadline passes or ctx is cancelled, but not when the cause is [ErrLeaving].
// Serve answers bad bodies itself, says after 0.2 s and then every 10 s that work goes on and where, and sends exactly one final response.
// The clocks of caller and callee need not agree, and setting one ends nothing: a deadline travels as the time that is left, and nothing is
// sent behind it. A tool that asks CheckIntent first does not act on a request that comes when its caller's log has gone on.
// Between that and the effect a host may still be frozen, and a leader that is parted from the other servers answers for some seconds more what it knew then.
//
// Not promised: delivery. A call is not stored; it happens at most once for each time it is made. Of unavailability that Call itself
// reports, only a "retryable" one says that nobody began. Progress may be lost. A cancelled callee may not hear it. Of two services with one name
// either may get the call.
//
// Guarded by hmap drill: intent-first, unsafe-once, ok-is-done, no-is-no (what a response says is what was done); CheckIntent by tests of its own.
//
// # Directory
//
// Promised: who announces itself is seen at once, who does not within 1.5 s; who withdraws is gone at once, who is killed within 5 s, or when a call finds nobody there.
// Only cards that hold are offered, the others are listed with the reason; of different cards with one name the first stays.
//
// Not promised: that who is listed answers the next call; that two nodes agree at every moment, or on which of two cards that came
// together was first; that a rejected service gets no calls.
//
// Guarded by hmap drill: one-end (tools and agents that are killed and come back are found again, or no task would come to its end).
//
// # Files
//
// Promised: what Put returned can be got until it is deleted, by the same tenant, and what is read to its end is what was stored.
// Not promised: that names are unique, or that pieces of a Put cut by a crash are cleaned up.
//
// Guarded by hmap drill: files-whole.
//
// # Snapshot, Sessions, Remove, Retain
//
// Promised: a snapshot is replaced only by somebody who has seen it. Sessions lists every session in which a task has begun, from when its
// task is in the index, without reading the log. Remove removes a session whole or leaves it whole, never one with a task that has not
// ended, and what a crash cut off is ended by the next sweep; what a task that begins meanwhile writes stays, and so does what was said to one
// that waits in the queue. A task that was removed is not begun again by a submission whose Accept was lost. One session that cannot be judged
// stops no sweep. What was said to a task that there is not goes by a sweep after an hour.
//
// Not promised: that a snapshot is there, can be read, or knows the newest records: the log is the truth, and whoever reads it keeps a
// better one. The order of the list and of the sweeps is that in which snapshots were written. Artifacts that came with a request stay, and one
// that a session made and somebody named in another is gone with the session that made it.
//
// Guarded by hmap drill: removed-whole, and one-end and view-exact across snapshots. What is old enough to go is guarded by tests of its own.
//
// # Cache, EndedCalls
//
// Promised: what Cache or Recache stored is there until something newer is, or until 64 MiB of newer entries of all tenants are; Recache replaces only what its caller
// has seen. EndedCalls gives each call that has ended once to who goes on where it stopped, with the records that say what it did.
//
// Not promised: that anything is in the cache, whole, or from whom it seems to be. It is for what can be made again, and a damaged one is thrown away
// at the start. On a cluster EndedCalls may give the newest calls only the next time.
//
// Guarded by tests of its own (go test -run 'Cache|EndedCalls' ./bus).
//
// # KeepTool, RemoveTool, FollowTools
//
// Promised: a saved tool that was kept is there for all nodes until it is replaced by somebody who has seen it, or removed; a version stands for one tool for ever, also past a
// removal. Followers hear of each name's newest version, and what cannot be read counts as removed.
//
// Not promised: that its steps' tools are there, or that followers hear of each version in between.
//
// Guarded by tests of its own (go test -run Saved ./bus).
//
// # Lease, MarkOpen
//
// Promised: a node that renews is alive for all; one that does not for its whole time is told so itself before the others are; every node
// hears of each one that lapses, and may ask whether it left in good order. Clocks of different machines are not compared. The index of open tasks holds no entry that nobody made.
//
// Not promised: that a node whose lease lapsed has stopped. It may be slow, and still write: only the log's fence keeps it out. The index
// may name tasks that have ended and may lack one whose node died between its records; the log is the truth. On an embedded server a mark may be
// lost with the process or on a full disk, until the next start, or the reopening of the server, has found it again in the log.
//
// Guarded by hmap drill: one-writer (what a node writes that was taken for dead), one-end (each task is taken over), nothing-left (the index).
//
// # StartServer: the data folder
//
// Promised: a folder of an older format is upgraded at the start, one of a newer is refused before anything is opened. After an orderly stop
// no change of a stored message goes unnoticed; after a kill, no record missing from the middle of a call. Then the server does not start
// ([ErrDamaged] says the way out, and which sessions once the files may be opened) until [ServerOptions.AcceptDamage], which names the sessions, ends
// the calls that lack records as in doubt, and takes what the log has nothing of from the index and the list. The index of open tasks is held
// against the end of the log unless it was left in good order. It and the list of sessions are made anew when they are damaged or gone, but a
// removal that was cut off is forgotten with the list. A kill is no damage, wherever it falls: in a start, or in a removal. Damage that was accepted is not told again, and ends nothing
// else. A full disk fails nothing: what is to be stored waits, says why, and goes on.
//
// Not promised: that records lost from the very end of the log since the last note (10 s) are missed after a kill and a fault of the disk at
// once, nor, with [ServerOptions.NoSync], those that a power cut takes from the end of a stream: these are logged; anything of the sort for a
// server that is not ours.
//
// Guarded by tests of its own (go test -run 'Damage|LostIndex|MarksLost|Format|DiskFull|Kill|PowerCut' ./bus).
//
// # Speak, Hear
//
// Promised: nothing ever waits. Not promised: anything else. Text may be lost; Live.Offset shows where.
//
// Guarded by hmap drill: nothing-left; nothing else is promised.
//
// # Reach
//
// Promised: a lost connection, or a log for which nobody answers, is told within 2.5 s, and when it is over. Not promised: that the next
// verb meets what was told last.
//
// Guarded by tests of its own; hmap drill makes such losses, and does not judge when they are told.
package bus
