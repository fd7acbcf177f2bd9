// What a person sees and does on the page, in a real browser. Started by gateway/web_test.go, which gives the addresses of
// the page and of the door through which this script plays the agents. HMAP_SHOTS=<folder> keeps pictures.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const { HMAP_CHROMIUM, HMAP_PAGE, HMAP_DOOR, HMAP_PROFILE, HMAP_SHOTS } = process.env;
const errors = []; // of any page: script errors, refused by policy, lost requests outside a cut

const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const context = await chromium.launchPersistentContext(HMAP_PROFILE, {
  executablePath: HMAP_CHROMIUM,
  headless: true,
  ignoreDefaultArgs: ["--hide-scrollbars"], // people have them
  locale: "zh-CN",
  viewport: { width: 1200, height: 860 },
  args,
});
context.setDefaultTimeout(15_000);
let cutting = false;

function watch(page) {
  page.on("pageerror", (e) => errors.push(e.message));
  page.on("console", (m) => { if (m.type() === "error" && !cutting) errors.push(m.text()); });
  return page;
}

async function door(path, body) {
  const answer = await fetch(HMAP_DOOR + path, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) });
  assert.equal(answer.status, 200);
  return answer;
}

/** Plays the agents of one task. */
function agents(session, task) {
  return {
    write: (call, agent, record) => door("/append", { session, task, call, agent, ...record }),
    live: (live) => door("/live", { Session: session, Live: { task, ...live } }),
    said: async () => (await door(`/inputs/${session}`)).json(),
  };
}

/** Types a question and gives the agents of the task it became. */
async function ask(page, question) {
  await page.getByRole("textbox", { name: /您的问题|Your question/ }).fill(question);
  await page.keyboard.press("Enter");
  const article = page.locator("article.task").filter({ hasText: question }).last();
  await article.and(page.locator("[data-task]")).waitFor();
  const session = new URL(page.url()).searchParams.get("s");
  const task = await article.getAttribute("data-task");
  return { article, session, task, ...agents(session, task) };
}

async function shot(page, name) {
  if (HMAP_SHOTS) await page.screenshot({ path: `${HMAP_SHOTS}/${name}.png` });
}

const visible = (locator) => locator.waitFor({ state: "visible" });

async function check(name, run) {
  await run().catch((e) => { throw new Error(`${name}; errors on the page: ${errors.join("; ") || "none"}`, { cause: e }); });
  assert.deepEqual(errors, [], `errors on the page during: ${name}`);
  console.log(`ok: ${name}`);
}

const page = watch(context.pages()[0] ?? await context.newPage());
let orders; // the task of the first questions

await check("the first visit speaks the browser's language and offers questions", async () => {
  await page.goto(HMAP_PAGE);
  await visible(page.getByText("已连接"));
  await visible(page.getByRole("heading", { name: "想了解什么？" }));
  assert.equal(await page.getByRole("button", { name: "我有多少订单是王萍萍买的?" }).count(), 1);
  assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-CN");
  await visible(page.getByText("查询和统计订单")); // who is on offer comes from the directory
  await page.getByRole("button", { name: "智能体" }).click();
  const dialog = page.getByRole("dialog", { name: "智能体" });
  await visible(dialog.getByText("查询和统计订单"));
  await visible(dialog.getByText("订单专员"));
  await visible(dialog.getByText("orders", { exact: true }));
  assert.equal(await dialog.getByText(/Finds and counts|Order clerk/).count(), 0); // the other language
  await dialog.getByRole("button", { name: "关闭" }).click();
  await shot(page, "welcome");
});

await check("a question becomes a task with its own address, and Shift+Enter a new line", async () => {
  const box = page.getByRole("textbox", { name: "您的问题" });
  await box.fill("第一行");
  await page.keyboard.press("Shift+Enter");
  assert.equal(await box.inputValue(), "第一行\n");
  await box.fill('"'.repeat(40 << 10)); // as JSON twice as long, and more than the gateway takes
  await page.keyboard.press("Enter");
  await visible(page.locator("#hint", { hasText: /大约超出 \d+ 个字/ }));
  assert.equal((await box.inputValue()).length, 40 << 10);
  orders = await ask(page, "我有多少订单是王萍萍买的?");
  assert.match(page.url(), /\?s=[\w-]{20,}/);
  await visible(orders.article.getByText("等待空闲的智能体"));
});

await check("thoughts come in live, character by character, and the record takes their place", async () => {
  const { article, task, write, live } = orders;
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "我有多少订单是王萍萍买的?", caller: "user" } });
  await visible(article.getByText("进行中").first());
  await live({ call: task, agent: "master", round: 4e9, channel: "thought", offset: 0, text: "x" }); // whoever is on the bus may say so
  await live({ call: task, agent: "master", round: 1, channel: "thought", offset: 0, text: "用户想知道" });
  await visible(article.getByText("用户想知道", { exact: true }));
  await live({ call: task, agent: "master", round: 1, channel: "thought", offset: 5, text: "王萍萍的订单数" });
  await visible(article.getByText("用户想知道王萍萍的订单数", { exact: true }));
  await live({ call: task, agent: "master", round: 1, channel: "progress", offset: 0, text: "正在挑选智能体" });
  await visible(article.getByText("master: 正在挑选智能体"));
  await page.waitForFunction(() => document.getElementById("spoken").textContent === "master: 正在挑选智能体"); // for who does not see it
  await write(task, "master", {
    kind: "plan", plan: { title: "查订单", steps: [{ id: "1", title: "按买家查订单", status: "in_progress" }, { id: "2", title: "汇总数量", status: "not_started", after: ["1"] }] },
  });
  await write(task, "master", {
    kind: "round", round: 1, thought: "用户想知道**王萍萍**的订单数，交给 orders。",
    action_code: [{ tool_name: "orders", job_desc: "统计王萍萍的订单数", trust_mode: 1, step: "1" }],
  });
  await visible(article.locator("strong", { hasText: "王萍萍" }));
  assert.equal(await article.getByText("用户想知道王萍萍的订单数", { exact: true }).count(), 0);
  await visible(article.getByText("按买家查订单"));
});

await check("the tree nests an agent's rounds below the action that called it", async () => {
  const { article, task, write } = orders;
  const child = `${task}-1-0`;
  await write(child, "orders", { kind: "request", parent: task, request: { hmap: "1", parent: task, caller: "master", job_desc: "统计王萍萍的订单数" } });
  await write(child, "orders", {
    kind: "round", round: 1, thought: "用 search_order_code 按客户姓名查询，期望得到订单列表。",
    action_code: [{ tool_name: "search_order_code", parameter: { consumer_name: "王萍萍", search_keys: "订单" }, trust_mode: 0 }],
  });
  const agent = article.locator('[data-name="orders"]');
  await visible(article.locator(".headline", { hasText: "orders → search_order_code" }));
  const tool = agent.locator('[data-name="search_order_code"]');
  await visible(tool.getByText("consumer_name: 王萍萍, search_keys: 订单"));
  await shot(page, "working");
  await write(child, "orders", {
    kind: "result", child: `${child}-1-0`, tool_name: "search_order_code", status: "ok", ms: 42,
    observation: { total: 3, orders: [{ order_id: "100000000001", amount: 129.9, status: "已完成" }, { order_id: "100000000002", amount: 59, status: "已发货" }, { order_id: "100000000003", amount: 8.5, status: "已取消" }] },
  });
  await visible(tool.getByText("42 ms"));
  assert.equal(await tool.getAttribute("data-status"), "ok");
  await visible(agent.getByRole("button", { name: "原始记录 1" })); // of the many, which
  await visible(tool.getByRole("img", { name: "已完成" }).first()); // what the sign says is also read out
  await visible(article.getByRole("heading", { level: 2, name: "我有多少订单是王萍萍买的?" }));
  await tool.locator("summary").click();
  await visible(tool.getByRole("cell", { name: "100000000002" }));
  await shot(page, "observation");
});

