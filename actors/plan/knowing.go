package plan

// Knowing is the index with other evidence, and the same in everything else: it costs nothing, while [NewIndex] reads all cards.
func (x *Index) Knowing(e *Evidence) *Index {
	y := *x
	y.options.Evidence = e
	if x.behind != nil {
		b := *x.behind
		b.index = b.index.Knowing(e)
		y.behind = &b
	}
	return &y
}
