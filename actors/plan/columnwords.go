package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// columnWords are words that speak of a column without its name, each group with the names that such a column has: what is out of stock has none, the youngest are the
// lowest of an age. Two patterns of names are two columns that the words need.
var columnWords = []struct {
	names []*words.Pattern
	said  *words.Pattern
}{
	of(`库存|存货|\b(?:stock|inventory)\b`, `缺货|[无没断有]货|售罄|库存|存货|\b(?:(?:out of|in) stock|sold out|stock|inventory)\b`),
	of(`价|\bprice`, `[贵便]宜?|价[格钱位]|单价|\b(?:price[sd]?|expensive|cheap\w*|costs?)\b`),
	of(`价|\bprice`, `价值|货值|值钱|\b(?:values?|valuable|worth)\b`, `库存|存货|数量|\b(?:stock|inventory|quantity|qty|units)\b`),
	of(`仓|\bwarehouse`, `仓库?|\bwarehouses?\b`),
	of(`部门|科室|\bdep(?:artmen)?t\b|\bteam\b`, `部门|科室|\b(?:departments?|teams?)\b`),
	of(`薪|工资|\b(?:salary|wages?|pay)\b`, `[月年]?薪[水资酬]?|工资|收入|挣|赚|\b(?:salary|salaries|wages?|paid|pay|earn(?:s|ed)?)\b`),
	of(`年龄|\bage\b`, `年[纪龄长轻老]|[0-9]岁|\b(?:ages?|old(?:er|est)?|young(?:er|est)?)\b`),
	of(`性别|\b(?:gender|sex)\b`, `男|女|\b(?:m[ae]n|wom[ae]n|females?|males?)\b`),
	of(`入职|\b(?:hire|join)`, `入职|加入|新人|\b(?:join(?:ed)?|hired?|started)\b`),
	of(`姓名|员工|\bname\b|\bemployee`, `谁|员工|职员|同事|\b(?:who|people|persons?|employees?|staff|work(?:s|ers?)?)\b`),
	of(`延误|延迟|晚点|\b(?:delay|latency)`, `延误|晚点|准点|\b(?:delay(?:s|ed)?|late|on time|slow\w*|fast\w*)\b`),
	of(`航空|\bairline`, `航空公司|\bairlines?\b`), of(`航线|\broute`, `航线|路线|\broutes?\b`), of(`乘客|旅客|\bpassenger`, `乘客|旅客|客流|\bpassengers?\b`),
	of(`预算|\bbudget`, `超支|超预算|超出|结余|\b(?:budgets?|overspen[dt]|over budget)\b`),
	of(`分数|成绩|得分|\b(?:score|grade|marks?)\b`, `分数?|成绩|及格|\b(?:scores?|grades?|marks?|passed)\b`),
	of(`机器|设备|机台|\b(?:machine|equipment|device)\b`, `机器|设备|机台|\b(?:machines?|equipment|devices?)\b`), of(`产线|\bline\b`, `条线|生?产线|\b(?:production )?lines?\b`),
	of(`故障|\b(?:failures?|faults?|breakdowns?)\b`, `故障次?数?|\b(?:failures?|faults?|breakdowns?)\b`), of(`温度|气温|\btemp(?:erature)?\b`, `气温|温度|\btemperatures?\b`), of(`湿度|\bhumidity\b`, `湿度|\bhumidity\b`),
	of(`账单|费用|\b(?:bill|charges?)\b`, `账单|费用|\b(?:bills?|charges?)\b`), of(`患者|病人|\bpatient\b`, `患者|病人|\bpatients?\b`), of(`医生|\bdoctor\b`, `医生|\bdoctors?\b`), of(`司机|驾驶员|\bdriver\b`, `司机|驾驶员|\bdrivers?\b`),
	of(`学生|学员|\bstudent\b`, `学生|学员|\bstudents?\b`), of(`[教老]师|\bteacher\b`, `[教老]师|\bteachers?\b`), of(`班级|\bclass\b`, `班级?|\bclass(?:es)?\b`), of(`科目|学科|\bsubject\b`, `科目|学科|\bsubjects?\b`), of(`课程|\bcourse\b`, `课程|\bcourses?\b`),
	of(`房间|\broom\b`, `房间|\brooms?\b`), of(`重量|体重|\bweight\b`, `体重|重量|\bweights?\b`), of(`身高|高度|\bheight\b`, `身高|高度|\bheights?\b`), of(`速度|车速|\bspeed\b`, `速度|车速|\bspeeds?\b`), of(`距离|里程|\b(?:distance|mileage)\b`, `距离|里程|\b(?:distances?|mileage)\b`),
	of(`时长|耗时|\bduration\b`, `时长|耗时|\bdurations?\b`), of(`供应商|\b(?:supplier|vendor)\b`, `供应商|\b(?:suppliers?|vendors?)\b`), of(`项目|\bproject\b`, `项目|\bprojects?\b`), of(`车辆|\bvehicle\b`, `车辆|\bvehicles?\b`),
}

// of is a group of [columnWords]; also: the other columns that its words need.
func of(name, said string, also ...string) (g struct {
	names []*words.Pattern
	said  *words.Pattern
}) {
	for _, n := range append([]string{name}, also...) {
		g.names = append(g.names, words.MustCompile(`(?i)`+n))
	}
	g.said = words.MustCompile(`(?i)` + said)
	return g
}

// ofColumns takes what speaks of the columns of a description without their names out of a text, and counts it.
func ofColumns(description, text string) (rest string, found int) {
	description = strings.ReplaceAll(description, "_", " ")
groups:
	for _, g := range columnWords {
		for _, n := range g.names {
			if !n.MatchString(description) {
				continue groups
			}
		}
		for _, at := range g.said.FindAllStringIndex(text, -1) {
			found++
			text = text[:at[0]] + strings.Repeat(" ", at[1]-at[0]) + text[at[1]:]
		}
	}
	return text, found
}

var (
	// ofPeople are columns that name people, ofCodes those of signs that each row has its own of.
	ofPeople = words.MustCompile(`(?i)姓名|名字|员工|客户|顾客|买家|学生|销售员|业务员|\b(?:name|employee|customer|client|student|salesperson|rep)\b`)
	ofCodes  = words.MustCompile(`(?i)编号|编码|[单货款工学]号|代码|航班|\b(?:id|sku|code|no|number|flight)\b`)
)