await check("the answer is shown from Markdown, and nothing in it becomes markup", async () => {
  const { article, task, write } = orders;
  const answer = "## 结果\n王萍萍共有 **3** 个订单：\n\n| 状态 | 数量 |\n|:--|--:|\n| 已完成 | 1 |\n| 已发货 | 1 |\n\n1. 见[帮助](https://example.com/a_(b))\n2. [坏](javascript:alert(1)) <img src=x onerror=alert(1)> <script>alert(2)</script>\n   - 内层\n\n```sql\nselect count(*) from orders;\n```\n> 引文 https://example.com/x。";
  await write(`${task}-1-0`, "orders", { kind: "response", round: 2, critique: "数量已经得到。", thought: "可以回答了。", status: "ok", observation: answer });
  await write(task, "master", { kind: "result", child: `${task}-1-0`, tool_name: "orders", status: "ok", observation: answer, ms: 1234, round: 1 });
  await write(task, "master", { kind: "plan", plan: { title: "查订单", steps: [{ id: "1", title: "按买家查订单", status: "completed" }, { id: "2", title: "汇总数量", status: "completed" }] } });
  await write(task, "master", {
    kind: "response", status: "ok", observation: answer, usage: { input_tokens: 900, output_tokens: 100 },
    files: [{ ref: "obj:abc", name: "订单.csv", type: "text/csv", bytes: 2048 }],
  });
  const shown = article.locator(".answer");
  await visible(shown.getByRole("heading", { name: "结果" }));
  assert.equal(await shown.locator("strong").innerText(), "3");
  assert.equal(await shown.locator("table tr").count(), 3);
  assert.deepEqual(await shown.locator("a").evaluateAll((all) => all.map((a) => [a.getAttribute("href"), a.rel])), [
    ["https://example.com/a_(b)", "noopener noreferrer nofollow"], ["https://example.com/x", "noopener noreferrer nofollow"]]);
  assert.equal(await shown.locator("img, script, iframe").count(), 0);
  await visible(shown.getByText("<img src=x onerror=alert(1)>", { exact: false }));
  assert.equal(await shown.locator("ol > li > ul > li").innerText(), "内层");
  assert.equal(await shown.locator("pre code").innerText(), "select count(*) from orders;");
  assert.equal(await article.getByRole("link", { name: "订单.csv" }).getAttribute("href"), "/v1/files/obj%3Aabc");
  await visible(article.getByText("已完成 · 3 轮，2 次调用 · 1000 tokens"));
  await visible(page.locator("#spoken", { hasText: "已有回答。" }));
  assert.equal(await article.getByRole("button", { name: "取消任务" }).count(), 0);
  await shot(page, "answer");
});

await check("the way to an answer folds into one line, and what was handed on is not told twice", async () => {
  const { article } = orders;
  assert.equal(await article.locator(".work").evaluate((n) => n.open), false);
  await article.locator(".work > summary").click();
  const agent = article.locator('[data-name="orders"]').first();
  await visible(agent.locator(".hint", { hasText: "结果原样作为回答" }));
  await visible(agent.getByText("可以回答了。")); // the last round, which came with the response
  assert.equal(await article.getByRole("heading", { name: "结果", exact: true }).count(), 1);
  await shot(page, "handed-on");
  await agent.locator(".same > summary").click();
  await visible(agent.locator(".same").getByRole("heading", { name: "结果", exact: true }));
  const tool = agent.locator('[data-name="search_order_code"]');
  assert.equal(await tool.locator(".same").count(), 0); // the agent has made something of this one
  await article.locator(".work > summary").click();
});

await check("no text, however wild, becomes anything but harmless nodes", async () => {
  const strange = await page.evaluate(async () => {
    const { markdown } = await import("/markdown.js");
    const parts = ["*", "**", "`", "```\n", "# ", "> ", "- ", "1. ", "  ", "\n", "|", "|-|\n", "a|b\n", "[x](", "javascript:", "http://", "https://e.cn/", "obj:x", ")", "<img src=x onerror=y>", "<b>", "~~", "字", "&lt;", "\\|", "!["];
    const allowed = new Set("P H3 H4 H5 H6 UL OL LI PRE CODE STRONG EM DEL A SPAN BLOCKQUOTE HR DIV TABLE THEAD TBODY TR TH TD".split(" "));
    let seed = 1; // the same texts every time
    const random = (n) => { seed = (seed * 48271) % 2147483647; return seed % n; };
    for (let i = 0; i < 3000; i++) {
      const text = Array.from({ length: random(40) }, () => parts[random(parts.length)]).join("");
      const box = document.createElement("div");
      box.append(...markdown(text));
      for (const n of box.querySelectorAll("*")) {
        if (!allowed.has(n.tagName)) return `${n.tagName} out of ${JSON.stringify(text)}`;
        if (n.tagName === "A" && !/^https?:/.test(n.protocol)) return `${n.href} out of ${JSON.stringify(text)}`;
      }
    }
    const started = performance.now();
    for (const sign of ["*", "[", "`", ">", "- ", "|", "a|", "(https://e.cn/", "**a"]) markdown(sign.repeat(20_000));
    // What is read twice from each of its places would take a minute.
    for (const text of [`# a${" ".repeat(50_000)}b`, `# a${"#".repeat(50_000)}b`, `a|b\n${" ".repeat(50_000)}x`, `http://a${".".repeat(50_000)}x`]) markdown(text);
    const ms = performance.now() - started;
    if (ms > 5000) return `${ms} ms for long runs of one sign`;
    const box = document.createElement("div");
    box.append(...markdown(`${"|".repeat(1000)}\n|-|\n${"|\n".repeat(1000)}`));
    if (box.querySelectorAll("td").length > 100_000) return "a few signs become a million cells";
    box.replaceChildren(...markdown("# C#\n# 结果 ##\n# #"));
    const heads = [...box.querySelectorAll("h3")].map((h) => h.textContent).join();
    if (heads !== "C#,结果,") return `headings: ${heads}`;
    // A link that calls itself another place says where it leads.
    box.replaceChildren(...markdown("[https://bank.cn/a](https://evil.example/b) [规则](https://e.cn) [e.cn](https://www.e.cn/x) [bank.cn](http://bank.cn.evil.example)"));
    return box.textContent === "https://bank.cn/a (evil.example) 规则 e.cn bank.cn (bank.cn.evil.example)" ? "" : box.textContent;
  });
  assert.equal(strange, "");
});

await check("what has not changed is not looked through again, however much else is written", async () => {
  const looks = await page.evaluate(async () => {
    const { Log } = await import("/log.js");
    const { CallView } = await import("/tree.js");
    const log = new Log();
    let looks = 0;
    const add = (seq, record) => log.add(seq, { session: "s", task: "t", call: "t", agent: "master", time: new Date().toISOString(), ...record });
    add(1, { kind: "request", request: { job_desc: "x" } });
    add(2, { kind: "round", round: 1, action_code: [{ tool_name: "a" }] });
    const task = add(3, { kind: "result", child: "t-1-0", tool_name: "a", status: "ok", observation: { toJSON: () => { looks++; return {}; } } });
    const view = new CallView(() => {});
    for (let i = 0; i < 50; i++) {
      log.live({ task: "t", call: "t", round: 2, channel: "thought", offset: i, text: "x" });
      view.update(task.root);
    }
    return looks;
  });
  assert.ok(looks < 5, `${looks} looks at one observation`);
});

await check("a developer sees the record as it stands in the log", async () => {
  await page.getByRole("button", { name: "记录", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "记录" });
  await visible(dialog.getByText('"input_tokens": 900'));
  await dialog.getByRole("button", { name: /round.*orders/ }).click();
  await visible(dialog.getByText('"consumer_name": "王萍萍"'));
  await shot(page, "records");
  await dialog.getByRole("button", { name: "关闭" }).click();
});

await check("a long answer is shown from its beginning", async () => {
  const { article, task, write } = await ask(page, "列出全部商品");
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "列出全部商品", caller: "user" } });
  await write(task, "master", { kind: "round", round: 1, thought: "想一想。\n\n".repeat(60) });
  await visible(article.getByText("想一想。").last());
  await write(task, "master", { kind: "response", status: "ok", observation: Array.from({ length: 80 }, (_, i) => `- 商品 ${i + 1}`).join("\n") });
  await visible(article.getByText("商品 80"));
  const begins = () => page.waitForFunction((id) => {
    const top = document.querySelector(`[data-task="${id}"] .answer:not([hidden])`)?.getBoundingClientRect().top;
    return top > 50 && top < innerHeight / 2;
  }, task);
  await begins();
  await shot(page, "long");
  await page.reload();
  await begins();
});

let order; // the task that needs a person

