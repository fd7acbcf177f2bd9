package knowledge

import (
	"context"
	"regexp"
	"strings"
)

// kin are words that people use for each other's in what a company writes for its own people: each row is of one thing, in both languages.
var kin = [][]string{
	{"离职", "辞职", "退职", "走人", "resign", "resignation", "resigning", "quit", "quitting", "leave the company", "notice period"},
	{"休假", "请假", "假期", "放假", "leave", "holidays", "holiday", "vacation", "time off", "days off", "day off"},
	{"病假", "生病", "看病", "sick leave", "sick", "ill", "illness"},
	{"工资", "薪水", "薪资", "薪酬", "发薪", "salary", "wages", "wage", "pay day", "payday", "payroll", "paycheck"},
	{"住宿", "酒店", "宾馆", "旅馆", "hotels", "hotel", "lodging", "accommodation"},
	{"报销", "能报", "expenses", "expense", "reimbursed", "reimbursement", "reimburse", "claim back"},
	{"餐补", "餐费", "饭钱", "伙食", "吃饭", "meals", "meal", "lunch", "dinner", "food"},
	{"出差", "差旅", "travel", "business trip", "trips", "trip"},
	{"扣除", "扣款", "扣钱", "罚款", "罚钱", "deducted", "deduction", "fined", "fine", "penalty"},
	{"远程", "在家办公", "居家办公", "remotely", "remote", "working from home", "work from home", "home office"},
	{"丢失", "遗失", "丢了", "弄丢", "lost", "lose", "stolen", "missing"},
	{"电脑", "笔记本", "laptop", "notebook", "computer"},
	{"手机", "phone", "mobile phone", "cell phone", "smartphone"},
	{"密码", "口令", "passwords", "password", "passcode", "passphrase"},
	{"工牌", "门禁卡", "胸卡", "badge", "access card", "key card", "id card"},
	{"加班", "overtime", "extra hours"},
	{"考勤", "打卡", "上班时间", "working hours", "office hours", "attendance"},
	{"试用期", "probation period", "probation", "trial period"},
	{"主管", "上司", "领导", "经理", "manager", "boss", "supervisor"},
	{"发票", "收据", "小票", "receipts", "receipt", "invoices", "invoice"},
	{"培训", "training", "course", "courses"},
	{"产假", "陪产假", "maternity leave", "paternity leave", "parental leave", "baby"},
}

// stands reports whether a text in small letters holds a word: a Latin one whole.
func stands(text, word string) bool {
	if strings.ContainsFunc(word, isHan) {
		return strings.Contains(text, word)
	}
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(word)
		if (begin == 0 || !latin(text[begin-1])) && (end == len(text) || !latin(text[end])) {
			return true
		}
		at = end
	}
}

func latin(b byte) bool { return 'a' <= b && b <= 'z' }

// otherwise are a question in other words of the same meaning, each with one word in the place of another of its row and its language.
func otherwise(query string) []string {
	query = strings.ToLower(query)
	var out []string
	for _, row := range kin {
		for _, said := range row {
			if !stands(query, said) {
				continue
			}
			for _, other := range row {
				if other != said && strings.ContainsFunc(other, isHan) == strings.ContainsFunc(said, isHan) && len(out) < maxOtherwise {
					out = append(out, strings.Replace(query, said, " "+other+" ", 1))
				}
			}
			break // the first that it holds
		}
	}
	return out
}

// maxOtherwise bounds how often a question is put in other words.
const maxOtherwise = 24

// searchOtherwise are the passages for a question that finds nothing as it is said: those of the best of its other wordings.
func searchOtherwise(ctx context.Context, folders []*Base, query string) ([]Passage, error) {
	var best []Passage
	for _, q := range otherwise(query) {
		found, err := searchAll(ctx, folders, q)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 && (len(best) == 0 || found[0].Score > best[0].Score) {
			best = found
		}
	}
	return best, nil
}

// howMuch asks for a measure, which is no word of what is asked about: how long must a password be.
var howMuch = regexp.MustCompile(`(?i)\bhow (?:long|often|far|old|big|high|low|late|early|soon|fast|large|wide|quickly|frequently)\b`)
