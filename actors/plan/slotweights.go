package plan

// The weights make the right values of the development part of NesTools (right tools given) the likeliest, at the second look: conditional
// logit with a Gaussian prior. Made by
//
//	HMAP_LEARN=1 go test -run TestSlotWeights -v ./actors/plan && gofmt -w actors/plan/slotweights.go
//
// which also tells what weights learned on one half of the rows do on the other. A new trait needs a line here, with any number.

var spanWeights = [spanTraits]float64{
	spanKept:     0.85,
	spanHere:     2.57,
	spanQuoted:   0.98,
	spanProper:   0.36,
	spanNoDigits: -2.12,
	spanLong:     -1.05,
	beforeName:   1.50,
	beforeTold:   0.81,
	behindName:   1.41,
	behindTold:   1.27,
	insideName:   1.47,
	insideTold:   1.63,
	insideEqual:  0.96,
	insideLike:   1.80,
	isExample:    5.77,
	afterPrep:    1.46,
	otherPrep:    0.31,
	cutLeft:      0.15,
	cutRight:     0.11,
	cutBoth:      0.30,
	ofTool:       -2.01,
	inPlace:      1.08,
	factSuits:    0.51,
	properName:   -0.28,
	properPlace:  1.37,
	isFact:       1.24,
	isList:       3.15,
	manySide:     6.66,
	outdoneBy:    -2.71,
	twinHas:      1.87,
	partOfName:   -0.94,
	factOfName:   1.06,
	afterTo:      -1.23,
	afterAnd:     -2.14,
	unheard:      2.41,
	ofFraction:   0.69,
	aboveMean:    -0.45,
	belowTop:     3.04,
	noName:       -0.92,
	itsEnd:       1.15,
	wrongEnd:     -0.10,
}

var leaveWeights = [leaveTraits]float64{
	leaveAlways:   8.74,
	leaveRequired: -1.26,
	leaveKept:     0.06,
	leaveNumber:   -1.66,
	leaveList:     3.42,
	leaveID:       -1.46,
	leaveFed:      5.23,
	leaveMany:     -0.66,
	leaveSpoken:   0.51,
	leaveUnfed:    0.54,
}
