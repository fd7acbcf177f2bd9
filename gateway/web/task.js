// One task on the screen: the question, the work, what the person is asked, and the answer.

import { askCard, saidLine } from "./ask.js";
import { duration, el, keepFocus, refill, setText } from "./dom.js";
import { fileItem, picture } from "./files.js";
import { vain } from "./outcome.js";
import { CallView } from "./tree.js";
import { show } from "./value.js";
import { word, words } from "./words.js";

export class TaskView {
  node = el("article", { className: "task" });
  #question = el("h2", { className: "bubble" });
  #brought = el("ul", { className: "files brought", "aria-label": words.filesBrought, hidden: true });
  #mark = el("span", { className: "mark", "aria-hidden": "true" });
  #headline = el("span", { className: "headline" });
  #elapsed = el("span", { className: "time", title: words.elapsed });
  #cancel = el("button", { type: "button", className: "cancel", hidden: true }, words.cancel);
  #work = el("details", { className: "work", open: true });
  #tree;
  #said = el("div");
  #notice = el("div");
  #ask = el("div", { className: "asked" });
  #answer = el("div", { className: "answer", hidden: true });
  #pictures = el("div", { className: "pictures" });
  #files = el("ul", { className: "files", hidden: true });
  #vain = false; // it ended well, and nothing was found or done
  #over = false; // its end has been shown
  #root = null; // the root call
  #do;