await check("an approval waits for the person, and the button sends it", async () => {
  order = await ask(page, "取消订单 100000000002");
  const { article, task, write, said } = order;
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "取消订单 100000000002", caller: "user" } });
  await write(task, "master", { kind: "round", round: 1, thought: "这是改动，需要批准。", action_code: [{ tool_name: "cancel_order", parameter: { order_id: "100000000002" }, trust_mode: 0 }] });
  await write(task, "master", {
    kind: "ask", ask: { id: `${task}-1-0`, kind: "approval", question: "取消订单 100000000002 吗？", tool_name: "cancel_order", arguments: { order_id: "100000000002", reason: "买家不要了" }, expires: "2099-01-01T00:00:00Z" },
  });
  const card = article.getByRole("group", { name: "需要您的批准" });
  await visible(card.getByText("取消订单 100000000002 吗？"));
  await visible(card.getByText("买家不要了"));
  await visible(article.locator(".headline", { hasText: "等您回复" }));
  await visible(article.locator('[data-name="cancel_order"][data-status="input_required"]'));
  await shot(page, "approval");
  await card.getByRole("button", { name: "同意" }).click();
  await card.waitFor({ state: "detached" });
  await visible(article.getByText("您已同意"));
  const [input] = await said().then((all) => all.filter((i) => i.kind === "approve"));
  assert.equal(input.ask, `${task}-1-0`);
  await write(task, "master", { kind: "input", input });
  await visible(article.locator(".headline", { hasText: "master → cancel_order" }));
  await visible(article.locator('[data-name="cancel_order"][data-status="working"]'));
  assert.equal(await article.getByText("您已同意").count(), 1); // the executor's note of it is no second input
});

await check("a question with options is answered by a button, one without by text", async () => {
  const { article, task, write, said } = order;
  await write(task, "master", { kind: "ask", ask: { id: `${task}-2-0`, kind: "question", question: "退款到哪里？", options: ["原路", "余额"] } });
  await article.getByRole("button", { name: "余额" }).click();
  await visible(article.getByText("您的回答: 余额"));
  await write(task, "master", { kind: "ask", ask: { id: `${task}-3-0`, kind: "question", question: "什么原因？", parameter: "reason" } });
  await article.getByRole("textbox", { name: "什么原因？" }).fill("不想要了");
  await article.getByRole("textbox", { name: "什么原因？" }).press("Enter");
  await visible(article.getByText("您的回答: 不想要了"));
  assert.deepEqual((await said()).filter((i) => i.kind === "answer").map((i) => [i.ask, i.text]), [[`${task}-2-0`, "余额"], [`${task}-3-0`, "不想要了"]]);
});

await check("what is typed while a task runs is told to it, and the task can be cancelled", async () => {
  const { article, task, write, said } = order;
  await page.getByRole("textbox", { name: "您的问题" }).fill("快一点");
  await page.getByRole("button", { name: "发送", exact: true }).click();
  await visible(article.getByText("您补充了: 快一点"));
  await article.getByRole("button", { name: "取消任务" }).click();
  await visible(article.getByText("您取消了任务"));
  assert.deepEqual((await said()).slice(-2).map((i) => i.kind), ["steer", "cancel"]);
  await write(task, "master", { kind: "response", status: "cancelled", error: { code: "cancelled", message: "已取消" } });
  await visible(article.getByRole("heading", { name: "已取消" }));
});

await check("of two windows that answer at once, the later one is told which answer was taken", async () => {
  const { article, session, task, write, said } = await ask(page, "取消订单 100000000007");
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "取消订单 100000000007", caller: "user" } });
  await write(task, "master", { kind: "ask", ask: { id: `${task}-1-0`, kind: "approval", question: "取消订单 100000000007 吗？" } });
  const other = watch(await context.newPage());
  const held = []; // what the second window sends, until the first has answered; what it gets, too, as on a slow line
  let slow = false;
  await other.routeWebSocket("**/v1/ws", (ws) => {
    const server = ws.connectToServer();
    ws.onMessage((m) => server.send(m));
    server.onMessage((m) => (slow ? held.push(() => ws.send(m)) : ws.send(m)));
  });
  await other.goto(`${HMAP_PAGE}/?s=${session}`);
  const there = other.locator(`[data-task="${task}"]`);
  await visible(there.getByRole("button", { name: "拒绝" }));
  slow = true;
  await article.getByRole("button", { name: "同意" }).click();
  await visible(article.getByText("您已同意"));
  await there.getByRole("button", { name: "拒绝" }).click();
  await visible(article.getByText("您已拒绝（未被采纳：此前已有答复——您已同意）"));
  slow = false;
  held.forEach((pass) => pass());
  await visible(there.getByRole("alert").getByText("已在本页或别处答复过——您已同意"));
  await visible(there.getByText("您已拒绝（未被采纳：此前已有答复——您已同意）"));
  assert.equal(await article.getByRole("alert").count(), 0); // who was first is told nothing
  await shot(other, "answered");
  await other.close();
  await write(task, "master", { kind: "input", input: (await said()).findLast((i) => i.kind === "approve") });
  await write(task, "master", { kind: "response", status: "ok", observation: "已取消。" });
  assert.deepEqual(await article.locator(".said").allInnerTexts(), ["您已同意", "您已拒绝（未被采纳：此前已有答复——您已同意）"]);
});

await check("an approval of several is a list, and says nothing twice", async () => {
  const { article, task, write, said } = await ask(page, "取消两个订单");
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "取消两个订单", caller: "user" } });
  await write(task, "master", {
    kind: "ask", ask: {
      id: `${task}-1-0`, kind: "approval", question: "需要您同意：取消订单，共 2 项：\n1. 订单编号：100000000005；买家：袁静\n2. 订单编号：100000000006；买家：李雨\n注意：还有 3 个不在其中。",
      tool_name: "cancel_order", arguments: { order_id: "100000000005" }, others: [{ call: `${task}-1-1`, arguments: { order_id: "100000000006" } }],
    },
  });
  const card = article.getByRole("group", { name: "需要您的批准" });
  await visible(card.locator("ol > li", { hasText: "袁静" }));
  assert.equal(await card.locator("ol > li").count(), 2);
  await visible(card.locator("p", { hasText: "还有 3 个不在其中" }));
  assert.equal(await card.locator(".wanted").innerText(), "需要您同意：取消订单，共 2 项：");
  assert.equal(await card.getByRole("table").isVisible(), false);
  await card.locator("summary").click();
  await visible(card.getByRole("table"));
  await shot(page, "approval-several");
  await card.getByRole("button", { name: "拒绝" }).click();
  await visible(article.getByText("您已拒绝")); // now it is in the log
  const input = (await said()).findLast((i) => i.kind === "refuse");
  await write(task, "master", { kind: "input", input });
  await write(task, "master", { kind: "response", status: "ok", observation: "好的。" });
});

await check("what is typed while an approval waits is the answer to it", async () => {
  const { article, task, write, said } = await ask(page, "取消订单 100000000003");
  const box = page.getByRole("textbox", { name: "您的问题" });
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "取消订单 100000000003", caller: "user" } });
  await write(task, "master", { kind: "round", round: 1, action_code: [{ tool_name: "cancel_order", trust_mode: 0 }] });
  await visible(page.getByPlaceholder("给进行中的任务补充说明…"));
  await write(task, "master", { kind: "ask", ask: { id: `${task}-1-0`, kind: "approval", question: "取消订单 100000000003 吗？", tool_name: "cancel_order" } });
  await visible(page.getByPlaceholder("批准前可输入理由或改动…"));
  await box.fill("算了");
  await page.keyboard.press("Enter");
  await visible(article.getByText("您的回答: 算了"));
  assert.equal(await article.getByRole("group", { name: "需要您的批准" }).count(), 0);
  const last = (await said()).at(-1);
  assert.deepEqual([last.kind, last.ask, last.text], ["answer", `${task}-1-0`, "算了"]);
  await write(task, "master", { kind: "claim", attempt: 2 });
  await visible(article.getByText("继续", { exact: true })); // after an answer nobody has been rescued
  assert.equal(await article.getByText(/由节点 .* 接手/).count(), 0);
  await write(task, "master", { kind: "ask", ask: { id: `${task}-1-0`, kind: "approval", question: "真的不取消吗？", tool_name: "cancel_order" } });
  await article.getByRole("button", { name: "拒绝" }).click();
  await visible(article.getByText("您已拒绝"));
  await write(task, "master", { kind: "result", child: `${task}-1-0`, tool_name: "cancel_order", status: "error", error: { code: "forbidden", message: "用户没有同意" } });
  await write(task, "master", { kind: "claim", attempt: 3 });
  await visible(article.getByText(/由节点 .* 接手（第 3 次）/));
  await shot(page, "claims");
  await write(task, "master", { kind: "response", status: "ok", observation: "没有取消。" });
  await visible(article.locator(".answer", { hasText: "没有取消。" }));
});

