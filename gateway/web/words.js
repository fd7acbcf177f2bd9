// The page's words, in Chinese and English; the browser's language chooses.

const WORDS = {
  en: {
    lang: "en", newConversation: "New conversation", conversations: "Conversations", agents: "Agents", records: "Records", send: "Send", conversation: "Conversation",
    question: "Your question", hint: "Enter sends, Shift+Enter starts a new line",
    ask: "Ask a question…", steer: "Add to this task…", answerHere: "Your answer…",
    reason: "A reason or change first…", waits: "waits for you", stillWaits: "What was asked above still waits, and nothing of it is done meanwhile.", noConversations: "No conversation yet.", loading: "Reading the list…",
    noList: "The list cannot be read now:", older: "Older conversations",
    attach: "Add files (or drop or paste them)", filesToSend: "Files that go with the next question", filesBrought: "Files of this question", held: "Goes as soon as the files are there",
    meanwhile: "A question came up while you were typing. Send once more, and this is your answer to it.", tooLong: (n) => `Too long by ${n} characters or so; put it into a file.`, frameTooLarge: (n) => `This is ${n} bytes too large to send; put it into a file.`,
    unsent: " (not sent yet)", tooLate: " (the task had ended; nobody heard it)",
    answeredBefore: (said) => ` (not taken: answered already – ${said})`, answeredAlready: (said) => `That was answered already, here or in another window – ${said}. Your answer came later and changes nothing.`,
    askOfFiles: "What would you like to know about it?", noFolders: "Folders cannot be added; add the files in it.", fileLost: "The connection was lost, or the file cannot be read.",
    tooLarge: (most) => `Larger than ${most}, the most that is taken.`, tooManyFiles: (n) => `At most ${n} files go with one question.`, tryAgain: "Try again",
    sendingFile: (name) => `Sending ${name}`, fileThere: (name) => `${name} is ready.`, removeFile: (name) => `Remove ${name}`, sendFileAgain: (name) => `Send ${name} again`,
    connecting: "connecting", online: "connected", offline: "connection lost, trying again", ended: "disconnected; reload the page",
    lost: "waiting for the bus (connection lost)", silent: "waiting for the bus (electing a leader, or no majority of its servers is there)",
    unwritable: "waiting for room on the disk of the server",
    welcome: "What would you like to know?",
    lead: "A Master agent splits your request among domain agents. You can watch each thought, action and observation.",
    examples: "For example", onOffer: "On offer now", noAgents: "No agent is there at the moment.", unread: "The list cannot be read now. Try again in a moment.", tools: "Tools",
    queued: "Waiting for a free agent", working: "Working", waiting: "Waiting for you", ok: "Done", vain: "Nothing came of it", replied: "Answered", error: "Failed",
    cancelled: "Cancelled", input_required: "Asks back", thinking: "thinking", pending: "Not sent yet",
    plan: "Plan", not_started: "not started", in_progress: "in progress", completed: "completed", blocked: "blocked", failed: "failed", stopped: "stopped",
    critique: "Judgement", reasoning: "Reasoning", arguments: "Arguments", observation: "Observation", trusted: "passed on unchanged",
    handedOn: "handed on as the answer", goesOn: "goes on", howItWent: "How it went",
    takenOver: (n, node) => `taken over by node ${node} (attempt ${n})`,
    cancel: "Cancel task", cancelling: "Cancelling…", raw: "Raw record", approve: "Approve", refuse: "Refuse",
    approval: "Your approval is needed", asksYou: "A question for you", wouldCall: "would call", until: "until",
    saidApprove: "You approved", saidRefuse: "You refused", saidAnswer: "You answered", saidExpire: "Nobody answered in time",
    saidSteer: "You added", saidCancel: "You cancelled", askAgain: "Ask again", close: "Close", copy: "Copy", copied: "Copied",
    allRecords: "All records of this conversation", download: "Download", more: (n) => `and ${n} more`,
    table: "Table", wideTable: "Wide table, scrolls sideways", rows: (n) => (n === 1 ? "1 row" : `${n} rows`), summary: (rounds, calls) => `${rounds} ${rounds === 1 ? "round" : "rounds"}, ${calls} ${calls === 1 ? "call" : "calls"}`, tokens: (n) => `${n} tokens`, elapsed: "elapsed",
    answered: "The answer is there.", needsYou: "Your answer is needed.", failedSay: "The task failed.", empty: "(nothing)",
    advice: {
      busy: "Many tasks are waiting. Try again in a moment.",
      unavailable: "A part of the system does not answer. Try again; if it stays like this, look at /readyz and the log of the server.",
      timeout: "It took too long. Ask again, or ask for less at once.",
      budget: "The budget of this task is spent. Ask for a smaller part, or raise the budget in the configuration.",
      repeated: "The agent went round in circles. Say it in other words, or give more detail.",
      model: "The language model failed. Check its address and key, or try again later.",
      forbidden: "This is not allowed, or was refused.",
      expired: "The question was not answered in time. Ask again.",
      in_doubt: "It is not certain whether the change has happened. Check before you repeat it.",
      changed: "Things have moved since that was agreed to, and nothing was changed. Ask again.",
      invalid_request: "Change the request and send it again.",
      invalid_parameter: "Something in the request does not fit. Say it more precisely.",
      poison: "This task has brought its executor down several times. It was put aside (see hmap dead).",
      unknown_tool: "Nobody of that name is there. See which agents are on offer.",
      cancelled: "", internal: "This is our fault. Please try again; the records show what happened.",
    },
    tries: [
      ["orders", "How many orders did Wang Pingping place?"],
      ["forecast", "Forecast next month's sales of air fryers"],
      ["rules", "What qualifications do I need to sell imported liquor?"],
      ["pricing", "How long will our stock last?"],
    ],
  },
  zh: {
    lang: "zh-CN", newConversation: "新对话", conversations: "对话", agents: "智能体", records: "记录", send: "发送", conversation: "对话",
    question: "您的问题", hint: "回车发送，Shift+回车换行",
    ask: "请输入问题…", steer: "给进行中的任务补充说明…", answerHere: "请输入回答…",
    reason: "批准前可输入理由或改动…", waits: "等您回复", stillWaits: "上面问的仍在等您答复，在此期间什么也不会执行。", noConversations: "还没有对话。", loading: "正在读取列表…",
    noList: "现在无法读取列表：", older: "更早的对话",
    attach: "添加文件（也可拖放或粘贴）", filesToSend: "随下一个问题发送的文件", filesBrought: "这个问题附带的文件", held: "文件传完后自动发送",
    meanwhile: "输入期间有了新的提问。再次发送，即以此作为回答。", tooLong: (n) => `大约超出 ${n} 个字，请放进文件。`, frameTooLarge: (n) => `超出可发送的大小 ${n} 字节，请放进文件。`,
    unsent: "（尚未发出）", tooLate: "（任务已结束，未被采纳）",
    answeredBefore: (said) => `（未被采纳：此前已有答复——${said}）`, answeredAlready: (said) => `这个问题已在本页或别处答复过——${said}。您后来的答复没有被采纳。`,
    askOfFiles: "想了解文件里的什么？", noFolders: "不能添加文件夹，请添加其中的文件。", fileLost: "连接中断，或文件无法读取。",
    tooLarge: (most) => `超过 ${most} 的上限。`, tooManyFiles: (n) => `一个问题最多附带 ${n} 个文件。`, tryAgain: "重试",
    sendingFile: (name) => `正在上传 ${name}`, fileThere: (name) => `${name} 已就绪。`, removeFile: (name) => `移除 ${name}`, sendFileAgain: (name) => `重新上传 ${name}`,
    connecting: "正在连接", online: "已连接", offline: "连接中断，正在重连", ended: "已断开，请刷新页面",
    lost: "正在等待消息总线（连接中断）", silent: "正在等待消息总线（正在选举主节点，或多数服务器不可用）",
    unwritable: "正在等待服务器磁盘腾出空间",
    welcome: "想了解什么？",
    lead: "Master 智能体把您的需求分派给各领域智能体；每一步的思考、行动和观察都看得见。",
    examples: "试试这些问题", onOffer: "当前可用", noAgents: "现在没有可用的智能体。", unread: "现在无法读取列表，请稍后再试。", tools: "工具",
    queued: "等待空闲的智能体", working: "进行中", waiting: "等您回复", ok: "已完成", vain: "没有做成", replied: "已答复", error: "失败",
    cancelled: "已取消", input_required: "需要补充信息", thinking: "思考中", pending: "尚未发出",
    plan: "计划", not_started: "未开始", in_progress: "进行中", completed: "已完成", blocked: "受阻", failed: "失败", stopped: "已停止",
    critique: "评判", reasoning: "推理过程", arguments: "参数", observation: "观察结果", trusted: "结果原样返回",
    handedOn: "结果原样作为回答", goesOn: "继续", howItWent: "查看经过",
    takenOver: (n, node) => `由节点 ${node} 接手（第 ${n} 次）`,
    cancel: "取消任务", cancelling: "正在取消…", raw: "原始记录", approve: "同意", refuse: "拒绝",
    approval: "需要您的批准", asksYou: "需要您回答", wouldCall: "将要调用", until: "有效期至",
    saidApprove: "您已同意", saidRefuse: "您已拒绝", saidAnswer: "您的回答", saidExpire: "超时未回答",
    saidSteer: "您补充了", saidCancel: "您取消了任务", askAgain: "重新提问", close: "关闭", copy: "复制", copied: "已复制",
    allRecords: "本对话的全部记录", download: "下载", more: (n) => `还有 ${n} 条`,
    table: "表格", wideTable: "宽表格，可左右滚动", rows: (n) => `${n} 行`, summary: (rounds, calls) => `${rounds} 轮，${calls} 次调用`, tokens: (n) => `${n} tokens`, elapsed: "用时",
    answered: "已有回答。", needsYou: "需要您回复。", failedSay: "任务失败。", empty: "（空）",
    advice: {
      busy: "排队的任务较多，请稍后再试。",
      unavailable: "系统的某个部分没有响应。请重试；若一直如此，请查看 /readyz 和服务器日志。",
      timeout: "用时过长。请重新提问，或缩小问题范围。",
      budget: "本任务的预算已用完。请缩小问题范围，或在配置中提高预算。",
      repeated: "智能体在原地打转。请换一种说法，或补充细节。",
      model: "语言模型出错。请检查其地址和密钥，或稍后再试。",
      forbidden: "该操作不被允许，或已被拒绝。",
      expired: "问题超时未回答，请重新提问。",
      in_doubt: "不确定改动是否已经发生。重复之前请先核实。",
      changed: "同意之后情况有了变化，没有改动。请重新提问。",
      invalid_request: "请修改后重新发送。",
      invalid_parameter: "请求中有内容不符合要求，请说得更具体些。",
      poison: "该任务多次使执行者崩溃，已被搁置（见 hmap dead）。",
      unknown_tool: "没有这个名字的智能体或工具。请看看当前可用的有哪些。",
      cancelled: "", internal: "这是我们的问题，请重试；记录里可以看到经过。",
    },
    tries: [
      ["orders", "我有多少订单是王萍萍买的?"],
      ["rules", "偏远地区发出了又不要了，运费谁承担"],
      ["rules", "开一家卖洋酒的旗舰店要什么资质"],
      ["forecast", "预测下个月空气炸锅的销量，并建议要不要降价"],
    ],
  },
};

export const language = /^zh\b/i.test(navigator.language) ? "zh" : "en";
export const words = WORDS[language];

/** The words in the language of a text, by its first letter: what is asked and the buttons under it are one. Of a text without any, the page's. */
export function wordsFor(text) {
  const first = /\p{L}/u.exec(text ?? "")?.[0];
  return first ? WORDS[/\p{Script=Han}/u.test(first) ? "zh" : "en"] : words;
}

/** The word for a status or another name of the protocol; the name itself when there is none. */
export function word(name) {
  const w = Object.hasOwn(words, name) ? words[name] : undefined;
  return typeof w === "string" ? w : String(name ?? "");
}

/** Puts the page's own words in place: data-word is the text, data-label the accessible name. */
export function label(root) {
  document.documentElement.lang = words.lang;
  for (const node of root.querySelectorAll("[data-word]")) node.textContent = word(node.dataset.word);
  for (const node of root.querySelectorAll("[data-label]")) node.setAttribute("aria-label", word(node.dataset.label));
}
