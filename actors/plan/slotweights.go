package plan

// The weights make the right values of the development part of NesTools (right tools given) the likeliest, at the second look: conditional
// logit with a Gaussian prior. Made by
//
//	HMAP_LEARN=1 go test -run TestSlotWeights -v ./actors/plan && gofmt -w actors/plan/slotweights.go
//
// which also tells what weights learned on one half of the rows do on the other. A new trait needs a line here, with any number.

var spanWeights = [spanTraits]float64{
	spanKept:     0.82,
	spanHere:     2.58,
	spanQuoted:   0.97,
	spanProper:   0.38,
	spanNoDigits: -2.21,
	spanLong:     -1.07,
	beforeName:   1.51,
	beforeTold:   0.84,
	behindName:   0.23,
	behindTold:   1.09,
	insideName:   1.42,
	insideTold:   1.57,
	insideEqual:  1.13,
	insideLike:   1.67,
	isExample:    5.79,
	afterPrep:    1.46,
	otherPrep:    0.32,
	cutLeft:      0.13,
	cutRight:     0.23,
	cutBoth:      0.30,
	ofTool:       -1.93,
	inPlace:      1.05,
	factSuits:    0.47,
	properName:   -0.23,
	properPlace:  1.28,
	isFact:       1.21,
	isList:       3.14,
	manySide:     6.59,
	outdoneBy:    -2.75,
	twinHas:      1.77,
	partOfName:   -0.96,
	factOfName:   1.06,
	afterTo:      -1.15,
	afterAnd:     -2.14,
	unheard:      2.46,
	ofFraction:   0.65,
	aboveMean:    -0.39,
	belowTop:     2.95,
	noName:       -1.24,
	noPlace:      -0.74,
	itsName:      1.73,
	itsEnd:       1.16,
	wrongEnd:     -0.04,
}

var leaveWeights = [leaveTraits]float64{
	leaveAlways:   8.80,
	leaveRequired: -1.29,
	leaveKept:     0.04,
	leaveNumber:   -1.77,
	leaveList:     3.38,
	leaveID:       -1.48,
	leaveFed:      5.26,
	leaveMany:     -0.73,
	leaveSpoken:   0.61,
	leaveUnfed:    0.56,
}