await check("a tool has its role beside its name, is heard while it writes, and a plan that is kept is seen", async () => {
  const { article, task, write, live } = await ask(page, "把退货多的原因写成报告");
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "把退货多的原因写成报告", caller: "user" } });
  await write(task, "master", {
    kind: "round", round: 1, employees: { planning: "进度统筹员", report_tool: "退货分析师", cancel_order: "<b>员</b>" },
    action_code: [{ tool_name: "planning", parameter: { command: "create", title: "退货报告", steps: ["查退货", "写报告"] }, trust_mode: 0 }],
  });
  await visible(article.locator(".headline", { hasText: "master → 进度统筹员" }));
  const plan = (status) => ({ plan: { title: "退货报告", steps: [{ id: "1", title: "查退货", status: "completed", note: "42 单" }, { id: "2", title: "写报告", status }] }, say: "完成 1/2 步。" });
  await write(task, "master", { kind: "result", child: `${task}-1-0`, tool_name: "planning", status: "ok", observation: plan("not_started") });
  await visible(article.locator('.plan .step[data-status="completed"]', { hasText: "查退货" }).first());
  await visible(article.locator('[data-name="planning"] .hint', { hasText: "完成 1/2 步。" }));
  await write(task, "master", { kind: "round", round: 2, action_code: [{ tool_name: "report_tool", parameter: { title: "退货" }, trust_mode: 0 }, { tool_name: "cancel_order", trust_mode: 0 }] });
  const tool = article.locator('[data-name="report_tool"]');
  await visible(tool.locator(".role", { hasText: "退货分析师" })); // named in an earlier round of the call
  await visible(article.locator('[data-name="cancel_order"] .role', { hasText: "<b>员</b>" })); // as text
  assert.equal(await article.locator(".role b").count(), 0);
  const said = { call: `${task}-2-0`, agent: "report_tool" };
  await live({ ...said, channel: "progress", offset: 0, text: "正在排版" });
  await visible(tool.getByText("正在排版"));
  await visible(article.locator(".headline", { hasText: "退货分析师: 正在排版" }));
  await live({ ...said, channel: "answer", offset: 0, text: "## 原因\n退货多的是**空" });
  await live({ ...said, channel: "answer", offset: 14, text: "气炸锅**。" });
  await visible(tool.locator(".writing strong", { hasText: "空气炸锅" }));
  await shot(page, "employees");
  await write(task, "master", { kind: "result", child: `${task}-2-0`, tool_name: "report_tool", status: "ok", observation: { summary: "写好了" } });
  await tool.locator(".writing").waitFor({ state: "hidden" }); // the result takes its place
  await write(task, "master", { kind: "ask", ask: { id: `${task}-2-1`, kind: "approval", question: "取消吗？", tool_name: "cancel_order" } });
  await visible(article.locator(".ask .role", { hasText: "<b>员</b>" }));
  await write(task, "master", { kind: "response", status: "ok", observation: "写好了。" });
  await visible(article.locator(".answer", { hasText: "写好了。" }));
});

await check("a cancelled task says so once, and nothing of it seems to go on", async () => {
  const { article, task, write } = await ask(page, "取消订单 100000000001");
  const child = `${task}-1-0`;
  const asked = { id: `${child}-1-0`, kind: "approval", question: "取消吗？", tool_name: "cancel_order" };
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "取消订单 100000000001", caller: "user" } });
  await write(task, "master", { kind: "plan", plan: { title: "取消", steps: [{ id: "1", title: "取消订单", status: "in_progress" }, { id: "2", title: "告诉买家", status: "not_started" }] } });
  await write(task, "master", { kind: "round", round: 1, action_code: [{ tool_name: "orders", trust_mode: 0 }, { tool_name: "logistics", trust_mode: 0 }] });
  await write(child, "orders", { kind: "request", parent: task, request: { hmap: "1", parent: task, job_desc: "取消订单" } });
  await write(child, "orders", { kind: "round", round: 1, action_code: [{ tool_name: "cancel_order", trust_mode: 0 }] });
  await write(child, "orders", { kind: "ask", ask: asked });
  await write(task, "master", { kind: "ask", ask: asked });
  await article.locator('[data-name="cancel_order"][data-status="input_required"]').waitFor();
  await article.getByRole("button", { name: "取消任务" }).click();
  await visible(article.getByText("您取消了任务"));
  await write(task, "master", { kind: "response", status: "cancelled", observation: "任务已取消。", error: { code: "cancelled", message: "任务已取消。" } });
  await write(child, "orders", { kind: "input", input: { kind: "cancel", by: "master", text: "不再需要" } }); // the reason is the caller's own
  await write(child, "orders", { kind: "response", status: "cancelled", observation: "任务已取消。", error: { code: "cancelled", message: "任务已取消。" } });
  await visible(article.getByText("任务已取消。"));
  await article.locator(".work > summary").click();
  await shot(page, "cancelled");
  assert.equal(await article.getByText("任务已取消。").count(), 1);
  assert.equal(await article.getByText("您取消了任务").count(), 1);
  assert.deepEqual(await article.locator(".action").evaluateAll((all) => all.map((n) => n.dataset.status)), ["stopped", "stopped", "stopped"]);
  assert.deepEqual(await article.locator(".mark").evaluateAll((all) => all.map((n) => n.dataset.status)), ["cancelled", "stopped", "not_started", "stopped", "stopped", "stopped"]);
});

await check("words begun before a question came up are no answer to it until they are sent once more", async () => {
  const { article, session, task, write, said } = await ask(page, "取消订单 100000000004");
  const box = page.getByRole("textbox", { name: "您的问题" });
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "取消订单 100000000004", caller: "user" } });
  await visible(page.getByPlaceholder("给进行中的任务补充说明…"));
  const before = (await said()).length;
  await box.fill("好，再快一点");
  await write(task, "master", { kind: "ask", ask: { id: `${task}-1-0`, kind: "approval", question: "取消订单 100000000004 吗？", tool_name: "cancel_order", arguments: { order_id: 1 } } });
  await visible(article.getByRole("button", { name: "同意" }));
  await page.keyboard.press("Enter");
  await visible(page.locator("#hint", { hasText: "输入期间有了新的提问" }));
  assert.equal(await box.inputValue(), "好，再快一点");
  assert.equal((await said()).length, before);
  await page.keyboard.press("Enter");
  await visible(article.getByText("您的回答: 好，再快一点"));
  assert.equal(await box.inputValue(), "");
  assert.equal(await page.locator("#hint", { hasText: "输入期间有了新的提问" }).count(), 0);
  // Of two questions, the second click of a double one does not answer that which takes the first one's place.
  for (const n of [1, 2]) await write(task, "master", { kind: "ask", ask: { id: `${task}-2-${n}`, kind: "approval", question: `第 ${n} 个吗？`, tool_name: "cancel_order" } });
  await visible(article.getByText("第 1 个吗？"));
  const { x, y, width, height } = await article.getByRole("button", { name: "同意" }).boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  await visible(article.getByText("第 2 个吗？"));
  const second = await article.getByRole("button", { name: "同意" }).boundingBox();
  await page.mouse.move(second.x + width / 2, second.y + height / 2);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.mouse.move(0, 0);
  assert.equal(await article.getByText("第 2 个吗？").count(), 1);
  assert.equal(await article.getByRole("button", { name: "同意" }).isEnabled(), true);
  // What comes after the end is heard by nobody, and that is said.
  await write(task, "master", { kind: "response", status: "ok", observation: "好了。" });
  await visible(article.locator(".answer", { hasText: "好了。" }));
  await page.evaluate((frame) => new Promise((done) => {
    const socket = new WebSocket(new URL("/v1/ws", location.href.replace(/^http/, "ws")));
    socket.onopen = () => socket.send(JSON.stringify(frame));
    socket.onmessage = () => { socket.close(); done(); };
  }), { type: "input", id: "0123456789abcdef", session, task, kind: "steer", text: "只要今年的" });
  await visible(article.getByText("您补充了: 只要今年的（任务已结束，未被采纳）"));
});

await check("an answer is said aloud each time, and a number is shown as it was written", async () => {
  await page.evaluate(() => {
    window.aloud = [];
    const spoken = document.getElementById("spoken");
    new MutationObserver(() => window.aloud.push(spoken.textContent)).observe(spoken, { childList: true, characterData: true, subtree: true });
  });
  for (const n of [1, 2]) {
    const { article, session, task, write } = await ask(page, `第 ${n} 遍`);
    await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: `第 ${n} 遍`, caller: "user" } });
    const end = { session, task, call: task, agent: "master", kind: "response", status: "ok", observation: [{ id: "#", of: n }] };
    await fetch(`${HMAP_DOOR}/append`, { method: "POST", body: JSON.stringify(end).replace('"#"', "9007199254740993") });
    await visible(article.getByRole("cell", { name: "9007199254740993", exact: true }));
  }
  assert.equal(await page.evaluate(() => window.aloud.filter((t) => t === "已有回答。").length), 2);
  await page.getByRole("button", { name: "记录", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "记录" });
  await visible(dialog.getByText('"id": 9007199254740993'));
  await dialog.getByRole("button", { name: "关闭" }).click();
  await page.locator("article.task").last().locator(".work > summary").click();
});

