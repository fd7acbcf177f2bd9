// Shows any JSON value the way a person reads it: text as Markdown, lists of objects as a table, objects as pairs.

import { el } from "./dom.js";
import { grid, isLong, markdown } from "./markdown.js";
import { language, words } from "./words.js";

const ROWS = 20; // of a table or a list; the record viewer has them all
const DEEPEST = 4; // objects in objects; below stands JSON

/** Parses JSON. A whole number that no JavaScript number holds is kept as it was written, or an id would be shown as another one. */
export function parse(text) {
  if (!JSON.rawJSON || !/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, v, { source }) => (Number.isInteger(v) && !Number.isSafeInteger(v) ? JSON.rawJSON(source) : v));
}

/** What is no list and no object. */
const isPlain = (v) => v === null || typeof v !== "object" || isKept(v);
const isKept = (v) => JSON.isRawJSON?.(v) ?? false;

/** Gives one element that shows the value. */
export function show(value, depth = 0) {
  if (value === null || value === undefined || value === "") return el("span", { className: "dim" }, words.empty);
  if (typeof value === "string") return el("div", { className: "markdown" }, ...markdown(value));
  if (isPlain(value)) return el("span", { className: "number" }, value.rawJSON ?? String(value));
  if (depth >= DEEPEST) return el("code", {}, JSON.stringify(value));
  if (Array.isArray(value)) return value.every(isFlat) && value.length ? table(value) : list(value, depth);
  return pairs(value, depth);
}

/** One line of the value, without the signs of Markdown, for where there is little room; of an object that sums itself up, that. */
export function glimpse(value, most = 120) {
  if (value === null || value === undefined) return "";
  const summary = (language === "en" && value.summary_en) || value.summary;
  if (typeof summary === "string" && summary) value = summary;
  if (Array.isArray(value) && value.length && value.every(isFlat)) { // a table: how long it is, and its first row
    return glimpse(`${words.rows(value.length)}: ${Object.values(value[0]).map((v) => v?.rawJSON ?? String(v ?? "")).filter(Boolean).join(", ")}`, most);
  }
  const text = typeof value === "string" ? value.slice(0, most * 3).replace(/[*`#|]+|^ *> ?|[:-]{3,}/gm, " ") : JSON.stringify(value);
  const line = text.slice(0, most * 3).replace(/\s+/g, " ").trim();
  return line.length > most ? line.slice(0, most - 1) + "…" : line;
}

/** The arguments of a call on one line: name: value, name: value. */
export function glimpseArguments(parameter) {
  if (parameter === null || typeof parameter !== "object" || Array.isArray(parameter)) return glimpse(parameter);
  return glimpse(Object.entries(parameter).map(([k, v]) => `${k}: ${typeof v === "string" ? v : JSON.stringify(v)}`).join(", "));
}

const isFlat = (v) => !isPlain(v) && !Array.isArray(v) && Object.values(v).every(isPlain);

function table(rows) {
  const columns = [...new Set(rows.slice(0, ROWS).flatMap(Object.keys))];
  const cell = (v) => {
    const text = v === null || v === undefined ? "" : v.rawJSON ?? String(v);
    return el("td", { className: typeof v === "number" || isKept(v) ? "right" : isLong(text) ? "long" : "" }, text);
  };
  return el("div", {},
    grid(el("tr", {}, ...columns.map((c) => el("th", {}, c))), rows.slice(0, ROWS).map((r) => el("tr", {}, ...columns.map((c) => cell(r[c]))))),
    rest(rows));
}

function list(values, depth) {
  if (!values.length) return el("span", { className: "dim" }, words.empty);
  return el("div", {}, el("ul", {}, ...values.slice(0, ROWS).map((v) => el("li", {}, show(v, depth + 1)))), rest(values));
}

function pairs(object, depth) {
  return el("dl", {}, ...Object.entries(object).map(([k, v]) => el("div", {}, el("dt", {}, k), el("dd", {}, show(v, depth + 1)))));
}

function rest(values) {
  return values.length > ROWS ? el("p", { className: "dim" }, words.more(values.length - ROWS)) : null;
}
