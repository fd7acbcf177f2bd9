// Markdown to DOM nodes. Safe by construction: it makes elements and text nodes and never parses HTML, and links lead only to
// http and https. It knows what answers use: headings, lists, quotes, tables, code, bold, italic, strike-through, links.

import { el } from "./dom.js";
import { words } from "./words.js";

const LONGEST = 200_000; // characters; longer text is shown as it is, so that no answer can stall the page
const DEEPEST = 6; // lists in quotes in lists
const CELLS = 100_000; // of a table; one of more is shown as it is

/** Gives the nodes of a Markdown text. */
export function markdown(text) {
  if (text.length > LONGEST) return [el("pre", {}, text)];
  return blocks(text.replace(/\r\n?/g, "\n").split("\n"), 0);
}

// None of these may try a text's places once for each of its places: 200,000 signs would stall the page for minutes.
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#-]*)/;
const HEADING = /^(#{1,6})\s(.*)$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)、])\s+(.*)$/;
const QUOTE = /^ {0,3}> ?/;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const DIVIDER = /^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?$/;

function blocks(lines, depth) {
  const out = [];
  for (let i = 0; i < lines.length;) {
    const line = lines[i];
    let m;
    if (!line.trim()) {
      i++;
    } else if ((m = FENCE.exec(line))) {
      const body = [];
      for (i++; i < lines.length && !lines[i].trim().startsWith(m[1]); i++) body.push(lines[i]);
      i++;
      out.push(el("pre", {}, el("code", {}, body.join("\n"))));
    } else if ((m = HEADING.exec(line))) {
      out.push(el(`h${Math.min(m[1].length + 2, 6)}`, {}, ...inline(withoutEnd(m[2].trim(), "#", " ")))); // the page's own headings stand above
      i++;
    } else if (RULE.test(line)) {
      out.push(el("hr"));
      i++;
    } else if (isHead(line, lines[i + 1])) {
      const first = i;
      const rows = [];
      const aligns = cells(lines[i + 1]).map((c) => (/^:.*:$/.test(c) ? "center" : c.endsWith(":") ? "right" : ""));
      const head = cells(line);
      for (i += 2; i < lines.length && lines[i].includes("|"); i++) rows.push(cells(lines[i]));
      out.push(head.length * rows.length > CELLS ? el("pre", {}, lines.slice(first, i).join("\n")) : table(head, rows, aligns));
    } else if (depth < DEEPEST && QUOTE.test(line)) {
      const body = [];
      for (; i < lines.length && QUOTE.test(lines[i]); i++) body.push(lines[i].replace(QUOTE, ""));
      out.push(el("blockquote", {}, ...blocks(body, depth + 1)));
    } else if (depth < DEEPEST && ITEM.test(line)) {
      const [node, next] = list(lines, i, depth);
      out.push(node);
      i = next;
    } else {
      const body = [line];
      for (i++; i < lines.length && lines[i].trim() && !starts(lines[i], lines[i + 1]); i++) body.push(lines[i]);
      out.push(el("p", {}, ...inline(body.join("\n"))));
    }
  }
  return out;
}

/** Tells whether a line ends the paragraph before it. */
function starts(line, next) {
  return FENCE.test(line) || HEADING.test(line) || QUOTE.test(line) || ITEM.test(line) || RULE.test(line) || isHead(line, next);
}

/** Tells whether a table begins with these two lines. */
const isHead = (line, next = "") => line.includes("|") && DIVIDER.test(next.trim());

/** The text without the signs at its end; with before, only where that stands before them, or nothing, and without it. */
function withoutEnd(text, signs, before = "") {
  let end = text.length;
  while (end && signs.includes(text[end - 1])) end--;
  return end && before && text[end - 1] !== before ? text : text.slice(0, end).trimEnd();
}

function list(lines, i, depth) {
  const [, indent, marker] = ITEM.exec(lines[i]);
  const ordered = /\d/.test(marker);
  const node = el(ordered ? "ol" : "ul");
  if (ordered) node.start = parseInt(marker, 10);
  while (i < lines.length) {
    const m = ITEM.exec(lines[i]);
    if (!m || m[1].length > indent.length + 1 || m[1].length < indent.length || /\d/.test(m[2]) !== ordered) break;
    const body = [m[3]];
    for (i++; i < lines.length; i++) {
      const blank = !lines[i].trim();
      const deeper = /^\s*/.exec(lines[i])[0].length > indent.length + 1;
      if (blank ? !/^\s{2,}\S/.test(lines[i + 1] ?? "") : !deeper) break;
      body.push(lines[i].slice(Math.min(indent.length + m[2].length + 1, /^\s*/.exec(lines[i])[0].length)));
    }
    const inner = blocks(body, depth + 1);
    if (inner[0]?.tagName === "P") inner.splice(0, 1, ...inner[0].childNodes); // a tight list
    node.append(el("li", {}, ...inner));
    while (i < lines.length && !lines[i].trim() && ITEM.test(lines[i + 1] ?? "")) i++;
  }
  return [node, i];
}

function cells(line) {
  return line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((c) => c.trim().replaceAll("\\|", "|"));
}

function table(head, rows, aligns) {
  const places = head.map((_, i) => aligns[i] || (rows.length && rows.every((r) => isAmount(r[i] ?? "")) ? "right" : ""));
  const row = (tag, values) => el("tr", {}, ...head.map((_, i) => {
    const text = values[i] ?? "";
    return el(tag, { className: [places[i], isLong(text) ? "long" : ""].filter(Boolean).join(" ") }, ...inline(text));
  }));
  return grid(row("th", head), rows.map((r) => row("td", r)));
}

/** A table of rows that are elements. What is too wide for the page is scrolled, also with the keyboard, and says so. */
export function grid(head, rows) {
  for (const cell of head.cells) cell.scope = "col";
  const node = el("div", { className: "table", role: "group", "aria-label": words.table }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)));
  widths.observe(node);
  return node;
}

