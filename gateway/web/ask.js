// The card with which an agent asks the person: for leave to do something, or for a fact.

import { el, keepFocus } from "./dom.js";
import { inline, markdown } from "./markdown.js";
import { show } from "./value.js";
import { words, wordsFor } from "./words.js";

/** Gives the card of an ask; tell(kind, text) is called once, with what the person says. */
export function askCard(ask, tell) {
  const approval = ask.kind === "approval";
  const says = wordsFor(ask.question);
  const title = approval ? says.approval : says.asksYou;
  const controls = el("div", { className: "controls" });
  const card = el("section", { className: "ask", role: "group", "aria-label": title, "data-ask": ask.id, "data-kind": ask.kind, lang: says.lang },
    el("h3", {}, title),
    ...asked(ask.question ?? ""),
    ask.tool_name ? would(ask, says) : null,
    controls,
    expiry(ask.expires, says));
  const say = (kind, text) => {
    for (const c of controls.querySelectorAll("button, input")) {
      keepFocus(c);
      c.disabled = true;
    }
    card.setAttribute("aria-busy", "true");
    tell(kind, text);
  };
  if (approval) {
    controls.append(
      button(says.approve, "primary", () => say("approve", "")),
      button(says.refuse, "", () => say("refuse", "")));
  } else if (ask.options?.length) {
    controls.append(...ask.options.map((o) => button(o, "", () => say("answer", o))));
  } else {
    const field = el("input", { type: "text", maxLength: 4000, placeholder: says.answerHere, "aria-label": ask.question || title });
    const form = el("form", { className: "free", autocomplete: "off" }, field, el("button", { type: "submit", className: "primary" }, says.send));
    form.onsubmit = (event) => {
      event.preventDefault();
      if (field.value.trim()) say("answer", field.value.trim());
    };
    controls.append(form);
  }
  return card;
}

/** What is asked: its first line, and the rest, such as the list of what is to be changed, as text that is read. */
function asked(question) {
  const end = question.indexOf("\n");
  if (end < 0) return [el("p", { className: "wanted" }, ...inline(question))];
  return [el("p", { className: "wanted" }, ...inline(question.slice(0, end))), el("div", { className: "markdown" }, ...markdown(question.slice(end + 1)))];
}

/** What would be called, and with what: folded where the question says it all, so that nobody reads it twice. */
function would(ask, says) {
  const head = [el("span", { className: "dim" }, says.wouldCall, " "), el("code", {}, ask.tool_name), " ", ask.role ? el("span", { className: "role" }, ask.role) : null];
  if (!ask.arguments) return el("p", { className: "would" }, ...head);
  const all = [ask.arguments, ...(ask.others ?? []).map((o) => o.arguments ?? {})];
  const told = all.every((a) => Object.values(a).every((v) => typeof v !== "object" && ask.question?.includes(String(v))));
  return el("details", { className: "would", open: !told }, el("summary", {}, ...head), show(all.length > 1 ? all : ask.arguments));
}

/** What the person said, for the transcript; of what came to nothing, why. */
export function saidLine(input) {
  const why = input.unsent ? words.unsent : input.before ? words.answeredBefore(saidText(input.before)) : input.late ? words.tooLate : "";
  return el("p", { className: "said", "data-kind": input.kind, "data-heard": why ? "no" : null }, saidText(input) + why);
}

/** What was said to an ask or a task, in words. */
export function saidText({ kind, text }) {
  const how = {
    approve: words.saidApprove, refuse: words.saidRefuse, answer: words.saidAnswer, expire: words.saidExpire, steer: words.saidSteer,
    cancel: words.saidCancel,
  }[kind] ?? kind;
  return text ? `${how}: ${text}` : how;
}

/** A button that takes one click: the second of a double one may be on another question, which has come in the first one's place. */
function button(text, className, answer) {
  return el("button", { type: "button", className, onclick: (event) => { if (event.detail < 2) answer(); } }, text);
}

function expiry(expires, says) {
  const at = new Date(expires ?? "");
  return isNaN(at) ? null : el("p", { className: "dim" }, `${says.until} ${at.toLocaleString(says.lang)}`);
}
