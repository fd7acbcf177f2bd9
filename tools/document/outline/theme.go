package outline

// Theme is how a document looks. Colours are six hexadecimal digits, without a sign before them.
type Theme struct {
	Name string
	// Paper is the ground, Ink the text on it, Muted what is said beside, Line thin rules, Panel the ground of heads and quotes.
	Paper, Ink, Muted, Line, Panel string
	// Accent is the colour of the theme; Cover the ground of a title page and OnCover the text there.
	Accent, Cover, OnCover string
	// Palette colours the series of charts, in order.
	Palette []string
	// Serif headings.
	Serif bool
	Dark  bool
}

// Palettes: neighbours differ in lightness as well as in hue, so that they can be told apart on a printer and by the colour-blind.
var themes = map[string]Theme{
	"sea": {
		Name: "sea", Paper: "FFFFFF", Ink: "1B2733", Muted: "627282", Line: "DCE3EA", Panel: "F3F6FA", Accent: "1F5FA8", Cover: "12355B", OnCover: "FFFFFF",
		Palette: []string{"1F5FA8", "3FA7A0", "F0A63A", "D65F5F", "7C6BB0", "8AA4BF", "2E7D5B", "B8860B"},
	},
	"ember": {
		Name: "ember", Paper: "FFFDF9", Ink: "2B2320", Muted: "80716A", Line: "E9DFD6", Panel: "FAF4EC", Accent: "B4472C", Cover: "5B2417", OnCover: "FFF6EC",
		Palette: []string{"B4472C", "E0A458", "4F7A6B", "7B3F61", "3D5A80", "C9B79C", "8C6A1F", "A3A847"}, Serif: true,
	},
	"night": {
		Name: "night", Paper: "151B24", Ink: "E6EBF2", Muted: "93A1B3", Line: "2E3947", Panel: "1E2733", Accent: "5AA9F8", Cover: "0D1219", OnCover: "FFFFFF",
		Palette: []string{"5AA9F8", "4FD1B5", "F6C358", "F47C7C", "B79CF4", "8FA6C2", "86D072", "F2A3D0"}, Dark: true,
	},
}

// ThemeNames are the themes there are, the default first.
func ThemeNames() []string { return []string{"sea", "ember", "night"} }

// Look is the theme of the document.
func (o *Outline) Look() Theme {
	if t, ok := themes[o.Theme]; ok {
		return t
	}
	return themes["sea"]
}