await check("an error says what to do", async () => {
  const { article, task, write } = await ask(page, "预测下个月空气炸锅的销量");
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "预测下个月空气炸锅的销量", caller: "user" } });
  await write(task, "master", { kind: "round", round: 1, thought: "需要预测。", action_code: [{ tool_name: "forecast", parameter: { product: "空气炸锅" }, trust_mode: 0 }] });
  await write(task, "master", { kind: "result", child: `${task}-1-0`, tool_name: "forecast", status: "error", error: { code: "unavailable", message: "forecast 没有响应" }, ms: 30000 });
  await write(task, "master", { kind: "response", status: "error", error: { code: "unavailable", message: "forecast 没有响应" } });
  const alert = article.getByRole("alert");
  await visible(alert.getByText("forecast 没有响应"));
  await visible(alert.getByText(/请重试/));
  await visible(alert.getByRole("button", { name: "重新提问" }));
  await shot(page, "error");
});

await check("a task of which nothing came says so, as the command line does", async () => {
  const end = async (question, status, observation) => {
    const { article, task, write } = await ask(page, question);
    await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: question, caller: "user" } });
    await write(task, "master", { kind: "round", round: 1, thought: "取消它。", action_code: [{ tool_name: "cancel_order", parameter: {}, trust_mode: 0 }] });
    await write(task, "master", { kind: "result", child: `${task}-1-0`, tool_name: "cancel_order", status, ...observation });
    await write(task, "master", { kind: "round", round: 2, thought: "整理。" });
    await write(task, "master", { kind: "response", status: "ok", observation: "整理好了。" });
    await visible(article.locator(".answer", { hasText: "整理好了。" }));
    return article;
  };
  const refused = await end("取消那个不许取消的订单", "error", { error: { code: "forbidden", message: "用户没有同意。" } });
  await visible(refused.getByText(/^没有做成 · /));
  assert.equal(await refused.locator(".work > summary .mark").getAttribute("data-status"), "vain");
  const done = await end("取消那个可以取消的订单", "ok", { observation: { done: true } });
  await visible(done.getByText(/^已完成 · /));
  assert.equal(await done.locator(".work > summary .mark").getAttribute("data-status"), "ok");
  await shot(page, "vain");
});

await check("what is said to an approval while the server is away is shown as waiting, and not said twice", async () => {
  const { article, task, write } = await ask(page, "取消断线时的订单");
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "取消断线时的订单", caller: "user" } });
  await write(task, "master", { kind: "round", round: 1, thought: "先问。", action_code: [{ tool_name: "cancel_order", parameter: {}, trust_mode: 0 }] });
  await write(task, "master", { kind: "ask", child: `${task}-1-0`, ask: { id: `${task}-1-0`, kind: "approval", question: "可以取消吗？", tool_name: "cancel_order" } });
  await visible(article.getByRole("button", { name: "同意" }));
  cutting = true;
  await door("/cut", {});
  await visible(page.getByText("连接中断，正在重连"));
  await page.getByRole("textbox", { name: "您的问题" }).fill("好的，取消吧");
  await page.keyboard.press("Enter");
  await visible(article.getByText("您的回答: 好的，取消吧（尚未发出）"));
  assert.ok(await article.getByRole("button", { name: "同意" }).isDisabled());
  await shot(page, "unsent-answer");
  await door("/mend", {});
  await visible(page.getByText("已连接"));
  cutting = false;
  await visible(article.getByText("您的回答: 好的，取消吧", { exact: true }));
  await write(task, "master", { kind: "response", status: "ok", observation: "取消了。" });
  await visible(article.locator(".answer", { hasText: "取消了。" }));
});

await check("a cut line is told, and afterwards nothing is missing or doubled", async () => {
  const { article, task, write } = await ask(page, "什么类目的标题可以不带品牌的名字");
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "什么类目的标题可以不带品牌的名字", caller: "user" } });
  await write(task, "master", { kind: "round", round: 1, thought: "断线之前" });
  await visible(article.getByText("断线之前"));
  cutting = true;
  await door("/cut", {});
  await visible(page.getByText("连接中断，正在重连"));
  await shot(page, "offline");
  await page.setViewportSize({ width: 390, height: 860 }); // also on a phone it is there to be read
  await page.waitForFunction(() => { // the page hears of its new size a moment later
    const { scrollWidth, clientWidth } = document.querySelector("#status");
    return innerWidth === 390 && scrollWidth <= clientWidth && clientWidth > 200;
  });
  await shot(page, "offline-phone");
  await page.setViewportSize({ width: 1200, height: 860 });
  await page.getByRole("textbox", { name: "您的问题" }).fill("我这个是京东小店的"); // said into the void, and sent again
  await page.keyboard.press("Enter");
  await visible(article.getByText("您补充了: 我这个是京东小店的（尚未发出）"));
  await write(task, "master", { kind: "round", round: 2, thought: "断线之中" });
  await write(task, "master", { kind: "round", round: 3, thought: "断线之后" });
  await door("/mend", {});
  await visible(page.getByText("已连接"));
  cutting = false;
  await visible(article.getByText("断线之后"));
  await visible(article.getByText("您补充了: 我这个是京东小店的", { exact: true }));
  assert.deepEqual(await article.locator(".round .thought").allInnerTexts(), ["断线之前", "断线之中", "断线之后"]);
  await write(task, "master", { kind: "response", status: "ok", observation: "图书类目。" });
  await visible(article.locator(".answer", { hasText: "图书类目。" }));
});

await check("a bus that is away is told in the reader's language, and the page goes on when it is back", async () => {
  await door("/bus/stop", {});
  await visible(page.getByText("正在等待消息总线（连接中断）"));
  await shot(page, "bus-away");
  const english = await chromium.launch({ executablePath: HMAP_CHROMIUM, args });
  const other = watch(await english.newPage({ locale: "en-GB" }));
  const refused = new Promise((done) => other.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => {
    if (payload.includes('"type":"error"')) done();
  })));
  await other.goto(HMAP_PAGE);
  await visible(other.getByText("waiting for the bus (connection lost)"));
  await other.getByRole("textbox", { name: "Your question" }).fill("Is anybody there?");
  await other.keyboard.press("Enter");
  await refused; // it waited as long as it may, and is kept
  await shot(other, "bus-away-english");
  await door("/bus/mend", {});
  await visible(page.getByText("已连接"));
  await visible(other.getByText("connected", { exact: true }));
  await other.locator("article.task[data-task]").filter({ hasText: "Is anybody there?" }).waitFor(); // taken after all
  await english.close();
});

await check("whoever has the address sees the same conversation", async () => {
  const other = watch(await context.newPage());
  await other.goto(page.url());
  await visible(other.locator(".answer", { hasText: "图书类目。" }));
  const text = (p) => p.locator("#conversation").evaluate(async (n) => {
    for (const work of n.querySelectorAll(".work:not([open])")) { // a tree is made when it is looked at
      work.open = true;
      await new Promise((done) => work.addEventListener("toggle", done, { once: true }));
    }
    const copy = n.cloneNode(true);
    for (const gone of copy.querySelectorAll("[hidden]")) gone.remove();
    return copy.textContent;
  });
  assert.equal(await text(other), await text(page));
  assert.equal(await other.locator("article.task").count(), 16);
  await other.close();
});

await check("a new conversation is empty", async () => {
  await page.getByRole("button", { name: "新对话" }).click();
  await visible(page.getByRole("heading", { name: "想了解什么？" }));
  assert.equal(new URL(page.url()).search, "");
});

await check("earlier conversations are found again, and which of them wait", async () => {
  const { article, session, task, write } = await ask(page, "给买家  退款");
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "给买家 退款", caller: "user" } });
  await write(task, "master", { kind: "ask", ask: { id: `${task}-1-0`, kind: "approval", question: "退款吗？", tool_name: "decide_refund" } });
  await visible(article.getByRole("group", { name: "需要您的批准" }));
  await page.getByRole("button", { name: "新对话" }).click();
  await visible(page.getByRole("heading", { name: "想了解什么？" }));
  await page.getByRole("button", { name: "对话", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "对话" });
  await visible(dialog.getByRole("link", { name: /给买家 退款.*等您回复/ }));
  assert.deepEqual(await dialog.locator(".first").allInnerTexts(), ["给买家 退款", "我有多少订单是王萍萍买的?"]);
  assert.equal(await dialog.locator(".state:visible").count(), 1);
  await shot(page, "conversations");
  await dialog.getByRole("link", { name: /给买家 退款/ }).click();
  await visible(page.getByRole("button", { name: "同意" }));
  assert.equal(new URL(page.url()).searchParams.get("s"), session);
  assert.equal(await page.title(), "给买家 退款 · hmap");
  await page.getByRole("button", { name: "新对话" }).click();
  await visible(page.getByRole("heading", { name: "想了解什么？" }));
});

