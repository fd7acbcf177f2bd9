package plan

import (
	"strings"
	"testing"
)

// What a thing shall become narrows nothing that is looked for: neither city nor house number of the new address.
func TestBecomingNarrowsNothing(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for _, request := range []string{
		"把王萍萍的地址改成北京市朝阳区建国路88号", "修改王萍萍订单的收货地址为上海市浦东新区世纪大道100号", "把王萍萍最近一单的收货地址改为上海市浦东新区世纪大道100号",
		"change the address of Wang Pingping's order to 88 Jianguo Road, Chaoyang, Beijing",
	} {
		h.ask(t, request)
		if len(h.log) == 0 || len(h.log[0].args) == 0 || h.log[0].args["consumer_name"] == nil || strings.Contains(h.told(), "city") || strings.Contains(h.told(), "sku_name") || strings.Contains(h.told(), "limit") {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}
