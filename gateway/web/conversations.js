// The conversations of this browser: which there were, and which of them wait for the person. The server keeps no such list,
// since whoever knows a session's name may read it.

import { el } from "./dom.js";
import { Log } from "./log.js";
import { words } from "./words.js";

const KEY = "hmap.conversations";
const MOST = 20;
const FIRST = 80; // characters of the first question
const SESSION = /^[\w-]{1,64}$/;

/** Whether a text can be a session's name. */
export const isSession = (text) => SESSION.test(text);

/** Gives [{id, first, time}], the one last used first; time is in milliseconds since 1970. */
export function conversations() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return kept.filter((c) => isSession(c?.id) && typeof c.first === "string" && typeof c.time === "number").slice(0, MOST);
  } catch {
    return []; // no storage in this browser, or something else in it
  }
}

/** Puts a conversation at the head of the list; its first words stay what they were. */
export function remember(id, question, time) {
  const all = conversations();
  const known = all.find((c) => c.id === id);
  const first = known?.first || [...question.trim().replace(/\s+/g, " ")].slice(0, FIRST).join("");
  const kept = [...all.filter((c) => c !== known), { id, first, time: Math.max(time, known?.time ?? 0) }].sort((a, b) => b.time - a.time);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept.slice(0, MOST)));
  } catch {
    // Without storage there is no list; the address still leads back.
  }
}

/** The list as links, the current one marked; which of them wait is asked of the gateway and marked when it answers. */
export function conversationList(current) {
  const all = conversations();
  if (!all.length) return el("p", { className: "dim past" }, words.noConversations);
  const list = el("ul", { className: "past" });
  for (const c of all) {
    const mark = el("span", { className: "waits", hidden: true }, words.waits);
    const link = el("a", { href: `/?s=${c.id}`, "aria-current": c.id === current ? "page" : null },
      el("span", { className: "first" }, c.first), mark, el("time", { dateTime: new Date(c.time).toISOString() }, new Date(c.time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })));
    list.append(el("li", {}, link));
    waits(c.id).then((yes) => { mark.hidden = !yes; });
  }
  return list;
}

/** Whether a task of the session waits for the person; false when the gateway does not say. */
async function waits(session) {
  try {
    const answer = await fetch(`/v1/sessions/${session}/records`);
    if (!answer.ok) return false;
    const log = new Log();
    for (const line of (await answer.text()).split("\n").filter(Boolean)) {
      const { seq, record } = JSON.parse(line);
      log.add(seq, record);
    }
    return log.tasks.some((t) => t.ask);
  } catch {
    return false; // the status line tells that the connection is lost
  }
}
