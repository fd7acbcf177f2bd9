package shop

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"unicode"
)

// syllables are the readings of the characters that the made-up names are drawn from (surnames and given, in people.go), as in
// passports: 吕 is Lyu.
var syllables = func() map[rune]string {
	readings := map[rune]string{}
	for _, pair := range strings.Fields(`王Wang 李Li 张Zhang 刘Liu 陈Chen 杨Yang 赵Zhao 黄Huang 周Zhou 吴Wu 徐Xu 孙Sun 胡Hu 朱Zhu 高Gao 林Lin 何He 郭Guo 马Ma 罗Luo
		梁Liang 宋Song 郑Zheng 谢Xie 韩Han 唐Tang 冯Feng 于Yu 董Dong 萧Xiao 程Cheng 曹Cao 袁Yuan 邓Deng 许Xu 傅Fu 沈Shen 曾Zeng 彭Peng 吕Lyu
		伟Wei 芳Fang 娜Na 敏Min 静Jing 丽Li 强Qiang 磊Lei 军Jun 洋Yang 勇Yong 艳Yan 杰Jie 娟Juan 涛Tao 明Ming 超Chao 秀Xiu 霞Xia 平Ping 刚Gang 桂Gui 英Ying
		华Hua 玉Yu 萍Ping 红Hong 鹏Peng 辉Hui 宁Ning 倩Qian 琳Lin 雪Xue 梅Mei 佳Jia 欣Xin 怡Yi 晨Chen 浩Hao 宇Yu 轩Xuan 雨Yu 桐Tong 子Zi 涵Han`) {
		r := []rune(pair)
		readings[r[0]] = string(r[1:])
	}
	return readings
}()

// romanised is a name of two to four characters in Latin letters, "Wang Pingping" for 王萍萍; "" when a character is not known.
func romanised(name string) string {
	characters := []rune(strings.TrimSpace(name))
	if len(characters) < 2 || len(characters) > 4 {
		return ""
	}
	var parts [2]string
	for i, c := range characters {
		s := syllables[c]
		switch {
		case s == "":
			return ""
		case i > 1:
			s = strings.ToLower(s)
		}
		parts[min(i, 1)] += s
	}
	return parts[0] + " " + parts[1]
}

// people are the names of customers and receivers that a name stands for: itself, or when it is in Latin letters all that are
// read so, given name first or last, written in one word or several. Several Chinese names may be read alike.
func people(ctx context.Context, tx *sql.Tx, said string) ([]string, error) {
	said = strings.TrimSpace(said)
	wanted := letters(said)
	if said == "" {
		return []string{}, nil
	}
	if wanted == "" {
		return []string{said}, nil
	}
	known, err := rows(ctx, tx, func(r *sql.Rows) (n string, err error) { err = r.Scan(&n); return n, err },
		`SELECT name FROM customers UNION SELECT receiver FROM orders ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	found := []string{said}
	for _, name := range known {
		surname, given, ok := strings.Cut(strings.ToLower(romanised(name)), " ")
		if ok && name != said && (wanted == surname+given || wanted == given+surname) {
			found = append(found, name)
		}
	}
	return found, nil
}

// letters are the small Latin letters of a name without spaces, hyphens and apostrophes; "" when it has other characters.
func letters(name string) string {
	var b strings.Builder
	for _, r := range strings.NewReplacer("lü", "lyu", "lv", "lyu").Replace(strings.ToLower(name)) {
		switch {
		case r >= 'a' && r <= 'z':
			b.WriteRune(r)
		case unicode.IsSpace(r), r == '-', r == '\'', r == '’', r == ',':
		default:
			return ""
		}
	}
	return b.String()
}

// list is a JSON list for json_each, which is how a list gets into a constant query.
func list(values []string) string {
	body, _ := json.Marshal(values) // strings always marshal
	return string(body)
}
