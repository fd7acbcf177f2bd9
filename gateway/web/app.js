// The page: one session, followed from the gateway, and the box to ask in.

import { saidText } from "./ask.js";
import { conversationList, dropDraft, isSession, keepDraft } from "./conversations.js";
import { el, randomToken, setText } from "./dom.js";
import { Tray } from "./files.js";
import { Link } from "./link.js";
import { Log } from "./log.js";
import { offerList, offers } from "./offers.js";
import { closing, openRecords } from "./records.js";
import { TaskView } from "./task.js";
import { glimpse } from "./value.js";
import { label, word, words } from "./words.js";

const $ = (id) => document.getElementById(id);
const log = new Log();
const views = new Map(); // of tasks
const changed = new Set(); // tasks to show in the next frame

label(document);
const wanted = new URLSearchParams(location.search).get("s") ?? "";
const session = isSession(wanted) ? wanted : randomToken("s");
let caughtUp = false; // all that there was is here
let arrived = false; // and on the screen, which stands where the newest answer begins; what is said aloud is only what comes then

let held = false; // what is typed goes when its files are there
let under = null; // the id of the ask, "" for none, that stood there when what is typed was begun; null while nothing is
let told = ""; // why what is typed has not gone
const MOST = 48 << 10; // bytes of it that the gateway takes, with the escapes of JSON
const ACCEPTED = 1500; // milliseconds within which what is said is accepted; after that it is shown as not sent
const tray = new Tray($("tray"), {
  changed: () => {
    refresh();
    if (held && !tray.busy) $("composer").requestSubmit();
  },
  say: (text) => setText($("spoken"), text),
});

const link = new Link({
  position: () => log.seq,
  record: (seq, record) => {
    if (!log.seq) dropDraft(session); // from now on the gateway lists it
    touch(log.add(seq, record));
  },
  live: (text) => touch(log.live(text)),
  caughtUp: () => {
    caughtUp = true;
    refresh();
    touch(log.tasks.findLast((t) => t.id));
    soon();
    if (!$("welcome").hidden) offers().then((cards) => welcome(cards ?? []));
  },
  resync: (from) => { if (from < log.seq) rebuild(from); },
  accepted: (frame) => {
    sent(frame.id);
    if (frame.waits) { // what was typed was no answer
      stillWaits();
      views.get(log.task(frame.waits))?.release();
      touch(log.task(frame.waits));
    }
    if (log.tasks.some((t) => t.clientID === frame.id)) {
      touch(log.accepted(frame.id, frame.task));
      for (const task of views.keys()) if (!log.tasks.includes(task)) drop(task); // its records came first
    }
  },
  refused: (error, frame) => refuse(error, frame),
  status: (name) => {
    document.body.dataset.link = name;
    if (name !== "online") overdue();
    setText($("status"), word(name));
  },
});
link.follow(session);
refresh();
welcome([]);

function touch(task) {
  if (!task) return;
  changed.add(task);
  if (caughtUp || !wanted) soon(); // a history is drawn once, when all of it is here
}

let coming = false;

/** Draws in the next frame. */
function soon() {
  if (!coming) requestAnimationFrame(draw);
  coming = true;
}

function draw() {
  coming = false;
  const end = innerHeight + scrollY > document.documentElement.scrollHeight - 120;
  const stick = end && [...changed].some((t) => t.open); // what comes after an answer does not push it away
  let answered = null;
  let asks = null; // whose ask has come
  for (const task of changed) {
    let view = views.get(task);
    if (!log.tasks.includes(task)) continue;
    if (!view) {
      for (const other of views.values()) other.fold();
      views.set(task, (view = new TaskView({ tell, again: ask, raw: (records) => openRecords($("records"), records) })));
      const next = log.tasks.slice(log.tasks.indexOf(task) + 1).find((t) => views.has(t));
      $("conversation").insertBefore(view.node, views.get(next)?.node ?? null);
    }
    const before = view.node.dataset.status;
    const asked = view.asks;
    const watched = arrived && (end || view.inSight);
    view.update(task);
    if (arrived && before !== task.status) announce(task.status);
    if (view.asks && view.asks !== asked && (watched || !arrived && task === log.tasks.at(-1))) asks = view;
    if (!task.open && before !== task.status && watched) answered = view;
  }
  if (!arrived) answered = log.tasks.at(-1)?.open ? null : views.get(log.tasks.at(-1));
  changed.clear();
  refresh();
  if (answered) answered.showAnswer();
  else if (asks ??= stick && log.tasks.at(-1)?.ask ? views.get(log.tasks.at(-1)) : null) asks.showAsk(); // and stays where it begins
  else if (stick) scrollTo({ top: document.documentElement.scrollHeight });
  arrived ||= caughtUp;
}

