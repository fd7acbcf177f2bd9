// Small helpers around the DOM. Nothing here takes HTML: text goes in as text, so what agents write cannot become markup.

/** Makes an element. Properties that are functions are listeners ("onclick"), "data-", "aria-" and "role" are attributes. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (key.includes("-") || key === "role" || key === "for") node.setAttribute(key, value);
    else node[key] = value;
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

/** Sets the text only if it is another one, so that a selection in it survives. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Puts fill()'s nodes into node when key is another one than last time. */
export function refill(node, key, fill) {
  if (node.filledWith === key) return;
  node.filledWith = key;
  node.replaceChildren(...[fill()].flat().filter(Boolean));
}

/** Before a control that has the keyboard goes away, the box to type in takes over; who has clicked or tapped is left where they are. */
export function keepFocus(control) {
  if (control.matches("button:focus-visible")) document.getElementById("question")?.focus({ preventScroll: true });
}

/** A random token of H-MAP with 120 bits: nobody guesses a session by its name. Works without a secure context. */
export function randomToken(prefix) {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return prefix + Array.from(bytes, (b) => "abcdefghijklmnopqrstuvwxyz234567"[b & 31]).join("");
}

/** Milliseconds for people: "420 ms", "3.2 s", "2:05". */
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