/** Only what is wider than its place is stopped at by the keyboard. */
const widths = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    const wide = target.scrollWidth > target.clientWidth;
    target.toggleAttribute("data-wide", wide);
    target.setAttribute("aria-label", wide ? words.wideTable : words.table);
    if (wide) target.tabIndex = 0;
    else if (target !== document.activeElement) target.removeAttribute("tabindex");
  }
});

/** Whether a cell's text may go over several lines; dates, names and numbers stay on one. */
export const isLong = (text) => [...text].length > 24;

const isAmount = (text) => /^[-+−]?[¥$€]?\d{1,3}(?:,?\d{3}){0,2}(?:\.\d+)?\s*%?$/.test(text) || text === "";

const INLINE = new RegExp([
  "(?<code>`[^`\\n]+`)",
  "\\*\\*(?<bold>(?:[^*\\n]|\\*(?!\\*))+)\\*\\*",
  "~~(?<strike>[^~\\n]+)~~",
  "\\*(?<italic>[^*\\s](?:[^*\\n]*[^*\\s])?)\\*",
  "!?\\[(?<label>[^\\[\\]\\n]{1,500})\\]\\((?<to>https?://[^\\s()<>]+(?:\\([^\\s()<>]*\\)[^\\s()<>]*)*|obj:[\\w-]{1,64})\\)",
  "(?<bare>https?://[^\\s<>()\\[\\]\"'`，。；：！？、（）【】「」《》]+)",
].join("|"), "g");

/** Gives the nodes of one paragraph's text. */
export function inline(text, depth = 0) {
  const out = [];
  let at = 0;
  for (const m of text.matchAll(INLINE)) {
    out.push(text.slice(at, m.index));
    at = m.index + m[0].length;
    const g = m.groups;
    const within = (s) => (depth < DEEPEST ? inline(s, depth + 1) : [s]);
    if (g.code) out.push(el("code", {}, g.code.slice(1, -1)));
    else if (g.bold) out.push(el("strong", {}, ...within(g.bold)));
    else if (g.strike) out.push(el("del", {}, ...within(g.strike)));
    else if (g.italic) out.push(el("em", {}, ...within(g.italic)));
    else if (g.to) out.push(link(g.to, within(g.label)));
    else {
      const url = withoutEnd(g.bare, ".,;:!?");
      out.push(link(url, [url]), g.bare.slice(url.length));
    }
  }
  out.push(text.slice(at));
  return out.filter((n) => n !== "");
}

function link(url, label) {
  if (url.startsWith("obj:")) return el("a", { href: `/v1/files/${encodeURIComponent(url)}`, download: "" }, ...label);
  if (!URL.canParse(url)) return el("span", {}, ...label); // the pattern has seen to http and https
  const node = el("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow" }, ...label);
  const { host } = new URL(url);
  const named = /(?:[\w-]{1,63}\.)+[a-z]{2,24}/i.exec(node.textContent.slice(0, 300))?.[0].toLowerCase();
  if (named && named !== host && !host.endsWith(`.${named}`)) node.append(el("span", { className: "dim" }, ` (${host})`)); // it calls itself another place
  return node;
}