function announce(status) {
  const text = { ok: words.answered, waiting: words.needsYou, error: words.failedSay }[status];
  if (text) $("spoken").replaceChildren(text); // a new node, for the same words again are news
}

/** What depends on the whole: the first visit, the running task. */
function refresh() {
  document.title = log.tasks.length ? `${glimpse(log.tasks[0].question, 60)} · hmap` : "hmap";
  $("welcome").hidden = !caughtUp && Boolean(wanted) || log.tasks.length > 0;
  const running = listening();
  const asked = running?.ask;
  const news = told || (held ? words.held : "");
  setText($("hint"), news || words.hint);
  $("hint").toggleAttribute("data-news", Boolean(news));
  $("question").placeholder = !tray.empty ? words.askOfFiles : asked?.kind === "approval" ? words.reason : asked ? words.answerHere : running ? words.steer : words.ask;
}

/** The task to which is told what is typed: the newest that goes on. */
function listening() {
  return log.tasks.findLast((t) => t.open && t.id);
}

function rebuild(from) {
  log.back(from);
  for (const task of [...views.keys()]) drop(task);
  log.tasks.forEach(touch);
}

function drop(task) {
  views.get(task)?.node.remove();
  views.delete(task);
}

/** Asks: a new task, with the files that it brings. The address then leads back to this conversation. */
function ask(question, files = []) {
  const id = randomToken("t");
  touch(log.expect(id, question, files));
  soon(); // also while the history is on its way
  if (!wanted) history.replaceState(null, "", `?s=${session}`);
  if (!log.seq) keepDraft(session, question);
  link.send({ type: "task", id, session, query: question, ...(files.length ? { files } : {}) });
  scrollTo({ top: document.documentElement.scrollHeight });
}

/** Says something to a task: an answer, an approval, a steer, a cancel. */
function tell(task, input) {
  const id = randomToken("i");
  if (input.ask) noMoreWaits();
  task.unsent.set(id, { ...input, waits: document.body.dataset.link !== "online" });
  touch(task);
  setTimeout(() => overdue(id), ACCEPTED); // a line that is dead and does not know it yet
  link.send({ type: "input", id, session, task: task.id, ...input });
}

/** Shows what nobody has accepted yet as not sent: what was said with this id, or all of it. */
function overdue(id) {
  for (const task of log.tasks) {
    for (const [each, input] of task.unsent) if (!id || id === each) Object.assign(input, { waits: true });
    if (id ? task.unsent.has(id) : task.unsent.size) touch(task);
  }
}

/** The gateway has answered what was said with this id. */
function sent(id) {
  for (const task of log.tasks) if (task.unsent.delete(id)) touch(task);
}

/** Says something at the end of the conversation. */
function notice(text) {
  $("conversation").append(el("p", { className: "notice", role: "status" }, text));
}

/** Says that what was asked above still waits, until that is answered. */
function stillWaits() {
  noMoreWaits();
  notice(words.stillWaits);
  $("conversation").lastElementChild.dataset.waits = "";
}

function noMoreWaits() {
  for (const said of $("conversation").querySelectorAll(".notice[data-waits]")) said.remove();
}

/** Shows what the gateway would not take, where it was said. */
function refuse(error, frame) {
  sent(frame?.id);
  if (error.answered) return answered(error.answered, frame);
  const again = frame?.type === "task" && log.tasks.find((t) => t.clientID === frame.id);
  if (again) {
    if (!log.seq) dropDraft(session);
    const now = new Date().toISOString();
    Object.assign(again, { status: "error", ended: Date.now(), response: { status: "error", error: { code: error.code, message: error.message }, time: now } });
    return touch(again);
  }
  const note = el("p", { className: "notice", role: "alert" }, `${error.message} `, Object.hasOwn(words.advice, error.code) ? words.advice[error.code] : "");
  $("conversation").append(note);
  const task = log.task(frame?.task);
  if (!task) return;
  views.get(task)?.release();
  touch(task);
  if (frame.text && !$("question").value) write(frame.text); // it is not to be typed again
}

/** Says that somebody else was first, and with what: the log has both, and only the first is heard. */
function answered(first, frame) {
  const task = log.task(frame?.task);
  const text = words.answeredAlready(saidText(first));
  if (!task) return notice(text);
  views.get(task)?.say(text);
  touch(task);
}