await check("the list has what others began, drafts stay here, and what was removed is gone", async () => {
  const open = async () => {
    await page.getByRole("button", { name: "对话", exact: true }).click();
    return page.getByRole("dialog", { name: "对话" });
  };
  const close = () => page.getByRole("button", { name: "关闭" }).click();
  const elsewhere = agents("begun-elsewhere", "t1");
  await elsewhere.write("t1", "master", { kind: "request", request: { hmap: "1", job_desc: "终端里问的 <b>", caller: "user" } });
  const draft = await ask(page, "还没有人开始的问题"); // accepted, and no agent has taken it
  await page.getByRole("button", { name: "新对话" }).click();
  let dialog = await open();
  await visible(dialog.getByRole("link", { name: /终端里问的 <b>.*进行中/ }));
  await visible(dialog.getByRole("link", { name: /还没有人开始的问题.*未开始/ }));
  await close();
  await draft.write(draft.task, "master", { kind: "request", request: { hmap: "1", job_desc: "还没有人开始的问题", caller: "user" } });
  await draft.write(draft.task, "master", { kind: "response", status: "ok", observation: "好" });
  await elsewhere.write("t1", "master", { kind: "response", status: "ok", observation: "好" });
  dialog = await open();
  await visible(dialog.getByRole("link", { name: /终端里问的 <b>/ }));
  assert.equal(await dialog.getByText(/未开始|进行中/).count(), 0);
  assert.equal(await dialog.getByRole("link", { name: /还没有人开始的问题/ }).count(), 1); // a draft no more
  await close();
  await door("/remove/begun-elsewhere", {});
  dialog = await open();
  await visible(dialog.getByRole("link", { name: /给买家 退款/ }));
  assert.equal(await dialog.getByText("终端里问的").count(), 0);
  await close();
  // More than one page of them.
  for (let i = 0; i < 40; i++) {
    const { write } = agents(`many${i}`, `m${i}`);
    await write(`m${i}`, "master", { kind: "request", request: { hmap: "1", job_desc: `第 ${i} 个`, caller: "user" } });
    await write(`m${i}`, "master", { kind: "response", status: "ok", observation: "好" });
  }
  dialog = await open();
  await visible(dialog.getByRole("link", { name: "第 39 个" }));
  const seen = await dialog.getByRole("link").count();
  await dialog.getByRole("button", { name: "更早的对话" }).click();
  await visible(dialog.getByRole("link", { name: "我有多少订单是王萍萍买的?" }));
  assert.ok(await dialog.getByRole("link").count() > seen);
  assert.equal(new Set(await dialog.getByRole("link").evaluateAll((all) => all.map((a) => a.href))).size, await dialog.getByRole("link").count());
  await dialog.getByRole("button", { name: "更早的对话" }).waitFor({ state: "hidden" });
  await shot(page, "conversations-many");
  await close();
  // When it cannot be read it says so, and can be asked again.
  cutting = true;
  await page.route("**/v1/sessions?*", (route) => route.fulfill({ status: 503, json: { code: "unavailable", message: "the log is away", retryable: true } }), { times: 1 });
  dialog = await open();
  await visible(dialog.getByText(/现在无法读取列表.*the log is away/));
  cutting = false;
  await dialog.getByRole("button", { name: "重试" }).click();
  await visible(dialog.getByRole("link", { name: "第 39 个" }));
  await close();
  const kept = await page.evaluate(async () => {
    const { drafts, keepDraft, dropDraft } = await import("/conversations.js");
    for (let i = 0; i < 30; i++) keepDraft(`s${i}`, "x".repeat(500));
    const many = drafts();
    dropDraft("s29");
    const without = drafts()[0].id;
    const broken = ["{", "null", '{"a":1}', '[null,{"id":"../x","first":"","time":1},{"id":"a"}]'].map((text) => {
      localStorage.setItem("hmap.drafts", text);
      return drafts().length;
    });
    localStorage.removeItem("hmap.drafts");
    return [many.length, many[0].id, many[0].first.length, without, ...broken];
  });
  assert.deepEqual(kept, [20, "s29", 80, "s28", 0, 0, 0, 0]);
});

