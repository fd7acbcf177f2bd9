package shop

// line is one product category of the made-up shop, with the demand that the generator gives it and that the statistics are
// to find again.
type line struct {
	category   string
	english    []string // what it is called in English; the first in sentences, all are understood
	elasticity float64  // sales go with price^-elasticity
	swing      float64  // amplitude of the yearly season, 0–1
	peak       int      // month in which the season is highest
	growth     float64  // change of demand in a year: 0.2 is 20 % more
	goods      []good
	keywords   []string
}

// good is one product. Brands are invented.
type good struct {
	brand, model string
	price        int64   // usual price in yuan
	cost         float64 // share of the usual price
	rate         float64 // pieces a day at the usual price, before season, growth and campaigns
	fixed        bool    // its price never changes, so nothing can be learnt about elasticity
}

func (g good) name(category string) string { return g.brand + category + " " + g.model }

// catalogue is what the shop sells. The elasticities are in the range that meta-analyses of consumer goods report
// (mean 2.6, most between 1 and 4: Bijmolt, van Heerde & Pieters 2005).
var catalogue = []line{
	{"空气炸锅", []string{"air fryer"}, 2.2, .28, 12, .25, []good{
		{"禾煮", "5L 可视窗", 329, .62, 1.6, false},
		{"禾煮", "4L 家用", 219, .36, 1.3, false},
		{"暖屿", "6.5L 双层", 459, .60, .8, false},
		{"灶小二", "3L 迷你", 159, .68, .6, false},
	}, []string{"空气炸锅", "空气炸锅 家用", "可视空气炸锅", "大容量空气炸锅", "迷你空气炸锅", "双层空气炸锅", "无油炸锅", "薯条机", "空气炸锅 5L", "空气炸烤箱"}},
	{"电饭煲", []string{"rice cooker"}, 1.6, .10, 1, .05, []good{
		{"禾煮", "4L 智能预约", 299, .58, .7, false},
		{"暖屿", "3L 低糖", 399, .55, .4, false},
		{"灶小二", "2L 单人", 129, .66, .5, false},
	}, []string{"电饭煲", "低糖电饭煲", "小电饭煲 单人", "智能电饭煲", "IH 电饭煲", "电饭煲 4L"}},
	{"破壁机", []string{"blender"}, 1.8, .15, 10, -.05, []good{
		{"禾煮", "1.75L 静音", 499, .54, .4, false},
		{"轻磨", "800ml 便携", 269, .52, .4, false},
	}, []string{"破壁机", "静音破壁机", "豆浆机 家用", "小型破壁机", "榨汁机"}},
	{"咖啡机", []string{"coffee machine", "coffee maker", "espresso machine"}, 1.5, .08, 11, .30, []good{
		{"轻磨", "半自动 20bar", 1299, .60, .2, false},
		{"轻磨", "胶囊款", 599, .58, .3, false},
		{"暖屿", "手冲套装", 189, .42, .5, false},
	}, []string{"咖啡机", "半自动咖啡机", "胶囊咖啡机", "手冲咖啡套装", "意式咖啡机 家用", "磨豆机"}},
	{"洋酒", []string{"imported spirits", "spirits", "liquor"}, 1.3, .35, 1, .08, []good{
		{"岚渡", "苏格兰威士忌 700ml", 268, .57, .5, false},
		{"岚渡", "12 年单一麦芽 700ml", 468, .60, .3, false},
		{"金羽", "VSOP 干邑 700ml", 398, .62, .3, false},
		{"海角", "白朗姆 750ml", 99, .50, .4, true},
	}, []string{"洋酒", "威士忌", "单一麦芽威士忌", "干邑白兰地", "朗姆酒", "洋酒礼盒", "鸡尾酒 基酒"}},
	{"葡萄酒", []string{"wine"}, 1.4, .30, 1, .03, []good{
		{"海角", "赤霞珠干红 750ml", 89, .48, .6, false},
		{"金羽", "霞多丽干白 750ml", 108, .50, .4, false},
	}, []string{"葡萄酒", "红酒 整箱", "干红葡萄酒", "干白葡萄酒", "红酒礼盒"}},
	{"玩具", []string{"toy"}, 1.9, .25, 6, .10, []good{
		{"咚咚", "积木城堡 680 粒", 199, .44, .6, false},
		{"咚咚", "遥控越野车", 139, .50, .5, false},
		{"绒绒", "毛绒小熊 40cm", 79, .40, .7, false},
		{"绒绒", "拼图地垫", 59, .52, .4, true},
	}, []string{"玩具", "积木", "儿童积木 6岁", "遥控车", "毛绒玩具", "儿童拼图", "六一儿童节礼物", "益智玩具"}},
	{"手机", []string{"phone", "mobile phone", "smartphone", "cell phone"}, 1.4, .10, 9, .05, []good{
		{"星澜", "X2 256G", 2999, .86, .3, false},
		{"星澜", "Lite 128G", 1499, .84, .4, false},
		{"星澜", "长辈版", 799, .80, .3, true},
	}, []string{"手机", "5G 手机", "老人手机", "大电池手机", "学生手机 千元"}},
	{"耳机", []string{"earphone", "headphone", "earbud", "headset"}, 1.7, .06, 11, .15, []good{
		{"星澜", "真无线降噪", 399, .48, .6, false},
		{"听序", "头戴式", 599, .52, .3, false},
		{"听序", "运动颈挂", 129, .45, .5, false},
	}, []string{"耳机", "降噪耳机", "蓝牙耳机", "头戴式耳机", "运动耳机", "骨传导耳机"}},
	{"运动鞋", []string{"sports shoe", "sneaker", "trainer"}, 1.5, .15, 4, 0, []good{
		{"驰野", "缓震跑鞋", 369, .46, .5, false},
		{"驰野", "户外徒步鞋", 429, .48, .4, false},
	}, []string{"运动鞋", "跑鞋", "缓震跑鞋", "徒步鞋", "马拉松跑鞋"}},
	{"保温杯", []string{"thermos", "vacuum flask", "insulated cup"}, 2.0, .40, 12, .12, []good{
		{"暖屿", "316 钢 500ml", 99, .42, .8, false},
		{"暖屿", "焖烧杯 750ml", 139, .44, .4, false},
	}, []string{"保温杯", "焖烧杯", "316 保温杯", "儿童保温杯", "大容量保温杯"}},
	{"电风扇", []string{"electric fan", "fan"}, 1.4, .75, 7, .02, []good{
		{"清川", "直流落地扇", 269, .52, .6, false},
		{"清川", "桌面循环扇", 149, .50, .6, false},
	}, []string{"电风扇", "循环扇", "落地扇 静音", "桌面小风扇", "无叶风扇"}},
}

// channels are where campaigns run. Lift is what a campaign adds to the demand of its category; what a click costs decides
// whether it pays.
var channels = []struct {
	name       string
	lift       float64
	click      int64   // fen
	conversion float64 // orders per click
}{
	{"搜索推广", .45, 110, .040},
	{"推荐推广", .35, 70, .018},
	{"直播", .70, 160, .045},
	{"站外社媒", .25, 60, .010},
}