  /** actions: { tell(task, input), raw(records), again(question, files) } */
  constructor(actions) {
    this.#do = actions;
    this.#tree = new CallView(actions.raw);
    this.#work.ontoggle = () => this.#grow();
    this.#work.append(el("summary", { title: words.howItWent }, this.#mark, this.#headline, this.#elapsed), this.#tree.node);
    this.node.append(this.#question, this.#brought, this.#work, this.#cancel, this.#said, this.#notice, this.#ask, this.#answer, this.#pictures, this.#files);
  }

  /** Brings the view up to date. */
  update(task) {
    if (task.id) this.node.dataset.task = task.id;
    this.node.dataset.status = task.status;
    this.node.setAttribute("aria-busy", String(task.open && task.status !== "waiting"));
    setText(this.#question, task.question);
    refill(this.#brought, task.brought, () => task.brought.map(fileItem));
    this.#brought.hidden = !task.brought.length;
    if (task.response && !this.#over) this.#vain = task.status === "ok" && vain(task.records, task.id);
    this.#mark.dataset.status = task.status === "waiting" ? "input_required" : this.#vain ? "vain" : task.status;
    setText(this.#headline, this.#line(task));
    this.tick(task);
    if (task.response && !this.#over) this.fold(); // now the answer counts; the way to it is one click away
    this.#over = Boolean(task.response);
    this.#root = task.root;
    this.#grow();
    this.#cancel.hidden = !task.open || !task.id;
    this.#cancel.onclick = () => {
      keepFocus(this.#cancel);
      this.#cancels(true);
      this.#do.tell(task, { kind: "cancel" });
    };
    const unsent = [...task.unsent.values()].filter((i) => i.waits).map((i) => ({ ...i, unsent: true }));
    refill(this.#said, `${task.inputs.length} ${unsent.length && [...task.unsent.keys()]} ${unsent.length}`, () => [...task.inputs, ...unsent].map(saidLine));
    refill(this.#ask, task.ask ?? null, () => task.ask && askCard(task.ask, (kind, text) => this.#do.tell(task, { kind, text, ask: task.ask.id })));
    if ([...task.unsent.values()].some((i) => i.ask && i.ask === task.ask?.id)) this.#answered();
    if (task.response) refill(this.#answer, task.response, () => this.#end(task));
    this.#answer.hidden = !task.response;
    const made = [...task.files.values()].filter((f) => !task.brought.some((b) => b.ref === f.ref));
    const told = task.response?.observation;
    const untold = made.filter((f) => typeof told !== "string" || !told.includes(`[${f.name}](${f.ref})`)); // the answer has a link to it
    refill(this.#files, untold.map((f) => f.ref).join(), () => untold.map(fileItem));
    refill(this.#pictures, made.length, () => made.map(picture));
    this.#files.hidden = !untold.length;
  }

  /** Brings the tree up to date where it is seen: those of a long conversation that are folded are not even made. */
  #grow() {
    if (this.#work.open && this.#root) this.#tree.update(this.#root);
  }

  /** Whether any of it is on the screen. */
  get inSight() {
    const { top, bottom } = this.node.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  }

  /** Brings the beginning of the answer to the screen, with the end of what stands above it. */
  showAnswer() {
    this.#answer.scrollIntoView({ block: "start" });
  }

  /** The id of the ask that is on the screen, or "". */
  get asks() {
    return this.#ask.firstElementChild?.dataset.ask ?? "";
  }

  /** Brings what the person is asked to the screen: all of it, or its beginning where it is taller than the window. */
  showAsk() {
    this.#ask.scrollIntoView({ block: this.#ask.offsetHeight > innerHeight / 2 ? "start" : "end" });
  }

  /** Shows the time that has passed. */
  tick(task) {
    const ms = (task.ended || Date.now()) - task.started;
    setText(this.#elapsed, task.started && ms >= 0 ? (task.ended || ms >= 60_000 ? duration(ms) : `${Math.floor(ms / 1000)} s`) : "");
  }

  /** What was said to the ask, wherever it was typed, is on its way: nobody says it twice, until it is refused or was no answer (release). */
  #answered() {
    for (const c of this.#ask.querySelectorAll(".controls :is(button, input)")) {
      keepFocus(c);
      c.disabled = true;
    }
    this.#ask.firstElementChild?.setAttribute("aria-busy", "true");
  }

  /** Says something where the task was answered; the newest stays. */
  say(text) {
    this.#notice.replaceChildren(el("p", { className: "notice", role: "alert", "data-kind": "answered" }, text));
  }

  /** Switches on again what was switched off when it was used: the gateway has refused it. */
  release() {
    this.#cancels(false);
    this.#ask.filledWith = undefined;
  }

  #cancels(under) {
    this.#cancel.disabled = under;
    this.#cancel.textContent = under ? words.cancelling : words.cancel;
  }

  /** Folds the work into its one line. */
  fold() {
    this.#work.open = false;
  }

  /** What goes on, in the words that stand there, for who does not see them; "" when nothing does. */
  goesOn(task) {
    return task.open && task.status === "working" ? this.#line(task) : "";
  }

  #line(task) {
    if (!task.id) return words.pending;
    if (task.open) {
      const p = task.status === "working" && task.progress;
      if (!p) return word(task.status);
      return p.asks ? `${p.agent} → ${p.asks.join(", ")}` : [p.agent, p.text].filter(Boolean).join(": ");
    }
    const usage = task.response?.usage;
    const calls = [...task.calls.values()];
    const rounds = calls.reduce((n, c) => n + c.rounds.filter((r) => r.done).length, 0);
    const actions = calls.reduce((n, c) => n + c.rounds.reduce((m, r) => m + r.actions.filter(Boolean).length, 0), 0);
    const tokens = (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
    return [this.#vain ? (actions ? words.vain : words.replied) : word(task.status), words.summary(rounds, actions), tokens ? words.tokens(tokens) : ""].filter(Boolean).join(" · ");
  }

  #end(task) {
    const r = task.response;
    if (r.status === "ok") return show(r.observation);
    if (r.status === "cancelled") return this.#stopped(task, r);
    const code = r.error?.code ?? (r.status === "cancelled" ? "cancelled" : "internal");
    const advice = Object.hasOwn(words.advice, code) ? words.advice[code] : words.advice.internal;
    return el("section", { className: "failure", role: "alert" },
      el("h3", {}, word(r.status)),
      r.error?.message ? el("p", {}, r.error.message) : null,
      advice ? el("p", { className: "advice" }, advice) : null,
      r.observation && r.observation !== r.error?.message ? show(r.observation) : null,
      this.#again(task));
  }

  /** A cancelled task says so once, in its own words if it has any. */
  #stopped(task, r) {
    const message = r.error?.message || word(r.status);
    const found = typeof r.observation === "string" && r.observation.startsWith(message) ? r.observation.slice(message.length).trim() : r.observation;
    return el("section", { className: "cancelled", role: "note" }, el("h3", {}, message), found ? show(found) : null, this.#again(task));
  }

  #again(task) {
    return el("button", { type: "button", onclick: () => this.#do.again(task.question, task.brought) }, words.askAgain);
  }
}
