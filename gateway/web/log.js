// The screen is a fold over the records of one session, as everything in hmap is. This file folds them into tasks, calls,
// rounds and actions; tree.js shows these. It knows nothing of the DOM or the network.

/** All of one session that the page knows. */
export class Log {
  tasks = []; // in the order in which they came up
  records = []; // {seq, record}, in order
  seq = 0; // the last one

  /** Takes the next record and gives the task it changed; null when it was here before. */
  add(seq, record) {
    if (seq <= this.seq) return null;
    this.seq = seq;
    this.records.push({ seq, record });
    let task = this.task(record.task);
    if (!task) this.tasks.push((task = new Task(record.task)));
    task.add(seq, record);
    return task;
  }

  /** Takes text that is being written; null when it belongs to nothing known. */
  live(text) {
    const task = this.task(text.task);
    return task?.live(text) ? task : null;
  }

  task(id) {
    return this.tasks.find((t) => t.id === id);
  }

  /** A task that was sent, but that nobody has accepted yet. */
  expect(clientID, question, brought) {
    const task = new Task("");
    Object.assign(task, { clientID, question, brought, started: Date.now() });
    this.tasks.push(task);
    return task;
  }

  /** Gives the expected task its name; its records may already be here. */
  accepted(clientID, id) {
    const i = this.tasks.findIndex((t) => t.clientID === clientID);
    if (i < 0) return null;
    if (this.task(id)) this.tasks.splice(i, 1);
    else this.tasks[i].id = id;
    return this.task(id);
  }

  /** Forgets what came after a sequence, but for what is still expected. */
  back(seq) {
    const kept = this.records.filter((r) => r.seq <= seq);
    const expected = this.tasks.filter((t) => t.clientID && !t.calls.size);
    Object.assign(this, { tasks: [], records: [], seq: 0 });
    for (const r of kept) this.add(r.seq, r.record);
    this.tasks.push(...expected.filter((t) => !t.id || !this.task(t.id)));
  }
}

export class Task {
  status = "queued"; // then working, waiting (for a person), and how it ended: ok, error, cancelled
  question = "";
  brought = []; // the files that came with it
  calls = new Map(); // by id
  asks = new Map(); // by id: {…the ask, settled: the input that settled it, by: the calls that passed it on}
  inputs = []; // what the person said, in order: {kind, text, ask, late: the task had ended, before: the input that had answered the ask already, by: the calls that took note of it}
  unsent = new Map(); // what the person said and nobody has accepted yet, by its id: {kind, text, ask, waits: there is no line, or it is slow}
  files = new Map(); // by reference
  records = [];
  response = null; // the record that ended it
  progress = null; // the newest about what goes on: {agent, text}, or {agent, asks: names}
  started = 0; // milliseconds since 1970
  ended = 0;

  constructor(id) {
    this.id = id;
  }

  get root() {
    return this.calls.get(this.id);
  }

  get open() {
    return !this.ended;
  }

  /** The question or approval that is waited for, if any. */
  get ask() {
    return this.open ? [...this.asks.values()].find((a) => !a.settled) : undefined;
  }

  call(id) {
    if (!this.calls.has(id)) this.calls.set(id, new Call(id));
    return this.calls.get(id);
  }

  add(seq, r) {
    this.records.push({ seq, record: r });
    const call = this.call(r.call);
    call.records.push({ seq, record: r });
    call.agent = r.agent || call.agent;
    const root = r.call === this.id;
    if (r.node && r.kind !== "claim" && call.pause === "heard") call.pause = ""; // it goes on where it was
    if (this.status === "queued") this.status = "working";
    this.started ||= Date.parse(r.time);
    switch (r.kind) {
      case "request":
        call.job = r.request?.job_desc ?? "";
        if (root) Object.assign(this, { question: call.job, brought: r.request?.files ?? [], started: Date.parse(r.time) });
        else this.#hang(call, r.request?.parent || r.parent);
        break;
      case "claim":
        if (r.attempt > 1) call.claim(r);
        break;
      case "plan":
        call.plan = r.plan;
        break;
      case "round":
        call.employ(r.employees);
        call.round(r.round).think(r, seq);
        this.progress = r.action_code?.length ? { agent: call.agent, asks: r.action_code.map((a) => call.role(a.tool_name) || a.tool_name) } : null;
        break;
      case "intent":
      case "result":
        call.action(r.child, r.tool_name)[r.kind](r, seq);
        if (kept(r)) call.kept = r.observation.plan;
        call.rounds.forEach((round) => round.start());
        break;
      case "ask":
        this.#ask(r);
        break;
      case "input":
        this.#hear(r);
        break;
      case "file":
        if (r.file) this.files.set(r.file.ref, r.file);
        break;
      case "response":
        // The last round is in it, when it had no actions: its answer is the observation, and what it cost by itself is not told.
        if (r.round) call.round(r.round).think({ ...r, answer: r.observation, usage: undefined }, seq);
        call.end(r);
        for (const f of r.files ?? []) this.files.set(f.ref, f);
        if (root && r.status !== "input_required") {
          Object.assign(this, { response: r, status: r.status, ended: Date.parse(r.time), progress: null });
        }
        break;
    }
    if (!this.open) this.calls.forEach((c) => c.stop(this.status));
    else if (this.root) this.status = this.ask ? "waiting" : "working";
  }