$("composer").onsubmit = (event) => {
  event.preventDefault();
  const box = $("question");
  const text = box.value.trim();
  if (!text) return;
  const over = new TextEncoder().encode(JSON.stringify(text)).length - MOST;
  const asked = listening()?.ask;
  if (over > 0) return hold(words.tooLong(Math.ceil((over / (over + MOST)) * [...text].length)));
  if (asked && asked.id !== under && tray.empty) { // whoever wrote it had not seen the question
    under = asked.id;
    return hold(words.meanwhile);
  }
  held = tray.busy;
  if (held) return refresh();
  const files = tray.take();
  if (!files) return refresh();
  write("");
  const running = listening();
  const open = running?.ask;
  if (files.length && open) stillWaits(); // only a request can bring files
  if (!running || files.length) return ask(text, files);
  // Words said while an approval waits are meant for it: 「算了」 is a no, and must not be a wish for the time after a yes.
  if (open) tell(running, { kind: "answer", ask: open.id, text, apart: true });
  else tell(running, { kind: "steer", text });
};

$("question").onkeydown = (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return; // 229: an input method is at work (Safari)
  event.preventDefault();
  $("composer").requestSubmit();
};

const grow = () => {
  const box = $("question");
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight + box.offsetHeight - box.clientHeight, 200)}px`; // with its border, or a bar would show
};
$("question").oninput = () => {
  held = false; // it is not ready after all
  told = "";
  under = $("question").value ? under ?? listening()?.ask?.id ?? "" : null;
  refresh();
  grow();
};

/** Puts a text into the box, as if it was typed. */
function write(text) {
  $("question").value = text;
  $("question").oninput();
}

/** Leaves in the box what would have gone, and says why. */
function hold(why) {
  told = why;
  setText($("spoken"), why);
  refresh();
}

$("attach").title = words.attach;
$("attach").onclick = () => $("pick").click();
$("pick").onchange = () => {
  tray.add([...$("pick").files]);
  $("pick").value = ""; // so that the same file can be chosen again
  $("question").focus();
};
$("question").onpaste = (event) => {
  // Programs put a picture of the text beside it, which nobody means.
  if (!event.clipboardData.types.includes("text/plain") && tray.addFrom(event.clipboardData)) event.preventDefault();
};
const brings = (event) => event.dataTransfer?.types.includes("Files");
const dropping = (yes) => document.body.toggleAttribute("data-dropping", yes);
addEventListener("dragover", (event) => {
  if (!brings(event)) return;
  event.preventDefault(); // else the browser would leave the page and show the file
  dropping(true);
});
addEventListener("dragleave", (event) => { if (!event.relatedTarget) dropping(false); });
addEventListener("drop", (event) => {
  dropping(false);
  if (!brings(event)) return;
  event.preventDefault();
  tray.addFrom(event.dataTransfer);
  $("question").focus();
});

$("new").onclick = () => location.assign("/");
$("conversations-open").onclick = () => openDialog($("conversations"), words.conversations, conversationList(session));
$("records-open").onclick = () => openRecords($("records"), log.records, words.allRecords);
$("agents-open").onclick = async () => openDialog($("agents"), words.onOffer, offerList(await offers()));

function openDialog(dialog, title, content) {
  dialog.replaceChildren(el("header", {}, el("h2", {}, title), closing(dialog)), content);
  dialog.showModal();
}

function welcome(cards) {
  const there = new Set(cards.map((c) => c.name)); // without its shop the house cannot answer what the examples ask
  const tries = words.tries.filter(([agent]) => !cards.length || there.has(agent))
    .map(([, q]) => el("li", {}, el("button", { type: "button", onclick: () => ask(q) }, q)));
  $("welcome").replaceChildren(
    el("h1", {}, words.welcome), el("p", { className: "lead" }, words.lead),
    ...(tries.length ? [el("h2", {}, words.examples), el("ul", { className: "tries" }, ...tries)] : []),
    ...(cards.length ? [el("h2", {}, words.onOffer), offerList(cards)] : []));
}

// Time passes for open tasks, also while nothing is heard of them.
setInterval(() => {
  for (const [task, view] of views) if (task.open) view.tick(task);
  tellProgress();
}, 1000);

const OFTEN = 8000; // milliseconds between two sentences about what goes on, at least
let said = { text: "", at: 0 };

/** Says aloud what goes on, when that is another thing than the last time, and not so often that nothing else is heard. */
function tellProgress() {
  const task = log.tasks.findLast((t) => t.open && t.id);
  const text = (task && views.get(task)?.goesOn(task)) ?? "";
  if (!arrived || !text || text === said.text || Date.now() - said.at < OFTEN) return;
  said = { text, at: Date.now() };
  setText($("spoken"), text);
}
