package shop

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
)

// person is a customer of the made-up shop.
type person struct {
	id                              int
	name, pin, phone, city, address string
}

// crowd is all customers, of whom few buy often and many rarely.
type crowd struct {
	people []person
	upTo   []float64 // running sum of how often each buys
}

var (
	surnames  = []rune("王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕")
	given     = []rune("伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉萍红鹏辉宁倩琳雪梅佳欣怡晨浩宇轩雨桐子涵")
	pinFirst  = []string{"sunny", "lemon", "quiet", "happy", "little", "silver", "maple", "cloud", "river", "green", "panda", "coffee"}
	pinSecond = []string{"fox", "tea", "moon", "cat", "star", "leaf", "boat", "rain", "bird", "hill", "song", "bear"}
	towns     = []struct{ city, district string }{
		{"北京市", "朝阳区"}, {"上海市", "浦东新区"}, {"广东省广州市", "天河区"}, {"广东省深圳市", "南山区"}, {"浙江省杭州市", "西湖区"},
		{"江苏省南京市", "鼓楼区"}, {"四川省成都市", "武侯区"}, {"湖北省武汉市", "洪山区"}, {"陕西省西安市", "雁塔区"}, {"山东省青岛市", "市南区"},
		{"福建省厦门市", "思明区"}, {"湖南省长沙市", "岳麓区"}, {"辽宁省大连市", "沙河口区"}, {"新疆乌鲁木齐市", "天山区"}, {"西藏拉萨市", "城关区"},
	}
	streets = []string{"和平路", "建设路", "人民路", "解放路", "文化路", "花园路", "长江路", "学府路"}
)

// wellKnown is the customer of the article's example. Her rank among the crowd gives her several orders, not hundreds.
const (
	wellKnown     = "王萍萍"
	wellKnownRank = 120
)

// newCrowd draws n people of different names. Phone numbers start with 12, which no operator uses, so they belong to nobody.
func newCrowd(r *rand.Rand, n int) crowd {
	c := crowd{people: make([]person, 0, n), upTo: make([]float64, 0, n)}
	taken := map[string]bool{wellKnown: true}
	sum := 0.0
	for i := range n {
		name := wellKnown
		if i != wellKnownRank {
			for taken[name] {
				name = string(surnames[r.IntN(len(surnames))]) + string(given[r.IntN(len(given))])
				if r.Float64() < .75 {
					name += string(given[r.IntN(len(given))])
				}
			}
			taken[name] = true
		}
		pin := fmt.Sprintf("%s%04d", name, 1000+(i*37)%9000)
		if pair := i / 4; i%4 == 3 && pair < len(pinFirst)*len(pinSecond) {
			pin = pinFirst[pair%len(pinFirst)] + pinSecond[pair/len(pinFirst)]
		}
		town := towns[r.IntN(len(towns))]
		c.people = append(c.people, person{
			id: i + 1, name: name, pin: pin, phone: fmt.Sprintf("12%09d", 100000000+i*104729+r.IntN(1000)), city: town.city,
			address: fmt.Sprintf("%s%s%s%d号%d室", town.city, town.district, streets[r.IntN(len(streets))], 1+r.IntN(200), 101+r.IntN(1800)),
		})
		sum += math.Pow(float64(i+1), -.6) // Zipf-like, as repeat purchases are
		c.upTo = append(c.upTo, sum)
	}
	return c
}

// buyer draws who buys next.
func (c crowd) buyer(r *rand.Rand) person {
	return c.people[sort.SearchFloat64s(c.upTo, r.Float64()*c.upTo[len(c.upTo)-1])]
}