  /** Hangs a child call under the action that asked for it. */
  #hang(call, parent) {
    call.parent = parent ?? "";
    if (!parent) return;
    const action = this.call(parent).action(call.id);
    action.call = call;
    if (action.status === "waiting" || action.status === "input_required") action.status = "working";
  }

  /** An ask opens once, though each agent above passes it on; asked again by the same call, it is open again. */
  #ask({ ask, call }) {
    this.call(call).pause = "asked";
    const known = this.asks.get(ask.id);
    if (!known || (known.settled && known.by.has(call))) this.asks.set(ask.id, { ...ask, role: this.call(call).role(ask.tool_name), settled: null, by: new Set([call]) });
    else known.by.add(call);
    this.#pause(ask.id, "working", "input_required");
  }

  /** The action that waits for the person shows it, and so do those above, which wait for it. */
  #pause(id, from, to) {
    for (let m; (m = /^(.*)-\d+-\d+$/.exec(id ?? "")); id = m[1]) {
      const action = this.calls.get(m[1])?.action(id);
      if (action?.status === from) action.status = to;
    }
  }

  /**
   * What a person said settles the ask it names; without a name, the oldest one open. It is in the log once as it was said,
   * and again, with a node, when a call takes note of it; a cancel goes down the tree, so that many calls do.
   */
  #hear({ input, node, call }) {
    for (const c of this.calls.values()) if (c.pause === "asked" && input.kind !== "steer") c.pause = "heard";
    const { kind, text = "", ask: id = "" } = input;
    const known = node && this.inputs.find((i) => i.kind === kind && (kind === "cancel" || i.text === text && (!i.ask || i.ask === id) && !i.by.has(call)));
    if (known) {
      known.by.add(call);
      return;
    }
    const late = !this.open && !node;
    const answers = ["answer", "approve", "refuse", "expire"].includes(kind);
    const ask = answers && (id ? this.asks.get(id) : this.ask);
    const before = !node && ask?.settled || null; // of two that answer, the log's first is heard
    this.inputs.push({ kind, text, ask: id, late, before, by: new Set(node ? [call] : []) });
    if (late || !ask) return;
    ask.settled ??= input;
    this.#pause(ask.id, "input_required", "working");
  }

  live(l) {
    const call = this.calls.get(l.call);
    if (!this.open) return false;
    if (!call) return this.#writes(l);
    if (l.channel === "progress") {
      call.progress = l.text;
      this.progress = { agent: l.agent || call.agent, text: l.text };
      return true;
    }
    return call.round(l.round || 1).hear(l);
  }

  /** What a tool tells while it works: its call has no records of its own, and is known by the action that it is. */
  #writes(l) {
    const m = /^(.*)-\d{1,6}-\d{1,6}$/.exec(l.call ?? "");
    const caller = m && this.calls.get(m[1]);
    if (!caller) return false;
    const action = caller.action(l.call, l.agent);
    if (l.channel !== "progress") return action.hear(l);
    action.progress = l.text;
    this.progress = { agent: caller.role(l.agent) || l.agent, text: l.text };
    return !action.ended;
  }
}

class Call {
  agent = "";
  job = "";
  parent = "";
  status = "working";
  rounds = []; // by number; holes possible
  plan = null;
  kept = null; // the plan that the mind keeps with the tool planning
  claims = []; // after the first: {attempt, node, expected}
  pause = ""; // then asked, and heard when the person has said something
  records = [];
  progress = "";
  #employees = new Map(); // the roles of tools, by tool

  constructor(id) {
    this.id = id;
  }

