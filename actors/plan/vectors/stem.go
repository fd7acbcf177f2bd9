package vectors

import "strings"

// Stem takes the commonest endings off an English word in small letters, enough to bring order/orders and ship/shipped/shipping
// together. A full stemmer gained nothing measurable over the character n-grams beside it.
func Stem(w string) string {
	switch n := len(w); {
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case n > 5 && strings.HasSuffix(w, "ing"):
		return double(w[:n-3])
	case n > 4 && strings.HasSuffix(w, "ed"):
		return double(w[:n-2])
	case n > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes")):
		return w[:n-2]
	case n > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return strings.TrimSuffix(w[:n-1], "e")
	case n > 4 && strings.HasSuffix(w, "e"):
		return w[:n-1]
	}
	return w
}

// double turns shipp into ship.
func double(w string) string {
	if n := len(w); n > 3 && w[n-1] == w[n-2] && w[n-1] != 's' && w[n-1] != 'l' {
		return w[:n-1]
	}
	return strings.TrimSuffix(w, "e")
}
