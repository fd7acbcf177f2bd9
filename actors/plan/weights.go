package plan

// The weights of the traits are the maximum of the likelihood of the right ways in the development part of NesTools with the right
// tools given, with a Gaussian prior of unit width. HMAP_LEARN=1 go test -run TestWeights ./actors/plan writes them anew and tells
// what weights learned on one half do on the other; gofmt -w actors/plan/weights.go aligns them.

var edgeWeights = [edgeTraits]float64{
	nameAlike:   3.52,
	toldAlike:   2.39,
	gramsAlike:  2.37,
	namesTool:   1.93,
	ofTaker:     -0.80,
	outdone:     1.91,
	sameSort:    1.50,
	bothIDs:     -0.28,
	yesNo:       0.84,
	backward:    -1.44,
	apart:       -0.36,
	pointsField: 1.27,
	pointsTool:  0.85,
	exampleTold: -1.04,
	converted:   -2.50,
}

var ownWeights = [ownTraits]float64{
	always:      1.64,
	boundSure:   1.27,
	factHere:    0.96,
	exampleHere: 1.01,
	wholeNumber: 0.47,
	aList:       -1.11,
	trueFalse:   -0.83,
	aDay:        0.95,
	aPerson:     0.27,
	firstOne:    -0.70,
	lastOne:     0.69,
	manyOnes:    2.00,
	wordy:       1.74,
}