  /** Takes down the roles that tools have from now on; one that has a role keeps it. */
  employ(roles) {
    for (const [tool, role] of Object.entries(roles ?? {})) {
      if (typeof role === "string" && !this.#employees.has(tool)) this.#employees.set(tool, role);
    }
  }

  /** The role of a tool in this call, or "". */
  role(tool) {
    return this.#employees.get(tool) ?? "";
  }

  round(n) {
    n = Math.min(Math.max(Number(n) || 0, 0), 10_000) | 0; // whoever is on the bus may say any number, and an array of that length holds up the page
    this.rounds[n] ??= new Round(n);
    return this.rounds[n];
  }

  /** The action that a child call is: its id ends in -<round>-<place>. */
  action(child, toolName) {
    const m = /-(\d{1,6})-(\d{1,6})$/.exec(child ?? "");
    const [n, i] = m ? [Number(m[1]), Number(m[2])] : [this.rounds.length - 1 || 1, 0];
    const actions = this.round(Math.min(n, 10_000)).actions;
    actions[Math.min(i, 10_000)] ??= new Action({ tool_name: toolName ?? "" });
    const action = actions[Math.min(i, 10_000)];
    action.name ||= toolName ?? "";
    return action;
  }

  /** A call that asks lets go of its node, and is claimed anew when the person has spoken; any other claim is a rescue. */
  claim(r) {
    this.claims.push({ attempt: r.attempt, node: r.node, expected: this.pause === "heard" });
    this.pause = "";
  }

  end(r) {
    this.status = r.status;
    this.progress = "";
    this.response = r;
    if (r.status !== "ok" || r.observation === undefined) return;
    const answer = JSON.stringify(r.observation);
    for (const a of this.#actions()) a.handedOn = a.observation !== undefined && JSON.stringify(a.observation) === answer;
  }

  /** Nothing of it goes on any more, since the task has ended. */
  stop(status) {
    for (const round of this.rounds) if (round) round.stopped = true;
    for (const a of this.#actions()) if (!a.ended) a.status = "stopped";
    const over = status === "cancelled" ? ["in_progress", "blocked"] : ["in_progress"];
    if (this.plan?.steps?.some((s) => over.includes(s.status))) {
      this.plan = { ...this.plan, steps: this.plan.steps.map((s) => (over.includes(s.status) ? { ...s, status: "stopped" } : s)) };
    }
  }

  #actions() {
    return this.rounds.flatMap((round) => round.actions.filter(Boolean));
  }
}

class Round {
  thought = "";
  critique = "";
  answer = "";
  actions = []; // by place; holes possible
  done = false; // the record is here, so live text no longer counts
  stopped = false; // the task ended before the record came, or after
  texts = {}; // live text by channel: {text, length in characters}
  records = [];

  constructor(n) {
    this.n = n;
  }

  think(r, seq) {
    Object.assign(this, {
      done: true, thought: r.thought ?? "", critique: r.critique ?? "", answer: r.answer ?? "", model: r.model ?? "", ms: r.ms ?? 0,
      usage: r.usage,
    });
    this.records.push({ seq, record: r });
    for (const [i, a] of (r.action_code ?? []).entries()) {
      if (this.actions[i]) this.actions[i].is(a);
      else this.actions[i] = new Action(a);
    }
    this.start();
  }

  /** Which actions are under way: in a plain list the first that has not ended, in a graph all that wait for no other. */
  start() {
    const graph = this.actions.some((a) => a.after.length);
    const ended = new Set(this.actions.filter((a) => a.ended && a.id).map((a) => a.id));
    if (graph) this.actions.forEach((a) => { if (a.after.every((id) => ended.has(id))) a.start(); });
    else this.actions.find((a) => a && !a.ended)?.start();
  }

  /** Adds live text. */
  hear(l) {
    if (this.done || this.stopped) return false;
    return append((this.texts[l.channel] ??= { text: "", length: 0 }), l);
  }
}

/** Whether a record or an action is one in which a mind kept its plan with the tool planning. */
export function kept(r) {
  return (r.tool_name ?? r.name) === "planning" && Array.isArray(r.observation?.plan?.steps);
}

/** Adds live text to {text, length}. Its offset tells what is new; a hole is marked, since the record will fill it; 0 starts again. */
function append(at, l) {
  if (l.offset === 0) Object.assign(at, { text: "", length: 0 });
  const chars = [...l.text];
  if (l.offset > at.length) at.text += "…";
  const news = chars.slice(Math.max(0, at.length - l.offset));
  at.text += news.join("");
  at.length = Math.max(at.length, l.offset + chars.length);
  return news.length > 0;
}

class Action {
  status = "waiting"; // then working, and how it ended: ok, error, input_required, cancelled; stopped when the task ended first
  observation = undefined;
  error = null;
  files = [];
  ms = 0;
  handedOn = false; // the observation is, word for word, what its caller answered
  call = null; // the child call, when it is an agent's
  progress = ""; // the line that a tool told last
  writing = { text: "", length: 0 }; // what it writes
  records = [];

  constructor(a) {
    this.is(a);
  }

  get ended() {
    return ["ok", "error", "cancelled"].includes(this.status);
  }

  start() {
    if (this.status === "waiting") this.status = "working";
  }

  /** Adds live text of a tool. */
  hear(l) {
    return !this.ended && append(this.writing, l);
  }

  is(a) {
    Object.assign(this, { id: a.id ?? "", after: a.after ?? [], name: a.tool_name, job: a.job_desc ?? "", parameter: a.parameter, trust: a.trust_mode === 1, step: a.step ?? "" });
  }

  intent(r, seq) {
    this.records.push({ seq, record: r });
    this.parameter = r.parameter ?? this.parameter;
    this.effect = r.effect;
    this.status = "working";
  }

  result(r, seq) {
    this.records.push({ seq, record: r });
    Object.assign(this, {
      status: r.status, observation: r.observation, error: r.error, files: r.files ?? [], ms: r.ms ?? 0,
      parameter: r.parameter ?? this.parameter,
    });
  }
}