await check("every control has a name, and the page fits a phone in the dark", async () => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 780 });
  await shot(page, "phone-welcome");
  const { article, task, write } = await ask(page, "偏远地区发出了又不要了，运费谁承担");
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "偏远地区发出了又不要了，运费谁承担", caller: "user" } });
  await write(task, "master", { kind: "round", round: 1, thought: "问规则智能体。".repeat(6), action_code: [{ tool_name: "rules", job_desc: "偏远地区拒收的运费由谁承担？".repeat(8), trust_mode: 1 }] });
  await write(`${task}-1-0`, "rules", { kind: "request", parent: task, request: { hmap: "1", parent: task, job_desc: "偏远地区拒收的运费由谁承担？" } });
  await write(`${task}-1-0`, "rules", { kind: "round", round: 1, thought: "检索知识库。", action_code: [{ tool_name: "search_rules", parameter: { query: "偏远地区 拒收 运费 ".repeat(20) }, trust_mode: 0 }] });
  await write(task, "master", { kind: "round", round: 2, employees: { ["files__" + "read_".repeat(12)]: "很长的角色名".repeat(8) }, action_code: [{ tool_name: "files__" + "read_".repeat(12), parameter: { path: "/a" }, trust_mode: 0 }] });
  await write(task, "master", { kind: "ask", ask: { id: "q1", kind: "approval", question: "可以继续吗？", tool_name: "search_rules", arguments: { very_long_parameter_name: "https://example.com/" + "x".repeat(120) } } });
  await visible(article.getByRole("button", { name: "同意" }));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels wider than the phone`);
  const cut = await article.locator(".action > details > summary > *").evaluateAll((all) => all
    .filter((n) => n.getBoundingClientRect().right > n.closest("details").getBoundingClientRect().right + 1).map((n) => n.className));
  assert.deepEqual(cut, [], "stands out of its box");
  await page.getByRole("button", { name: "记录", exact: true }).click();
  const copy = page.getByRole("dialog", { name: "记录" }).getByRole("button", { name: "复制" });
  assert.ok(await copy.evaluate((n) => n.getBoundingClientRect().height < 44), "a word of a button is broken");
  await page.getByRole("dialog", { name: "记录" }).getByRole("button", { name: "关闭" }).click();
  const nameless = await page.locator("button, a, input, textarea, dialog").evaluateAll((all) => all
    .filter((n) => !(n.getAttribute("aria-label") || n.title || n.textContent.trim())).map((n) => n.outerHTML));
  assert.deepEqual(nameless, []);
  await shot(page, "phone");
  await write(`${task}-1-0`, "rules", { kind: "result", child: `${task}-1-0-1-0`, tool_name: "search_rules", status: "ok", observation: { found: true } });
  await write(task, "master", { kind: "result", child: `${task}-1-0`, tool_name: "rules", status: "ok", observation: "由买家承担。" });
  await write(task, "master", { kind: "response", status: "ok", observation: "由**买家**承担，见[规则](https://example.com/rule)。\n\n| 情形 | 承担方 | 依据的条款与说明文字 |\n|---|---|---|\n| 拒收 | 买家 | 第三条：偏远地区运费说明 |" });
  await visible(article.locator(".answer", { hasText: "买家" }));
  await shot(page, "phone-answer");
  await page.setViewportSize({ width: 1200, height: 860 });
  await shot(page, "dark");
});

await check("an English browser is spoken to in English", async () => {
  const english = await chromium.launch({ executablePath: HMAP_CHROMIUM, args });
  const other = watch(await english.newPage({ locale: "en-GB" }));
  other.setDefaultTimeout(15_000);
  await other.goto(page.url());
  await visible(other.getByText("Done · 3 rounds, 3 calls"));
  await other.getByRole("button", { name: "New conversation" }).click();
  await visible(other.getByRole("heading", { name: "What would you like to know?" }));
  await visible(other.getByText("Order clerk"));
  await visible(other.getByText("Finds and counts orders"));
  await shot(other, "english");
  await other.setViewportSize({ width: 320, height: 640 });
  await other.waitForFunction(() => innerWidth === 320);
  const narrow = await other.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(narrow <= 0, `the page is ${narrow} pixels wider than a small phone`);
  cutting = true;
  await other.route("**/v1/agents", (route) => route.fulfill({ status: 503, json: { code: "unavailable", message: "away" } }), { times: 1 });
  await other.getByRole("button", { name: "Agents", exact: true }).click();
  await visible(other.getByRole("dialog", { name: "Agents" }).getByText("The list cannot be read now"));
  cutting = false;
  await english.close();
});

await check("files are chosen, dropped and pasted, and go with the question", async () => {
  await page.getByRole("button", { name: "新对话" }).click();
  await visible(page.getByRole("heading", { name: "想了解什么？" }));
  await page.emulateMedia({ colorScheme: "light" });
  const chips = page.getByRole("list", { name: "随下一个问题发送的文件" }).getByRole("listitem");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: /添加文件/ }).press("Enter")]);
  await chooser.setFiles({ name: "销售.csv", mimeType: "application/vnd.ms-excel", buffer: Buffer.from("地区,销售额\n华东,10\n") });
  await visible(page.locator("#spoken", { hasText: "销售.csv 已就绪。" }));
  // Two are dropped at once, one of them larger than what is taken; it is known before it is sent.
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    for (const [name, bytes] of [["big.bin", (64 << 20) + 1], ["a\\b\u202e.csv", 5]]) dataTransfer.items.add(new File([new ArrayBuffer(bytes)], name));
    for (const type of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  });
  await visible(chips.filter({ hasText: "big.bin" }).getByText("超过 64.0 MiB 的上限。"));
  await page.evaluate(() => {
    const paste = (text, name) => {
      const clipboardData = new DataTransfer();
      if (text) clipboardData.items.add(text, "text/plain");
      clipboardData.items.add(new File(["x"], name, { type: "image/png" }));
      return document.getElementById("question").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    };
    if (!paste("华东\t10", "cells.png")) throw new Error("cells that are pasted are not taken as their text");
    if (paste("", "image.png")) throw new Error("a picture that is pasted is not taken as a file");
  });
  await visible(page.locator("#spoken", { hasText: "image.png 已就绪。" }));
  assert.deepEqual(await chips.locator(".name").allInnerTexts(), ["销售.csv", "big.bin", "a_b_.csv", "image.png"]);
  await shot(page, "files");
  const box = page.getByRole("textbox", { name: "您的问题" });
  assert.equal(await box.getAttribute("placeholder"), "想了解文件里的什么？");
  await box.fill("每个地区的销售额是多少");
  await page.keyboard.press("Enter"); // one has failed: nothing goes, and the cross that takes it away has the focus
  await visible(page.locator("button:focus").and(page.getByRole("button", { name: "移除 big.bin" })));
  assert.equal(await box.inputValue(), "每个地区的销售额是多少");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "移除 image.png" }).click();
  const { article, task, write } = await ask(page, "每个地区的销售额是多少");
  assert.equal(await chips.count(), 0);
  const brought = () => page.getByRole("list", { name: "这个问题附带的文件" }).getByRole("link");
  assert.deepEqual(await brought().allInnerTexts(), ["销售.csv", "a_b_.csv"]);
  const href = await brought().first().getAttribute("href");
  assert.equal(await page.evaluate(async (url) => (await fetch(url)).text(), href), "地区,销售额\n华东,10\n");
  const file = { ref: decodeURIComponent(href.split("/").pop()), name: "销售.csv", type: "text/csv", bytes: 28 };
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "每个地区的销售额是多少", caller: "user", files: [file] } });
  await write(task, "master", { kind: "response", status: "ok", observation: "华东 10，见[图](obj:abc)。", files: [file, { ref: "obj:abc", name: "图.svg" }] });
  await visible(article.locator(".answer", { hasText: "华东 10" }));
  assert.equal(await article.locator(".answer a").getAttribute("href"), "/v1/files/obj%3Aabc");
  await page.reload();
  await visible(page.locator(".answer", { hasText: "华东 10" }));
  assert.deepEqual(await brought().allInnerTexts(), ["销售.csv"]);
  assert.equal(await page.getByRole("link", { name: "销售.csv" }).count(), 1); // not once more among those that were made
  assert.equal(await page.getByRole("link", { name: "图.svg" }).count(), 1);
  await shot(page, "files-answer");
});

await check("pictures are shown, those of plain shapes and those of points, and nothing in one runs", async () => {
  const { article, task, write } = await ask(page, "画个图");
  const put = (name, text) => page.evaluate(async ([name, bytes]) => {
    const answer = await fetch(`/v1/files?name=${name}`, { method: "POST", body: new Uint8Array(bytes) });
    return answer.json();
  }, [name, [...Buffer.from(text)]]);
  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  const huge = Buffer.from(png);
  huge.writeUInt32BE(100_000, 16);
  huge.writeUInt32BE(100_000, 20);
  const svg = (body) => `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">${body}</svg>`;
  const files = [
    await put("plain.svg", `<?xml version="1.0"?>${svg('<defs><clipPath id="a"><path d="M0 0h90v60h-90z"/></clipPath></defs><g clip-path="url(#a)"><rect width="90" height="60" fill="teal"/><text>字</text></g>')}`),
    await put("script.svg", svg("<script>parent.document.title = 'taken'</script>")),
    await put("again.svg", svg('<g id="a"><rect width="9" height="9"/></g><use href="#a"/>')),
    await put("prefix.svg", svg('<g id="a"><rect width="9" height="9"/></g><g:use xmlns:g="http://www.w3.org/2000/svg" href="#a"/>')),
    await put("entity.svg", `<!DOCTYPE svg [<!ENTITY a "b">]>${svg("<text>&a;</text>")}`),
    await put("clipped.svg", svg('<defs><clipPath id="a"><path d="M0 0h9" clip-path="url(#b)"/></clipPath></defs>')),
    await put("broken.png", "no picture at all"),
    await put("small.png", png),
  ];
  const { ref } = await put("huge.png", huge);
  assert.equal(await page.evaluate(async (url) => (await import("/files.js")).isHarmless(url), `/v1/files/${ref}`), false);
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "画个图", caller: "user" } });
  await write(task, "master", { kind: "response", status: "ok", observation: `画好了。\n- [plain.svg](${files[0].ref}) 图`, files });
  await page.waitForFunction((id) => [...document.querySelectorAll(`[data-task="${id}"] figure img`)].some((i) => i.naturalWidth === 90), task);
  await page.waitForFunction((id) => document.querySelectorAll(`[data-task="${id}"] figure`).length === 2, task);
  assert.equal(await page.title().then((t) => t.includes("taken")), false);
  // One that the answer links to by its name is not listed again.
  assert.deepEqual(await article.locator(".files:not(.brought) a").allInnerTexts(), ["script.svg", "again.svg", "prefix.svg", "entity.svg", "clipped.svg", "broken.png", "small.png"]);
  assert.equal(await article.getByRole("link", { name: "plain.svg" }).count(), 1);
  await shot(page, "pictures");
});

await check("a wide table is read whole: long cells break, the rest is scrolled to, also by keyboard", async () => {
  const { article, task, write } = await ask(page, "列一张大表");
  const long = "灶小二空气炸锅 3L 迷你 ×1；禾煮电饭煲 4L 智能预约 ×1；".repeat(3);
  const columns = ["商品", "金额", ...Array.from({ length: 9 }, (_, i) => `这是第 ${i} 列`)];
  const row = (name, amount) => `| ${[name, amount, ...columns.slice(2).map(() => "2026-11-22 08:19:22")].join(" | ")} |`;
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "列一张大表", caller: "user" } });
  await write(task, "master", { kind: "response", status: "ok", observation: [`| ${columns.join(" | ")} |`, `| ${columns.map(() => "---").join(" | ")} |`, row(long, "1,234.50"), row("短", "9"), "", "| 窄 |", "| --- |", "| 1 |"].join("\n") });
  const scrolled = article.locator(".answer .table").first();
  const cell = scrolled.locator("td").first();
  await visible(cell);
  assert.deepEqual(await cell.evaluate((n) => [n.scrollWidth <= n.clientWidth, n.clientHeight > 40]), [true, true]); // nothing of it is cut off
  assert.equal(await scrolled.locator("td").nth(1).evaluate((n) => getComputedStyle(n).textAlign), "right");
  for (const width of [400, 1200]) { // that there is more is seen: a bar below, a shadow at the edge
    await page.setViewportSize({ width, height: 860 });
    await page.waitForFunction((w) => innerWidth === w, width);
    await visible(article.getByRole("group", { name: "宽表格，可左右滚动" }));
    assert.ok(await scrolled.evaluate((n) => n.scrollWidth > n.clientWidth && n.offsetHeight - n.clientHeight >= 8));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }
  const narrow = article.locator(".answer .table").last();
  assert.deepEqual(await narrow.evaluate((n) => [n.getAttribute("aria-label"), n.tabIndex, n.offsetHeight - n.clientHeight]), ["表格", -1, 0]); // nobody has to stop there
  assert.equal(await scrolled.getByRole("columnheader", { name: "金额" }).count(), 1);
  await scrolled.focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((id) => document.querySelector(`[data-task="${id}"] .answer .table`).scrollLeft > 0, task);
  await shot(page, "wide");
});

