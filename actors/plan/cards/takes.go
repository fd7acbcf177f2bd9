package cards

import (
	"errors"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// OnlyOne drops a parameter whose place another one has taken: the less sure, and words before declared formats.
func (e *Entry) OnlyOne(out map[string]fields.Binding) {
	for i := range e.Params {
		f := &e.Params[i]
		b, ok := out[f.Name]
		if !ok || f.Required {
			continue
		}
		for _, o := range e.Instead(f) {
			if other, ok := out[o.Name]; ok && (other.Sure > b.Sure || other.Sure == b.Sure && f.Format == "" && len(f.Instead) > 0 && len(o.Instead) == 0) {
				delete(out, f.Name)
			}
		}
	}
}

// OneOf is the parameter to ask for when the card says that one of several is enough and none is known; else nil.
func (e *Entry) OneOf(known map[string]fields.Binding) *fields.Field {
	for i := range e.Params {
		f := &e.Params[i]
		if !f.OneOf || f.Required {
			continue
		}
		if _, ok := known[f.Name]; ok {
			continue
		}
		given := false
		for _, o := range e.Instead(f) {
			_, ok := known[o.Name]
			given = given || ok
		}
		if !given {
			return f
		}
	}
	return e.conditional(known)
}

// conditional is the parameter that the schema only asks for in view of the others, such as the reason of a refusal, also while what it always needs is
// still looked for; nil when nothing is missing.
func (e *Entry) conditional(known map[string]fields.Binding) *fields.Field {
	if e.Validator == nil || len(known) == 0 {
		return nil
	}
	args := map[string]any{}
	for name, b := range known {
		args[name] = b.Value
	}
	given, err := ReadArguments(fields.Arguments(args))
	if err != nil {
		return nil
	}
	var v *jsonschema.ValidationError
	if !errors.As(e.Validator.Validate(given), &v) {
		return nil
	}
	for _, leaf := range leaves(v, nil) {
		if lacks, ok := leaf.ErrorKind.(*kind.Required); ok && len(leaf.InstanceLocation) == 0 {
			for _, name := range lacks.Missing {
				if f := e.Param(name); f != nil && !f.Required && !f.OneOf {
					return f
				}
			}
		}
	}
	return nil
}

// Instead lists the parameters that f names as doing its job.
func (e *Entry) Instead(f *fields.Field) []*fields.Field {
	var out []*fields.Field
	for i := range e.Params {
		if o := &e.Params[i]; o.Name != f.Name && (slices.Contains(f.Instead, o.Name) || o.Title != "" && slices.Contains(f.Instead, o.Title)) {
			out = append(out, o)
		}
	}
	return out
}

// Patterned reports whether a parameter has a pattern that an id holds to.
func (e *Entry) Patterned(id string) bool {
	return slices.ContainsFunc(e.Params, func(f fields.Field) bool { return f.Sort == fields.ID && f.Pattern != nil && f.Pattern.MatchString(id) })
}

// OfFiles reports whether a tool that looks works on files of the session beside a question.
func (e *Entry) OfFiles() bool {
	return e.Reads() && !e.IsAgent() && slices.ContainsFunc(e.Params, func(f fields.Field) bool { return f.Name == "file" || f.Name == "files" })
}

// Knowledge reports whether the tool searches texts by a question.
func (e *Entry) Knowledge() bool {
	if e.IsAgent() || !e.Reads() || e.OfFiles() {
		return false
	}
	for _, f := range e.Params {
		if f.Sort == fields.Query && f.Required {
			return true
		}
	}
	return false
}

// Counts reports whether the tool says that it works figures out.
func (e *Entry) Counts() bool {
	return !e.IsAgent() && (e.Vocab["统计"] || e.Vocab["count"] || e.Vocab[words.Stem("statistics")])
}

// Assorts reports whether a tool or an agent knows goods and what they are sold for, and changes nothing.
func (e *Entry) Assorts() bool {
	has := func(ws ...string) bool {
		return slices.ContainsFunc(ws, func(w string) bool { return e.TagTerms[w] || e.TagTerms[words.Stem(w)] })
	}
	return (e.IsAgent() || e.Reads() && !e.Knowledge()) && has("商品", "product", "goods") && has("售价", "价格", "price")
}

// Qualifies reports whether a tool or an agent tells which papers somebody must have, and changes nothing.
func (e *Entry) Qualifies() bool {
	return (e.IsAgent() || e.Reads() && !e.Knowledge()) && slices.ContainsFunc([]string{"资质", "qualification", "执照"}, func(w string) bool { return e.TagTerms[w] || e.TagTerms[words.Stem(w)] })
}

// Governs reports whether an agent is at home in rules and policies.
func (e *Entry) Governs() bool {
	if !e.IsAgent() {
		return false
	}
	for _, w := range []string{"规则", "规定", "政策", "rule", "policy"} {
		if e.TagTerms[w] {
			return true
		}
	}
	return false
}

// Open reports whether the tool needs the id of a thing that is not known.
func (e *Entry) Open(bound map[string]fields.Binding) bool {
	return slices.ContainsFunc(e.Missing(bound), func(f *fields.Field) bool { return f.Sort == fields.ID })
}

// Missing are the parameters without which the tool cannot be called and that nothing said gives.
func (e *Entry) Missing(bound map[string]fields.Binding) []*fields.Field {
	var out []*fields.Field
	for _, f := range e.Required() {
		if _, ok := bound[f.Name]; !ok {
			out = append(out, f)
		}
	}
	if f := e.OneOf(bound); f != nil {
		out = append(out, f)
	}
	return out
}

// TakesOne is the parameter by which a tool is told the one thing that it changes; nil when it needs none by its id.
func (e *Entry) TakesOne() *fields.Field {
	for i := range e.Params {
		if f := &e.Params[i]; (f.Required || f.OneOf) && f.Sort == fields.ID && f.Pattern != nil && len(f.Needs) > 0 {
			return f
		}
	}
	return nil
}

// ReadsOneFile reports whether a tool needs the name of a file.
func (e *Entry) ReadsOneFile() bool {
	return slices.ContainsFunc(e.Params, func(f fields.Field) bool {
		return f.Required && slices.ContainsFunc(f.Examples, func(s string) bool { return facts.FileName.MatchString(" " + s) })
	})
}

// Replaces reports whether a card takes a passage and what takes its place.
func (e *Entry) Replaces() bool {
	takes := func(s fields.Side) bool {
		return slices.ContainsFunc(e.Params, func(f fields.Field) bool { return f.Side == s })
	}
	return takes(fields.SideOld) && takes(fields.SideNew)
}
