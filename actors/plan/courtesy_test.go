package plan

import "testing"

// A long polite wish is read as the short one; what is told to somebody keeps its thanks.
func TestPlainWish(t *testing.T) {
	for said, want := range map[string]string{
		"Would you be so kind as to cancel order 281065179130? Many thanks!":                                          "cancel order 281065179130.",
		"could you please be so kind and tell me how many orders Wang Pingping placed? Thank you so much in advance!": "tell me how many orders Wang Pingping placed.",
		"Could you be so kind as to cancel order 281065179130, thanks a lot":                                          "cancel order 281065179130",
		"I would really appreciate it if you could list the late orders when you have a moment. Many thanks!":         "list the late orders.",
		"Sorry to bother you, but if it's not too much trouble, show the late orders":                                 "show the late orders",
		"hi, hope you are doing well. do me a favor and list the refunds":                                             "list the refunds",
		"I was wondering if you could perhaps forecast air fryers for next month":                                     "forecast air fryers for next month",
		"您好，麻烦您在百忙之中抽空帮我看一下王萍萍一共有多少个订单好吗？非常感谢！":                                                                       "麻烦帮我看一下王萍萍一共有多少个订单好吗？",
		"不好意思打扰了，方便的话帮我查一下超时的订单，辛苦了":                                                                                  "帮我查一下超时的订单",
		"帮我查一下超时的订单，先谢谢啦":                                                                                             "帮我查一下超时的订单",
		"How many orders did Wang Pingping place?":                                                                    "How many orders did Wang Pingping place?",
		"cancel all late orders, keep me posted":                                                                      "cancel all late orders", "cancel all late orders and let me know when it's done.": "cancel all late orders", "cancel order 281065179130, nothing else": "cancel order 281065179130",
		"把超时的订单都取消，有消息告诉我": "把超时的订单都取消", "所有玩具降价5元，其他不变": "所有玩具降价5元", "取消所有超时的订单，弄好了告诉我一声": "取消所有超时的订单", "取消订单281065179130，别的不用管。": "取消订单281065179130",
		"let me know how many orders we had": "let me know how many orders we had", "这些订单处理完了吗": "这些订单处理完了吗", "发货后通知我": "发货后通知我",
		"谢谢":                  "谢谢",
		"thank you very much": "thank you very much",
		"tell the buyer of order 281065179130: thank you very much for your help": "tell the buyer of order 281065179130: thank you very much for your help",
		"给订单 281065179130 的买家发消息：非常感谢您的支持":                                        "给订单 281065179130 的买家发消息：非常感谢您的支持",
		"给买家写一条“谢谢您”":                                                             "给买家写一条“谢谢您”",
		"哪些客户说过谢谢":                                                                "哪些客户说过谢谢",
		// what stands in quotes, in code or in a text is as it was typed, beside a courtesy too
		"could you be so kind as to write “ready?” into todo.txt?": "write “ready?” into todo.txt.",
		"please add “Wait...” to todo.txt. Many thanks!":           "please add “Wait...” to todo.txt.",
		"run this: `print('a...b')`, thanks a lot":                 "run this: `print('a...b')`",
		"把“你好，，再见。。”存成 a.md，谢谢":                                    "把“你好，，再见。。”存成 a.md",
		"make a note a.txt: one... two, many thanks":               "make a note a.txt: one... two",
	} {
		if got := plainWish(said); got != want {
			t.Errorf("%s\n got %q\nwant %q", said, got, want)
		}
	}
}
