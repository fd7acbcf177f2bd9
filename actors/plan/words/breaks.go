package words

var (
	// HardBreak and SoftBreak part clauses; at a soft one both sides must want something of their own.
	HardBreak = MustCompile(`[。；;！!\n]+|[?？]+|\.\s+`)
	// SoftBreak parts clauses where both sides want something of their own.
	SoftBreak = MustCompile(`(?i)[，,]?\s*(?:并且|并|然后再|然后|接着|之后再|随后|同时|另外|此外|还有|顺便|以及|最后|and then|then|and also|also|and finally|finally|after that|afterwards|additionally|furthermore|moreover|in addition|next|subsequently|lastly)[，,]?\s*|[，,]\s*(?:and\s+|再|也|又)?|\s+and\s+`)
)

// EndMarks end a sentence in either language.
const EndMarks = "。；;. "
