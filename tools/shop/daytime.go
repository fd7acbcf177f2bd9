package shop

// daytime is a part of each day, shared by the tools that count orders and refund requests.
type daytime struct {
	Part string `json:"daytime,omitempty" jsonschema:"title=时段,enum=凌晨,enum=上午,enum=中午,enum=下午,enum=晚上,enum=early morning,enum=morning,enum=noon,enum=afternoon,enum=evening" jsonschema_description:"只要每天这个时段里的：凌晨0–6点、上午6–12点、中午11–14点、下午12–18点、晚上18–24点；问哪个时段最多时不填"`
}

// dayParts are the first hour of each part and the one after its last.
var dayParts = map[string][2]int{"凌晨": {0, 6}, "上午": {6, 12}, "中午": {11, 14}, "下午": {12, 18}, "晚上": {18, 24}}

func (d *daytime) understand() { d.Part = chinese(d.Part) }

// hours are the first hour meant and the one after the last; all of a day when none is.
func (d daytime) hours() (from, until int) {
	if h, ok := dayParts[d.Part]; ok {
		return h[0], h[1]
	}
	return 0, 24
}

// condition is how it is said.
func (d daytime) condition() condition {
	h, ok := dayParts[d.Part]
	if !ok {
		return condition{}
	}
	return condition{d.Part + " " + figure(float64(h[0]), 0) + "–" + figure(float64(h[1]), 0) + " 点", english(d.Part) + ", " + figure(float64(h[0]), 0) + ":00 to " + figure(float64(h[1]), 0) + ":00"}
}
