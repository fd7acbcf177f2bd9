// The card with which an agent asks the person: for leave to do something, or for a fact.

import { el, keepFocus } from "./dom.js";
import { inline } from "./markdown.js";
import { show } from "./value.js";
import { words } from "./words.js";

/** Gives the card of an ask; tell(kind, text) is called once, with what the person says. */
export function askCard(ask, tell) {
  const approval = ask.kind === "approval";
  const title = approval ? words.approval : words.asksYou;
  const controls = el("div", { className: "controls" });
  const card = el("section", { className: "ask", role: "group", "aria-label": title, "data-ask": ask.id, "data-kind": ask.kind },
    el("h3", {}, title),
    el("p", { className: "wanted" }, ...inline(ask.question ?? "")),
    ask.tool_name ? el("div", { className: "would" },
      el("p", {}, el("span", { className: "dim" }, words.wouldCall, " "), el("code", {}, ask.tool_name), " ", ask.role ? el("span", { className: "role" }, ask.role) : null),
      ask.arguments ? show(ask.others?.length ? [ask.arguments, ...ask.others.map((o) => o.arguments ?? {})] : ask.arguments) : null) : null,
    controls,
    expiry(ask.expires));
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
      button(words.approve, "primary", () => say("approve", "")),
      button(words.refuse, "", () => say("refuse", "")));
  } else if (ask.options?.length) {
    controls.append(...ask.options.map((o) => button(o, "", () => say("answer", o))));
  } else {
    const field = el("input", { type: "text", maxLength: 4000, placeholder: words.answerHere, "aria-label": ask.question || title });
    const form = el("form", { className: "free", autocomplete: "off" }, field, el("button", { type: "submit", className: "primary" }, words.send));
    form.onsubmit = (event) => {
      event.preventDefault();
      if (field.value.trim()) say("answer", field.value.trim());
    };
    controls.append(form);
  }
  return card;
}

/** What the person said, for the transcript. */
export function saidLine(input) {
  const how = {
    approve: words.saidApprove, refuse: words.saidRefuse, answer: words.saidAnswer, expire: words.saidExpire, steer: words.saidSteer,
    cancel: words.saidCancel,
  }[input.kind] ?? input.kind;
  return el("p", { className: "said", "data-kind": input.kind }, (input.text ? `${how}: ${input.text}` : how) + (input.late ? words.tooLate : ""));
}

/** A button that takes one click: the second of a double one may be on another question, which has come in the first one's place. */
function button(text, className, answer) {
  return el("button", { type: "button", className, onclick: (event) => { if (event.detail < 2) answer(); } }, text);
}

function expiry(expires) {
  const at = new Date(expires ?? "");
  return isNaN(at) ? null : el("p", { className: "dim" }, `${words.until} ${at.toLocaleString()}`);
}
