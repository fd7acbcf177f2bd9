// The conversations: all that the gateway lists, whoever began them, and the drafts of this browser, of which nothing is in the log yet.

import { el, setText } from "./dom.js";
import { words } from "./words.js";

const KEY = "hmap.drafts";
const MOST = 20; // drafts
const FIRST = 80; // characters of a draft's question
const PAGE = 30; // conversations asked for at a time
const SESSION = /^[\w-]{1,64}$/;

/** Whether a text can be a session's name. */
export const isSession = (text) => SESSION.test(text);

/** Gives [{id, first, time}], the newest first; time is in milliseconds since 1970. */
export function drafts() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return kept.filter((d) => isSession(d?.id) && typeof d.first === "string" && typeof d.time === "number").slice(0, MOST);
  } catch {
    return []; // no storage in this browser, or something else in it
  }
}

/** Keeps the first question of a conversation until its first record is here. */
export function keepDraft(id, question) {
  const first = [...question.trim().replace(/\s+/g, " ")].slice(0, FIRST).join("");
  const all = drafts();
  if (!all.some((d) => d.id === id)) store([{ id, first, time: Date.now() }, ...all].slice(0, MOST));
}

/** Forgets a draft: it is in the log now, and listed by the gateway, or it was refused. */
export function dropDraft(id) {
  const all = drafts();
  if (all.some((d) => d.id === id)) store(all.filter((d) => d.id !== id));
}

function store(list) {
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // Without storage there are no drafts; the address still leads back.
  }
}

/** The list as links, the current one marked. It fills as the gateway answers. */
export function conversationList(current) {
  const own = el("ul");
  const list = el("ul");
  const note = el("p", { className: "dim", role: "status" }, words.loading);
  const more = el("button", { type: "button", hidden: true });
  const shown = new Set(); // a session changed between two pages is in both
  let next = 0;
  const showDrafts = () => own.replaceChildren(...drafts().map((d) => entry(d.id, d.first, d.time, words.not_started, current)));
  const fill = async () => {
    more.disabled = true;
    try {
      const page = await sessions(next);
      const fresh = page.sessions.filter((s) => !shown.has(s.session));
      for (const s of fresh) {
        shown.add(s.session);
        dropDraft(s.session); // begun in another tab
      }
      showDrafts();
      list.append(...fresh.map((s) => entry(s.session, s.title, Date.parse(s.last), s.waiting ? words.waits : s.running ? words.working : "", current, s.waiting > 0)));
      next = page.next ?? 0;
      more.hidden = !next;
      setText(more, words.older);
      setText(note, own.children.length + list.children.length ? "" : words.noConversations);
    } catch (error) {
      setText(note, `${words.noList} ${error.message}`);
      setText(more, words.tryAgain);
      more.hidden = false;
    }
    more.disabled = false;
  };
  more.onclick = fill;
  showDrafts();
  fill();
  return el("div", { className: "past" }, own, list, note, more);
}

function entry(id, title, time, mark, current, wanted = false) {
  const at = new Date(time);
  return el("li", {}, el("a", { href: `/?s=${encodeURIComponent(id)}`, "aria-current": id === current ? "page" : null },
    el("span", { className: "first" }, title || id), mark ? el("span", { className: wanted ? "state waits" : "state" }, mark) : null,
    isNaN(at) ? null : el("time", { dateTime: at.toISOString() }, at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" }))));
}

/** One page of the gateway's list, from the sequence before on; it throws what the gateway says when it cannot be read. */
async function sessions(before) {
  const answer = await fetch(`/v1/sessions?limit=${PAGE}${before ? `&before=${before}` : ""}`);
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.message);
  return body;
}
