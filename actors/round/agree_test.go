package round

import "testing"

// A yes is nothing but a yes; a no leads the text; all else is neither, and a change waits for a clearer word.
func TestConsent(t *testing.T) {
	for want, texts := range map[Consent][]string{
		Yes: {
			"同意", "同意吧", "行吧", "嗯", "嗯嗯", "好的。", "好的，谢谢", "那就同意吧", "我同意", "请执行", "没问题！", "好，同意", "是的", "确认",
			"yes", "Yes please", "sure, do it", "ok", "OK!", "go ahead", "yes, go ahead please", "please do it", "I agree", "no problem", "sure thanks", "ok do it", "y", "yes, thank you", "no objection",
		},
		No: {
			"不", "不同意", "不行", "不用了", "不要", "算了", "否", "先别取消", "别取消了", "不可以", "不要取消它，给他发个消息说明天发货", "不了，谢谢", "暂时不取消",
			"no", "No.", "nope", "no thanks", "don't", "do not cancel it", "don't do it", "no, message the buyer instead", "not now", "not to bob, to eve", "不是给他，给李四", "never", "stop", "n",
		},
		Unclear: {
			"", "1", "它的物流呢", "好的，但是先别发消息", "可以吗", "好吗？", "ok?", "yes but only the first", "yes, if it has not shipped", "如果没发货就同意", "同意，除了第二个", "好像不对",
			"对不起", "可以不取消吗", "是不是已经发货了", "嗯...", "ok...", "不知道", "不清楚", "I don't know", "don't wait, just do it", "不用问了，直接取消", "not sure", "no, yes", "不，同意", "不要取消吗",
			"yes or no", "yes no", "is it fine?", "which order?", "why", "再想想", "谢谢", "please", "取消吧", "取消订单 281065253769", "right?", "ok, but wait", "好的好的不", "maybe", "不能不取消", "不是不同意", "not a problem?", "可以的话就取消", "what does it cost", "行不行", "好不好",
		},
	} {
		for _, text := range texts {
			if got := ConsentOf(text); got != want {
				t.Errorf("%q: %v, wanted %v", text, got, want)
			}
		}
	}
}
