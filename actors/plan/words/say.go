package words

import "fmt"

// Either is a where ok holds, else b. Both are worked out.
func Either[T any](ok bool, a, b T) T {
	if ok {
		return a
	}
	return b
}

// Say picks the language and fills the values in.
func Say(lang, zh, en string, args ...any) string {
	if lang == "zh" {
		en = zh
	}
	if len(args) == 0 {
		return en
	}
	return fmt.Sprintf(en, args...)
}
