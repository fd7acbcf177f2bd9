// The viewer for developers: records as they stand in the log.

import { el } from "./dom.js";
import { words } from "./words.js";

/** Opens the dialog on these records ({seq, record}), the last one chosen; title says which they are. */
export function openRecords(dialog, records, title = words.records) {
  const body = el("pre", { tabIndex: 0, "aria-label": words.raw });
  const list = el("ol", { className: "index" });
  const choose = (entry, button) => {
    body.textContent = JSON.stringify(entry.record, null, 2);
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
  };
  for (const entry of records) {
    const { seq, record: r } = entry;
    const button = el("button", { type: "button" },
      el("span", { className: "seq" }, `${seq}`), el("b", {}, r.kind), " ", el("span", { className: "dim" }, [r.agent, r.tool_name].filter(Boolean).join(" → ")));
    button.onclick = () => choose(entry, button);
    list.append(el("li", {}, button));
  }
  const copy = el("button", { type: "button" }, words.copy);
  copy.onclick = async () => {
    await navigator.clipboard?.writeText(body.textContent);
    copy.textContent = words.copied;
  };
  dialog.replaceChildren(
    el("header", {}, el("h2", {}, title), navigator.clipboard ? copy : null, closing(dialog)),
    el("div", { className: "columns" }, list, body));
  const last = list.lastChild?.querySelector("button");
  if (last) choose(records.at(-1), last);
  dialog.showModal();
  last?.scrollIntoView({ block: "nearest" });
}

/** The button that closes a dialog. */
export function closing(dialog) {
  return el("button", { type: "button", className: "close", "aria-label": words.close, onclick: () => dialog.close() }, "✕");
}
