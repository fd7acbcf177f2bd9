package words

import (
	"strings"
	"unicode/utf8"
)

// Stems is a set of stemmed words.
func Stems(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[Stem(w)] = true
	}
	return m
}

var (
	// LatinVerbs are words that begin requests and are no names.
	LatinVerbs = Set(`show find list give tell how what which who when where why please can could would check cancel get let i we the is are do does did has have my
	for and then also after finally first next of in on at by urgent help track forecast predict suggest recommend update change create search display count`)
)

// The function words of both languages: what carries grammar and no topic. They are knowledge of the language, not of any
// catalogue.

// StopEnglish are English words that carry grammar and no topic.
var StopEnglish = Set(`a an the of to in on at by for from with and or but so then if as is are was were be been being am do does
did done has have had having can could will would shall should may might must i me my mine we us our you your he him his she her it
its they them their this that these those there here what which who whom whose when where why how many much any some all each every no
not please kindly help let s want need like know tell show give get find check see look about into over under than too very just also
more most other such only own same once after before again further both few up down out off now current currently information detail
provide assist thank thanks hello hi following additionally finally lastly first second next based via per whether say advise
don doesn didn isn aren wasn weren couldn shouldn wouldn hasn haven hadn t ll ve`)

// StopHan are Chinese words that do.
var StopHan = Set(`的 了 吗 呢 吧 啊 呀 哦 嘛 我 我们 咱们 咱 俺 你 你们 您 他 她 它 他们 她们 它们 自己 大家 是 有 在 和 与 或 及 跟 同 并 并且
以及 还 还有 还是 也 都 就 又 再 把 被 给 让 对 对于 从 到 向 往 为 为了 于 请 请问 请帮 帮 帮我 帮忙 帮我查 麻烦 一下 一个 一家 一些 一共 总共 一条 一件
这 那 这个 那个 这些 那些 这家 这种 那种 这里 那里 哪 哪个 哪些 哪家 哪儿 哪里 哪几 什么 啥 怎么 怎样 如何 怎么样 怎么办 多少 几 几个 多久 多大 谁 为什么
为何 是否 是不是 有没有 能 能不能 能否 可以 可不可以 可否 行不行 要 要不要 需要 需不需要 想 想要 想知道 应该 应当 该 会 会不会 得 地 着 过 很 最 更 太 比较 非常
所有 全部 每 每个 每天 各 各个 个 件 条 款 只 笔 台 位 看 看看 看一下 查 查询 查看 查一下 查查 查找 找 找出 找一下 搜 搜索 告诉 告诉我 回复 答复 知道 问 问一下 了解 显示 列出
列一下 给我 目前 现在 当前 已经 之前 之后 以后 以前 时候 的话 如果 因为 所以 但是 不过 而 而且 另外 然后 接着 随后 最后 首先 先 同时 顺便 里 里面 中的
关于 情况 东西 事情 相关 具体 一般 通常 吗 的吗 不 没 没有 别 不要 嗯 好的 那么 其中 分别 到底 究竟 属于 进行 包括 以 用 上面 下面 任何 即可 来 去`)

// WordsHan are common words that hold a sign of StopHan and must not be cut by it.
var WordsHan = Set(`要求 主要 重要 必要 有效 有货 有限 拥有 现有 享有 会员 会计 社会 机会 地区 地址 地方 各地 目的 得物 了解 在线 在途 存在 个人 个体 个性 过期 过敏 通过 过滤
对账 对比 对公 绝对 针对 发给 给付 请求 申请 邀请 检查 审查 查验 调查 同意 合同 共同 不同 相同 向导 方向 为准 行为 因为 用户 费用 使用 信用 用途 用品 日用 适用
来源 未来 原来 去年 去除 看板 看护 不足 不良 不含 没收 别墅 类别 性别 级别 级 每周 每月 每日 每年 几号 从业 从属 到货 到期 到账 收到 达到 迟到 得分 让利 转让 先行 优先
还款 归还 退还 偿还 还价 会场 更换 更改 更新 变更 最低 最高 太阳 条件 条款 货款 付款 退款 条码 文件 附件 配件 件数 台灯 平台 后台 只读 单位 定位 笔记 笔试 支付 以太 用于 想法
能力 功能 性能 节能 智能 可靠 认可 许可 再次 再生 就业 成就 又名 并行 合并 与否 参与 及时 以及 涉及 跟踪 跟单 找回 搜集 问题 问卷 访问 顾问 提问 是否 着装 家具 家电 国家 商家
买家 卖家 厂家 家居 家用 独家 空气 的确 这样 那样 一致 一次 都市 到哪 到哪里 到哪儿 发到 送到 发出`)

