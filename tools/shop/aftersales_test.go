package shop

import "testing"

func TestRefundStaysWithinWhatWasPaid(t *testing.T) {
	s := newShop(t)
	refund := one[string](t, s, `SELECT min(refund_id) FROM refunds WHERE state = '待处理'`)
	if _, err := s.write.ExecContext(t.Context(), `INSERT INTO refunds (refund_id, order_id, kind, reason, amount_fen, state, asked_at, decided_at)
		SELECT '9999999999999', order_id, '仅退款', '补差', total_fen, '已同意', asked_at, asked_at FROM refunds JOIN orders USING (order_id) WHERE refund_id = ?`, refund); err != nil {
		t.Fatal(err)
	}
	mustRefuse(t, s, "c1", "decide_refund", `{"refund_id":"`+refund+`","decision":"同意"}`, "超过实付")
	mustRefuse(t, s, "c2", "decide_refund", `{"refund_id":"`+refund+`","decision":"拒绝"}`, "原因")
	do[decided](t, s, "c3", "decide_refund", `{"refund_id":"`+refund+`","decision":"拒绝","reason":"已退过"}`)
	mustRefuse(t, s, "c4", "decide_refund", `{"refund_id":"`+refund+`","decision":"同意"}`, "已经处理过")
}
