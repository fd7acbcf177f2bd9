package knowledge

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
)

// MaxPassage is the longest text of a passage, in bytes: about 700 Han characters, which a reader takes in at a glance and
// a model can be given five of.
const MaxPassage = 2100

// Passage is one section of a file. As a search result its Score is set.
type Passage struct {
	// Title is the file's, Section the headings above the text ("A / B"; empty before the first heading).
	Title   string `json:"title"`
	Section string `json:"section,omitempty"`
	// Text is Markdown, never empty, at most [MaxPassage] bytes.
	Text string `json:"text"`
	// TextEn is what the section says, in English, when the file gives it; at most [MaxPassage] bytes.
	TextEn string `json:"text_en,omitempty"`
	// Link is an http or https address, or empty when the file names none.
	Link string `json:"link,omitempty"`
	// Note says what to know about the source, such as that the rule is only a sample.
	Note string `json:"note,omitempty"`
	// TitleEn and NoteEn are Title and Note in English, when the file gives them.
	TitleEn string `json:"title_en,omitempty"`
	NoteEn  string `json:"note_en,omitempty"`
	// File is the path below the folder.
	File string `json:"file"`
	// Score orders the passages of one search, 0 to 1, best first; scores of different searches do not compare.
	Score float64 `json:"score"`

	words string // of the front matter; searched only
	own   string // of the section; searched only
}

// matter is the front matter of a file. Unknown keys are an error, so that a misspelt one is noticed.
type matter struct {
	Title   string   `yaml:"title"`
	TitleEn string   `yaml:"title_en"`
	Link    string   `yaml:"link"`
	Words   []string `yaml:"words"`
	Note    string   `yaml:"note"`
	NoteEn  string   `yaml:"note_en"`
}

var (
	heading  = regexp.MustCompile(`^(#{1,6})(?:[ \t]+(.*?))?[ \t#]*$`)
	linkLine = regexp.MustCompile(`(?i)^(?:来源|出处|source|link)[ \t]*[:：][ \t]*<?(https?://[^\s<>]+)>?[ \t]*$`)
	noteLine = regexp.MustCompile(`(?i)^(?:备注|note)[ \t]*[:：][ \t]*(\S.*)$`)
	wordLine = regexp.MustCompile(`(?i)^(?:又叫|words)[ \t]*[:：][ \t]*(\S.*)$`)
	ownEn    = regexp.MustCompile(`^(en|note_en)[ \t]*[:：][ \t]*(\S.*)$`)
	address  = regexp.MustCompile(`^https?://[^\s<>]+$`)
)

// Split cuts a Markdown file into passages, in the order of the text; file is its path and names it in errors. Only front
// matter that is not closed, is beyond its bounds, is not YAML, or has an unknown key is an error; any other text is accepted as it is.
func Split(file, text string) ([]Passage, error) {
	text = strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), "\uFFFD")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	head, body, err := front(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}

	s := splitter{base: Passage{
		Title: head.Title, TitleEn: head.TitleEn, Link: head.Link, Note: head.Note, NoteEn: head.NoteEn, File: file, words: strings.Join(head.Words, " "),
	}}
	for line := range strings.Lines(body) {
		s.line(strings.TrimRight(line, " \t\n"))
	}
	s.flush()

	title := s.base.Title
	if title == "" {
		title = strings.TrimSuffix(path.Base(file), path.Ext(file))
	}
	for i := range s.out {
		s.out[i].Title = title
	}
	return s.out, nil
}

// Cut is Split for a stranger's Markdown: nothing in it is front matter, and no line of it says where it comes from. Its passages have the title and
// the link given; without a title the first heading's, else the file's name.
func Cut(file, title, link, text string) []Passage {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	s := splitter{base: Passage{Title: title, Link: link, File: file}, plain: true}
	for line := range strings.Lines(text) {
		s.line(strings.TrimRight(line, " \t\n"))
	}
	s.flush()
	if title = s.base.Title; title == "" {
		title = strings.TrimSuffix(path.Base(file), path.Ext(file))
	}
	for i := range s.out {
		s.out[i].Title = title
	}
	return s.out
}

// The bounds of front matter: what its reader needs grows with the square of how deep it is nested (0.2 MB of opening brackets took 6 GiB).
const (
	maxFront    = 16 << 10 // bytes
	maxBrackets = 256
)

