package table

import "strings"

// forbiddenCalls are functions that a question has no use for: they reach outside, or make megabytes of nothing.
var forbiddenCalls = map[string]bool{
	"load_extension": true, "readfile": true, "writefile": true, "edit": true, "fts3_tokenizer": true, "zeroblob": true, "randomblob": true,
	"sqlite_compileoption_get": true, "sqlite_compileoption_used": true, "vec_each": true,
}

// reads holds SQL to one statement that reads: SELECT, WITH or VALUES. The file is read-only whatever it says; this is to say so clearly, and to
// stop what reads more than the tables (pragma functions, schemas, extensions).
func reads(text string) error {
	if len(text) > maxSQL {
		return refusef("SQL 超过 %d 字节", "the SQL has more than %d bytes", maxSQL)
	}
	if strings.ContainsRune(text, 0) {
		return refusef("SQL 里有 NUL 字符", "the SQL has a NUL character")
	}
	words := lex(text)
	for len(words) > 0 && words[len(words)-1] == ";" {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return refusef("SQL 是空的", "the SQL is empty")
	}
	switch words[0] {
	case "select", "with", "values":
	default:
		return refusef("只能执行一条查询（SELECT 或 WITH），不能执行 %s", "only one statement that reads may be run (SELECT or WITH), not %s", strings.ToUpper(plainName(words[0])))
	}
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		name := strings.Trim(w, "\"`[]")
		switch {
		case w == ";":
			return refusef("只能执行一条语句", "only one statement may be run")
		case strings.HasPrefix(name, "pragma_"), forbiddenCalls[name] && next == "(":
			return refusef("查询里不能用 %s", "%s may not be used in a question", name)
		case name == "replace" && next == "into", name == "insert" && next == "into", name == "delete" && next == "from", name == "update" && next != "(" && i > 0 && words[i-1] == ")":
			return refusef("表格只能读取，不能修改", "tables are read here and not changed")
		}
	}
	return nil
}

// lex parts SQL into words in lower case, names in their quotes and signs; texts and comments are left out.
func lex(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case strings.IndexByte(" \t\r\n\f", c) >= 0:
			i++
		case strings.HasPrefix(text[i:], "--"):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return out
			}
			i += end
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return out
			}
			i += end + 4
		case c == '\'':
			i = closing(text, i, '\'')
			out = append(out, "''")
		case c == '"' || c == '`' || c == '[':
			end := byte(']')
			if c != '[' {
				end = c
			}
			j := closing(text, i, end)
			out = append(out, strings.ToLower(text[i:j]))
			i = j
		case wordByte(c):
			j := i
			for j < len(text) && wordByte(text[j]) {
				j++
			}
			out = append(out, strings.ToLower(text[i:j]))
			i = j
		default:
			out = append(out, text[i:i+1])
			i++
		}
	}
	return out
}

// closing is the place behind the sign that ends what begins at i; a doubled one does not.
func closing(text string, i int, end byte) int {
	for j := i + 1; j < len(text); j++ {
		if text[j] != end {
			continue
		}
		if end != ']' && j+1 < len(text) && text[j+1] == end {
			j++
			continue
		}
		return j + 1
	}
	return len(text)
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
