package consent

import (
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A yes is nothing but a yes; a no leads the text; all else is neither, and a change waits for a clearer word.
func TestConsent(t *testing.T) {
	for want, texts := range map[Consent][]string{
		Yes: {
			"同意", "同意吧", "行吧", "嗯", "嗯嗯", "好的。", "好的，谢谢", "那就同意吧", "我同意", "请执行", "没问题！", "好，同意", "是的", "确认",
			"yes", "Yes please", "sure, do it", "ok", "OK!", "go ahead", "yes, go ahead please", "please do it", "I agree", "no problem", "sure thanks", "ok do it", "y", "yes, thank you", "no objection",
			"please do", "yes, please do", "可以的", "行，就这样", "好的，就这么办", "that works", "that's right", "go on", "yes, that is correct", "sure, please do so", "好嘞",
		},
		No: {
			"不", "不同意", "不行", "不用了", "不要", "算了", "否", "先别取消", "别取消了", "不可以", "不要取消它，给他发个消息说明天发货", "不了，谢谢", "暂时不取消",
			"no", "No.", "nope", "no thanks", "don't", "do not cancel it", "don't do it", "no, message the buyer instead", "not now", "not to bob, to eve", "不是给他，给李四", "never", "stop", "n", "取消", "取消吧", "那就算了", "好吧，那算了", "never mind", "forget it", "leave it", "ok, never mind then", "cancel", "以后再说吧", "放弃",
		},
		Unclear: {
			"", "1", "它的物流呢", "好的，但是先别发消息", "可以吗", "好吗？", "ok?", "yes but only the first", "yes, if it has not shipped", "如果没发货就同意", "同意，除了第二个", "好像不对",
			"对不起", "可以不取消吗", "是不是已经发货了", "嗯...", "ok...", "不知道", "不清楚", "I don't know", "don't wait, just do it", "不用问了，直接取消", "not sure", "no, yes", "不，同意", "不要取消吗",
			"yes or no", "yes no", "is it fine?", "which order?", "why", "再想想", "谢谢", "please", "取消订单 281065253769", "right?", "ok, but wait", "好的好的不", "maybe", "不能不取消", "不是不同意", "not a problem?", "可以的话就取消", "what does it cost", "please do not worry", "please do you know", "好的，取消吧", "yes, cancel it", "可以的话", "继续等", "right", "就这样？", "行不行", "好不好",
		},
	} {
		for _, text := range texts {
			if got := Of(text); got != want {
				t.Errorf("%q: %v, wanted %v", text, got, want)
			}
		}
	}
}

// Who names the deed that leave is asked for agrees to it behind a yes, and to no other; a value, a condition or another object is none.
func TestConsentNamesTheDeed(t *testing.T) {
	for _, c := range []struct {
		tool, text string
		want       Consent
	}{
		{"cancel_order", "好的，取消吧", Yes}, {"cancel_order", "行，取消", Yes}, {"cancel_order", "yes, cancel it", Yes}, {"cancel_order", "ok, please cancel the order", Yes},
		{"cancel_order", "取消吧", Unclear}, {"cancel_order", "cancel it", Unclear}, {"cancel_order", "cancel", Unclear}, {"cancel_order", "先别取消", No},
		{"set_price", "好的，取消吧", Unclear}, {"set_price", "yes, cancel it", Unclear}, {"set_price", "好的，改吧", Yes}, {"set_price", "改吧", Yes}, {"set_price", "改成 20 吧", Unclear},
		{"set_price", "好的，改成 20", Unclear}, {"set_price", "yes, set it to 20", Unclear}, {"set_price", "change it", Yes}, {"set_price", "change", Unclear}, {"set_price", "不改了", No}, {"set_price", "取消", No}, {"set_price", "cancel it", No}, {"cancel_order", "取消任务", No}, {"cancel_order", "那就算了", No}, {"cancel_order", "取消", Unclear},
		{"ship_order", "发货吧", Yes}, {"ship_order", "好的，发货", Yes}, {"ship_order", "ship it", Yes}, {"ship_order", "明天发货吧", Unclear}, {"ship_order", "发货吗", Unclear}, {"ship_order", "等有货了发货", Unclear},
		{"send_message_to_buyer", "send it please", Yes}, {"send_message_to_buyer", "好，发吧", Yes}, {"save_tool", "yes please", Yes}, {"save_tool", "存吧", Yes}, {"save_tool", "保存", Yes}, {"save_tool", "save it", Yes},
		{"decide_refund", "好的，拒绝吧", Unclear}, {"decide_refund", "拒绝吧", No}, {"delete_file", "好的，删了吧", Yes}, {"", "好的，删了吧", Unclear}, {"save_tool", "save it as orders", Unclear},
	} {
		if got := To(bus.Ask{ToolName: c.tool}, bus.Input{Kind: bus.Answer, Text: c.text}); got != c.want {
			t.Errorf("%s: %q: %v, wanted %v", c.tool, c.text, got, c.want)
		}
	}
}

// Who gives up what was asked says nothing else; a value, a thing or a time beside it is an answer, and so is not knowing.
func TestGivesUp(t *testing.T) {
	for _, text := range []string{"那就算了", "算了吧", "取消", "取消吧", "Never mind.", "never mind it", "先不弄了", "不用了，谢谢", "没事了", "当我没说", "下次再说吧", "oh, forget it", "skip this", "I changed my mind", "no longer needed", "don't bother"} {
		if !GivesUp(text) {
			t.Errorf("%s gives nothing up", text)
		}
	}
	for _, text := range []string{"不取消了", "我不想改了", "那不退了吧", "I don't want to cancel it any more", "I won't send it after all"} {
		if !TakesBack(text) {
			t.Errorf("%s takes nothing back", text)
		}
	}
	for _, text := range []string{"", "取消第一个", "281063663568", "算了，还是第二个", "不要红色的", "王萍萍的算了", "cancel order 281063663568", "never", "停售的", "别名是什么", "不知道了", "不记得了", "I don't know any more", "stop sign", "再来一个", "no problem", "够大的"} {
		if GivesUp(text) || TakesBack(text) {
			t.Errorf("%s is a giving up", text)
		}
	}
}