// LightHan are verbs so general that they name no topic of their own when a thing beside them is looked for.
var LightHan = Set(`占 占了 占总 占全店 占所有 占全部 占整个 卖 卖的 卖得 卖了 卖出 卖多少 买 买了 买的 买过 开 开店 开一家 开个 做 经营 销售 出售 售卖 购买 下单 下的 拍下 入驻 办 办理 准备 提供 预测 预估
估计 建议 推荐 分析 统计 计算 处理 操作 设置 打算 计划 适合 好 不好 高 低 多 少 大 小 大概 左右 最多 最少 最好 最高 最低 趋势 表现 结果 数据 名字 名称 信息 详情 记录
方案 要不 多少钱 钱 价 定 定个 调 写 出 月 天 年 周 号 日 季度 每周 每月 每日 每年 尚未 带来 类 家 我想 我要 这边 剩 剩下 卖出去 资料 排行 排行榜 排名 名次 榜 榜单 列表 清单 报表 手机号 手机 电话 号码 详细 分别 单子 便宜 贵 划算 合适 快要 快没 卖光 卖完 售罄 见底 告急 时间 期间 最近 近期 咋样 咋 咋办 咋整 如何了 上午 下午 晚上 早上 中午 平均 人均 均价 合计 总计 总额 占比 比例`)

// soonHan are adverbs of what becomes of goods: behind 货, which is any of them, they begin what is said of it and no name (哪些货快没了).
var soonHan = Set(`快 快要 将 将要 即将 马上 要 够 不够 还 也 都 就 就要 已 已经 正 正在 刚 刚刚 仅 可能 大概 最 该`)

// LightEnglish are the English verbs of the same kind.
var LightEnglish = Set(`open sell sells selling sold buy bought buying purchase purchased place placed ship shipped run start make made order ordered go going come
new recent latest late total amount number best top left remaining available possible required start begin apply use used per
well oh okay ok hey um anyway actually maybe perhaps really lately average mean share percentage proportion whats hows whos wheres pls plz thx gonna wanna vs versus last previous compared hourly daily weekly monthly bring brings brought`)

// Set is a set of words parted by spaces.
func Set(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// MaxHanWord is the longest entry of the Han word lists, in runes.
const MaxHanWord = 4

// leads are the signs that words of the Han lists begin with: most signs begin none, and need not be looked up.
var leads = func() map[rune]bool {
	out := map[rune]bool{}
	for _, set := range []map[string]bool{StopHan, WordsHan, LightHan} {
		for w := range set {
			out[FirstRune(w)] = true
		}
	}
	return out
}()

// ContentRuns cuts a Han run at function words, and at LightHan where it is asked for (longest match first), and returns what is left with
// its byte offsets.
func ContentRuns(run string, drop ...map[string]bool) []Piece {
	var out []Piece
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, Piece{Text: run[start:end], Han: true, Start: start, End: end})
			start = -1
		}
	}
	for at := 0; at < len(run); {
		r, size := utf8.DecodeRuneInString(run[at:])
		keep := true
		if leads[r] {
			size, keep = wordAt(run[at:], size, drop)
		}
		if r == '货' && start < 0 && len(drop) > 0 {
			if n, kept := wordAt(run[at+size:], 0, []map[string]bool{soonHan}); !kept {
				size, keep = size+n, false
			}
		}
		if !keep {
			flush(at)
		} else if start < 0 {
			start = at
		}
		at += size
	}
	flush(len(run))
	return out
}

// wordAt is how many bytes the longest listed word has that a text begins with, else first, and whether it is kept.
func wordAt(s string, first int, drop []map[string]bool) (size int, keep bool) {
	var ends [MaxHanWord]int
	n := 0
	for at := 0; at < len(s) && n < MaxHanWord; n++ {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
		ends[n] = at
	}
	for ; n > 0; n-- {
		w := s[:ends[n-1]]
		if WordsHan[w] && !Member(w, drop) {
			return len(w), true
		}
		if StopHan[w] || Member(w, drop) {
			return len(w), false
		}
	}
	return first, true
}

// Member reports whether a word is in any of the sets.
func Member(w string, sets []map[string]bool) bool {
	for _, s := range sets {
		if s[w] {
			return true
		}
	}
	return false
}

// Content is the topical part of a text: Latin words that are not function words and Han runs cut at function words.
func Content(s string) []string {
	out := make([]string, 0, len(s)/(2*perWord)+1) // half are function words
	eachPiece(s, func(p Piece) {
		if !p.Han {
			if w := strings.ToLower(p.Text); !StopEnglish[w] && !AllDigits(w) {
				out = append(out, Stem(w))
			}
			return
		}
		for _, r := range ContentRuns(p.Text) {
			out = append(out, Pairs(r.Text)...)
		}
	})
	return out
}

// AllDigits reports whether a text is made of digits only.
func AllDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
