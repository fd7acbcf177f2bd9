package bus

// Files keeps artifacts by reference, so that messages stay small.
type Files struct{}