// front takes the front matter off a text. A text without any is all body.
func front(text string) (head matter, body string, err error) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return head, text, nil
	}
	yamlText, body, ok := strings.Cut("\n"+rest, "\n---\n")
	if !ok {
		if yamlText, ok = strings.CutSuffix("\n"+rest, "\n---"); !ok {
			return head, "", fmt.Errorf("front matter is not closed: a line of three dashes is missing")
		}
		body = ""
	}
	switch brackets := strings.Count(yamlText, "[") + strings.Count(yamlText, "{"); {
	case len(yamlText) > maxFront:
		return head, "", fmt.Errorf("front matter: larger than %d KiB", maxFront>>10)
	case brackets > maxBrackets:
		return head, "", fmt.Errorf("front matter: nested too deep")
	}
	if strings.TrimSpace(yamlText) != "" {
		if err := yaml.UnmarshalWithOptions([]byte(yamlText), &head, yaml.Strict()); err != nil {
			return head, "", fmt.Errorf("front matter: %w", err)
		}
	}
	if head.Link != "" && !address.MatchString(head.Link) {
		return head, "", fmt.Errorf("front matter: link %q is not an http or https address", head.Link)
	}
	return head, body, nil
}

// splitter goes through a body line by line.
type splitter struct {
	base  Passage
	trail [6]string // headings above, by level
	fence string    // the marks that opened the code block we are in, or ""
	plain bool      // lines say nothing of their passage

	text               strings.Builder
	link, note, noteEn string   // of the section
	english, words     []string // lines
	out                []Passage
}

func (s *splitter) line(line string) {
	bare := strings.TrimLeft(line, " ")
	if mark := fenceMark(bare); mark != "" {
		switch {
		case s.fence == "":
			s.fence = mark
		case strings.HasPrefix(mark, s.fence) && strings.TrimLeft(bare, mark[:1]) == "":
			s.fence = ""
		}
	} else if s.fence == "" {
		if m := heading.FindStringSubmatch(line); m != nil {
			s.flush()
			s.enter(len(m[1]), m[2])
			return
		}
		if s.plain {
			s.keep(line)
			return
		}
		if m := linkLine.FindStringSubmatch(line); m != nil {
			s.link = m[1]
			return
		}
		if m := noteLine.FindStringSubmatch(line); m != nil {
			s.note = m[1]
			return
		}
		if m := wordLine.FindStringSubmatch(line); m != nil {
			s.words = append(s.words, m[1])
			return
		}
		if m := ownEn.FindStringSubmatch(line); m != nil {
			if m[1] == "note_en" {
				s.noteEn = m[2]
			} else {
				s.english = append(s.english, m[2])
			}
			return
		}
	}
	s.keep(line)
}

func (s *splitter) keep(line string) {
	s.text.WriteString(line)
	s.text.WriteByte('\n')
}

// fenceMark is the run of ``` or ~~~ that a line begins with, or "".
func fenceMark(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// enter goes below a heading. The first heading of level 1 is the file's title when the front matter has none.
func (s *splitter) enter(level int, name string) {
	if level == 1 && s.base.Title == "" {
		s.base.Title, name = name, ""
	}
	s.trail[level-1] = name
	clear(s.trail[level:])
}

// flush ends the section we are in.
func (s *splitter) flush() {
	text := strings.TrimSpace(s.text.String())
	p := s.base
	if s.link != "" {
		p.Link = s.link
	}
	if s.note != "" {
		p.Note, p.NoteEn = s.note, s.noteEn // the English of another note would be about another source
	}
	if pieces := cut(strings.Join(s.english, "\n")); len(pieces) > 0 {
		p.TextEn = pieces[0]
	}
	p.own = strings.Join(s.words, "\n")
	if text == "" {
		text = p.TextEn
	}
	s.text.Reset()
	s.link, s.note, s.noteEn, s.english, s.words = "", "", "", nil, nil

	var above []string
	for _, name := range s.trail {
		if name != "" && name != s.base.Title {
			above = append(above, name)
		}
	}
	p.Section = strings.Join(above, " / ")
	for _, piece := range cut(text) {
		p.Text = piece
		s.out = append(s.out, p)
	}
}

// cut parts a text into pieces of at most MaxPassage bytes: between paragraphs, else lines, else anywhere between
// characters. Blank pieces are left out.
func cut(text string) []string {
	var out []string
	for len(text) > MaxPassage {
		at := strings.LastIndex(text[:MaxPassage], "\n\n")
		if at <= 0 {
			at = strings.LastIndexByte(text[:MaxPassage], '\n')
		}
		if at <= 0 {
			for at = MaxPassage; !utf8.RuneStart(text[at]); at-- {
			}
		}
		if piece := strings.TrimSpace(text[:at]); piece != "" {
			out = append(out, piece)
		}
		text = strings.TrimSpace(text[at:])
	}
	if text != "" {
		out = append(out, text)
	}
	return out
}
