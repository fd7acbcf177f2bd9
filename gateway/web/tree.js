// The tree of a task: rounds (thought, judgement, plan), their actions, and below an agent's action the rounds of its call.
// Every view is made once and then brought up to date in place, so that what a reader has opened or marked stays so.

import { duration, el, refill, setText } from "./dom.js";
import { kept } from "./log.js";
import { inline, markdown } from "./markdown.js";
import { glimpse, glimpseArguments, show } from "./value.js";
import { word, words } from "./words.js";

/** The view of a call. raw(records) is called when somebody wants to see what stands in the log. */
export class CallView {
  node = el("div", { className: "call" });
  #claims = el("div", { hidden: true });
  #plan = el("div", { hidden: true });
  #kept = el("div", { hidden: true });
  #rounds = el("ol", { className: "rounds" });
  #views = new Map();
  #raw;

  constructor(raw) {
    this.#raw = raw;
    this.node.append(this.#claims, this.#plan, this.#kept, this.#rounds);
  }

  update(call) {
    this.#claims.hidden = !call.claims.length;
    refill(this.#claims, call.claims.length, () => call.claims.map((c) => (c.expected
      ? el("p", { className: "dim" }, words.goesOn) : el("p", { className: "note" }, words.takenOver(c.attempt, c.node)))));
    this.#plan.hidden = !call.plan;
    if (call.plan) refill(this.#plan, call.plan, () => plan(call.plan));
    this.#kept.hidden = !call.kept;
    if (call.kept) refill(this.#kept, call.kept, () => plan(call.kept));
    call.rounds.forEach((round) => {
      if (!this.#views.has(round.n)) {
        const view = new RoundView(this.#raw);
        this.#views.set(round.n, view);
        const after = [...this.#views.keys()].filter((n) => n > round.n).sort((a, b) => a - b)[0];
        this.#rounds.insertBefore(view.node, after ? this.#views.get(after).node : null);
      }
      this.#views.get(round.n).update(round, (tool) => call.role(tool));
    });
  }
}

function plan(p) {
  return el("section", { className: "plan", "aria-label": words.plan },
    el("h4", {}, `${words.plan}${p.title ? ": " + p.title : ""}`),
    el("ol", {}, ...(p.steps ?? []).map((s) => el("li", { className: "step", "data-status": s.status },
      mark(s.status), el("span", { className: "title" }, s.title), el("span", { className: "state" }, word(s.status)),
      s.note ? el("span", { className: "dim" }, s.note) : null))));
}

/** The little sign of a status, beside a word that says the same. */
function mark(status) {
  return el("span", { className: "mark", "data-status": status, "aria-hidden": "true" });
}

class RoundView {
  node = el("li", { className: "round" });
  #thought = el("div", { className: "thought markdown" });
  #critique = el("p", { className: "critique", hidden: true });
  #reasoning = el("details", { className: "reasoning", hidden: true }, el("summary", {}, words.reasoning), el("p"));
  #actions = el("ul", { className: "actions" });
  #views = [];
  #button;
  #raw;

  constructor(raw) {
    this.#raw = raw;
    this.#button = el("button", { type: "button", className: "raw", title: words.raw, hidden: true }, "{ }");
    this.node.append(this.#button, this.#critique, this.#reasoning, this.#thought, this.#actions);
  }

  update(round, role) {
    const texts = round.texts;
    const text = round.done ? round.thought : [texts.thought?.text, texts.answer?.text].filter(Boolean).join("\n\n");
    const live = !round.done && !round.stopped;
    this.node.classList.toggle("live", live);
    refill(this.#thought, live + text, () => (text ? markdown(text) : !live ? [] : el("span", { className: "dim" }, words.thinking)));
    this.#critique.hidden = !round.critique;
    refill(this.#critique, round.critique, () => [el("b", {}, words.critique), " ", ...inline(round.critique)]);
    const reasoning = texts.reasoning?.text ?? "";
    this.#reasoning.hidden = !reasoning;
    setText(this.#reasoning.lastChild, reasoning);
    this.#button.setAttribute("aria-label", `${words.raw} ${round.n}`); // which of the many
    this.#button.hidden = !round.records.length;
    this.#button.onclick = () => this.#raw(round.records);
    round.actions.forEach((action, i) => {
      if (!this.#views[i]) {
        this.#views[i] = new ActionView(this.#raw);
        this.#actions.append(this.#views[i].node);
      }
      this.#views[i].update(action, role(action.name));
    });
  }
}

class ActionView {
  node = el("li", { className: "action" });
  #mark = el("span", { className: "mark", role: "img" });
  #name = el("span", { className: "name" });
  #role = el("span", { className: "role", hidden: true });
  #hint = el("span", { className: "hint" });
  #time = el("span", { className: "time" });
  #details;
  #job = el("div", { className: "job markdown", hidden: true });
  #arguments = el("div", { hidden: true });
  #writing = el("div", { className: "writing markdown", hidden: true });
  #inner = el("div");
  #observation = el("div", { className: "observation", hidden: true });
  #child = null;
  #seen; // the observation that was looked through last
  #glimpse = "";
  #raw;

  constructor(raw) {
    this.#raw = raw;
    this.#details = el("details", {},
      el("summary", {}, this.#mark, this.#name, this.#role, this.#hint, this.#time),
      el("div", { className: "inside" }, this.#job, this.#arguments, this.#writing, this.#inner, this.#observation));
    this.node.append(this.#details);
  }

  update(a, role) {
    const status = a.status;
    this.node.dataset.status = status;
    this.node.dataset.name = a.name;
    this.#mark.dataset.status = status;
    this.#mark.title = word(status === "waiting" ? "not_started" : status);
    this.#mark.setAttribute("aria-label", this.#mark.title);
    setText(this.#name, a.name);
    this.#role.hidden = !role;
    setText(this.#role, role);
    setText(this.#time, a.ms ? duration(a.ms) : "");
    if (a.observation !== this.#seen) { // it may be long, and much may happen beside it
      this.#seen = a.observation;
      this.#glimpse = glimpse(kept(a) ? a.observation.say : a.observation);
    }
    const told = a.error ? a.error.message : a.handedOn ? words.handedOn : a.observation !== undefined ? this.#glimpse : a.call?.progress || a.progress || (a.job && !a.call ? a.job : glimpseArguments(a.parameter));
    setText(this.#hint, told ?? "");
    this.#job.hidden = !a.job;
    refill(this.#job, a.job, () => markdown(a.job));
    this.#arguments.hidden = !a.parameter;
    refill(this.#arguments, a.parameter, () => [el("h5", {}, words.arguments), show(a.parameter)]);
    const writing = a.ended ? "" : a.writing.text;
    if (writing && this.#writing.hidden) this.#details.open = true; // a text that grows is worth seeing
    this.#writing.hidden = !writing;
    refill(this.#writing, writing, () => markdown(writing));
    if (a.call) {
      if (!this.#child) {
        this.#child = new CallView(this.#raw);
        this.#inner.append(this.#child.node);
        this.#details.open = true; // an agent at work is worth seeing; a tool's details are for who asks
      }
      this.#child.update(a.call);
    }
    const records = () => [...a.records, ...(a.call?.records ?? [])].sort((x, y) => x.seq - y.seq);
    const length = a.records.length + (a.call?.records.length ?? 0);
    const ended = a.observation !== undefined || a.error !== null;
    this.#observation.hidden = !ended;
    if (ended) refill(this.#observation, length + a.status + a.handedOn, () => [
      el("h5", {}, words.observation, a.trust ? el("span", { className: "tag" }, words.trusted) : null,
        el("button", { type: "button", className: "raw", title: words.raw, "aria-label": `${words.raw} ${a.name}`, onclick: () => this.#raw(records()) }, "{ }")),
      a.error ? el("p", { className: "bad" }, `${a.error.code}: ${a.error.message}`) : null,
      a.handedOn ? el("details", { className: "same" }, el("summary", {}, words.handedOn), show(a.observation))
        : kept(a) ? plan(a.observation.plan) : a.observation !== undefined ? show(a.observation) : null]);
  }
}
