package plan

// Knowing is the index with other evidence, and the same in everything else: it costs nothing, while [NewIndex] reads all cards.
func (x *Index) Knowing(e *Evidence) *Index {
	y := *x
	y.options.Evidence = e
	return &y
}
