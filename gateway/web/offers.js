// Who is there: the cards of agents and tools, in the reader's language as far as a card tells the languages apart.

import { el } from "./dom.js";
import { language, words } from "./words.js";

const CHINESE = /\p{Script=Han}/u;

/** The cards of those who are there; null when they cannot be had. */
export async function offers() {
  try {
    const answer = await fetch("/v1/agents");
    return answer.ok ? (await answer.json()).cards ?? [] : null;
  } catch {
    return null; // the status line tells that the connection is lost
  }
}

/** Shows agents, and folded below them the tools. */
export function offerList(cards) {
  if (!cards) return el("p", { className: "offers dim" }, words.unread);
  const part = (kind) => cards.filter((c) => c.kind === kind).map(offer);
  const agents = part("agent");
  const tools = part("tool");
  return el("div", { className: "offers" },
    agents.length ? el("ul", {}, ...agents) : el("p", { className: "dim" }, words.noAgents),
    tools.length ? el("details", {}, el("summary", {}, `${words.tools} (${tools.length})`), el("ul", {}, ...tools)) : null);
}

function offer(card) {
  const title = titleOf(card);
  return el("li", {},
    el("div", {}, title ? el("b", {}, title) : null, el("code", {}, card.name)),
    el("span", {}, described(card.description ?? "")));
}

/** An agent's title: the last two of its tags are the Chinese and the English one. "" when they are not. */
function titleOf(card) {
  if (card.kind !== "agent") return "";
  const [zh = "", en = ""] = (card.tags ?? []).slice(-2);
  if (!CHINESE.test(zh) || CHINESE.test(en)) return "";
  return language === "zh" ? zh : en;
}

/** The lines of the description that are in the reader's language; all of them when none is. */
function described(text) {
  const lines = text.split("\n").map((l) => l.trim()).filter(Boolean);
  const ours = lines.filter((l) => CHINESE.test(l) === (language === "zh"));
  return (ours.length ? ours : lines).join(" ");
}