await check("a question waits for its files, and a lost one can be sent again", async () => {
  let go;
  const held = new Promise((done) => { go = done; });
  await page.route("**/v1/files?name=*", async (route) => { await held; await route.abort(); }, { times: 1 });
  cutting = true; // the browser tells of the lost request
  await page.setInputFiles("#pick", { name: "慢.csv", mimeType: "text/csv", buffer: Buffer.from("a\n1\n") });
  await page.getByRole("textbox", { name: "您的问题" }).fill("慢慢来");
  await page.keyboard.press("Enter");
  await visible(page.getByText("文件传完后自动发送"));
  await visible(page.getByRole("progressbar", { name: "正在上传 慢.csv" }));
  await shot(page, "files-sending");
  go();
  const again = page.getByRole("button", { name: "重新上传 慢.csv" });
  await visible(again);
  await visible(page.getByText("连接中断，或文件无法读取。").last());
  cutting = false;
  await again.click();
  await visible(page.locator("#spoken", { hasText: "慢.csv 已就绪。" }));
  await page.getByRole("textbox", { name: "您的问题" }).press("Enter");
  const article = page.locator("article.task[data-task]").filter({ hasText: "慢慢来" });
  await visible(article.getByRole("link", { name: "慢.csv" }));
  const [session, task] = [new URL(page.url()).searchParams.get("s"), await article.getAttribute("data-task")];
  const { write } = agents(session, task);
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "慢慢来", caller: "user" } });
  await write(task, "master", { kind: "response", status: "ok", observation: "好" });
});

await check("a request beside a change that waits is one of its own, and so is one with a file", async () => {
  const { article, task, write, said } = await ask(page, "把空气炸锅降到199元");
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "把空气炸锅降到199元", caller: "user" } });
  await write(task, "master", { kind: "ask", ask: { id: `${task}-1-0`, kind: "approval", question: "改价吗？", tool_name: "set_price" } });
  await visible(article.getByRole("button", { name: "同意" }));
  const before = await page.locator("article.task").count();
  await page.getByRole("textbox", { name: "您的问题" }).fill("看看王萍萍的订单");
  await page.keyboard.press("Enter");
  await visible(page.getByText("上面问的仍在等您答复"));
  assert.equal((await said()).length, 0);
  await page.setInputFiles("#pick", { name: "b.csv", mimeType: "text/csv", buffer: Buffer.from("a\n1\n") });
  await visible(page.locator("#spoken", { hasText: "b.csv 已就绪。" }));
  const other = await ask(page, "好"); // which would be a yes without the file
  await visible(other.article.getByRole("link", { name: "b.csv" }));
  assert.equal(await page.locator("article.task").count(), before + 1); // the agents of the first have written nothing yet
  assert.equal((await said()).length, 0);
  await visible(article.getByRole("button", { name: "同意" }));
  await shot(page, "apart");
});

await check("a request beside a choice is one of its own, and the choice can still be made", async () => {
  await page.getByRole("button", { name: "新对话" }).click();
  await visible(page.getByRole("heading", { name: "想了解什么？" }));
  const { article, session, task, write, said } = await ask(page, "把空气炸锅的价格降10%");
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "把空气炸锅的价格降10%", caller: "user" } });
  await write(task, "master", { kind: "ask", ask: { id: `${task}-1-0`, kind: "question", question: "要对哪一个改价？", parameter: "sku_name", options: ["禾煮 5L", "灶小二 3L"] } });
  await visible(article.getByRole("button", { name: "禾煮 5L" }));
  await page.getByRole("textbox", { name: "您的问题" }).fill("看看王萍萍的订单");
  await page.keyboard.press("Enter");
  await visible(page.getByText("上面问的仍在等您答复"));
  const all = page.locator("article.task");
  assert.equal((await said()).length, 0);
  const other = agents(session, "beside");
  await other.write("beside", "master", { kind: "request", request: { hmap: "1", job_desc: "看看王萍萍的订单", caller: "user" } });
  await other.write("beside", "master", { kind: "response", status: "ok", observation: "共有 12 个订单" });
  await visible(all.last().getByText("共有 12 个订单"));
  await article.getByRole("button", { name: "禾煮 5L" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // by keyboard, which is back in the box then
  assert.equal(await page.evaluate(() => document.activeElement.id), "question");
  await visible(article.getByText("您的回答: 灶小二 3L"));
  assert.deepEqual((await said()).map((i) => [i.ask, i.text]), [[`${task}-1-0`, "灶小二 3L"]]);
  assert.equal(await page.getByText("上面问的仍在等您答复").count(), 0); // it waits no more
  await write(task, "master", { kind: "response", status: "ok", observation: "改好了" });
  await visible(article.getByText("改好了"));
});

await check("too much text is told before it goes, and what the gateway refuses comes back into the box", async () => {
  const box = page.getByRole("textbox", { name: "您的问题" });
  const before = await page.locator("article.task").count();
  await box.focus();
  await page.keyboard.insertText("长".repeat(17_000));
  await page.keyboard.press("Enter");
  await visible(page.locator("#hint", { hasText: "请放进文件" }));
  assert.equal((await box.inputValue()).length, 17_000); // nothing of it was cut off
  assert.equal(await page.locator("article.task").count(), before);
  await box.fill("");
  const other = watch(await context.newPage());
  await other.routeWebSocket("**/v1/ws", (socket) => {
    const gateway = socket.connectToServer();
    socket.onMessage((text) => {
      const { id, kind } = JSON.parse(text);
      if (kind === "steer") socket.send(JSON.stringify({ type: "error", id, code: "unavailable", message: "not now" }));
      else gateway.send(text);
    });
  });
  await other.goto(HMAP_PAGE);
  const first = await ask(other, "第一个问题");
  await first.write(first.task, "master", { kind: "request", request: { hmap: "1", job_desc: "第一个问题", caller: "user" } });
  await first.write(first.task, "master", { kind: "round", round: 1, thought: "想一想" });
  await visible(other.getByPlaceholder("给进行中的任务补充说明…"));
  await other.getByRole("textbox", { name: "您的问题" }).fill("再快一点");
  await other.keyboard.press("Enter");
  await visible(other.getByRole("alert").getByText("not now"));
  assert.equal(await other.getByRole("textbox", { name: "您的问题" }).inputValue(), "再快一点");
  assert.deepEqual(await other.locator("#conversation > *").evaluateAll((all) => all.map((n) => n.className)), ["task", "notice"]);
  await other.close();
});

await check("a long ask for leave stands where it begins, in one language, also when the page is opened anew", async () => {
  const other = watch(await context.newPage());
  await other.setViewportSize({ width: 1000, height: 600 });
  await other.goto(HMAP_PAGE);
  const { task, write, said } = await ask(other, "cancel them");
  await write(task, "master", { kind: "request", request: { hmap: "1", job_desc: "cancel them", caller: "user" } });
  for (let n = 1; n <= 12; n++) await write(task, "master", { kind: "round", round: n, thought: `Step ${n}: one more is looked up.`, action_code: [] });
  const rows = Array.from({ length: 14 }, (_, n) => `${n + 1}. 10000000${100 + n}; buyer: 袁静`).join("\n");
  await write(task, "master", { kind: "ask", ask: { id: `${task}-1-0`, kind: "approval", question: `This needs your approval: Cancel orders:\n${rows}`, tool_name: "cancel_order" } });
  const stands = async () => {
    const card = other.getByRole("group", { name: "Your approval is needed" });
    await visible(card.getByRole("button", { name: "Approve" }));
    await other.waitForFunction(() => {
      const { top } = document.querySelector(".ask h3").getBoundingClientRect();
      return top >= document.querySelector("body > header").getBoundingClientRect().bottom && top < innerHeight / 2;
    });
  };
  await stands();
  await shot(other, "approval-long");
  await other.reload();
  await stands();
  await other.getByRole("button", { name: "Refuse" }).click();
  await visible(other.getByText("您已拒绝"));
  const input = (await said()).findLast((i) => i.kind === "refuse");
  await write(task, "master", { kind: "input", input });
  await write(task, "master", { kind: "response", status: "ok", observation: "All right." });
  await other.close();
});

await context.close();
