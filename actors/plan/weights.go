package plan

// The weights make the right ways of the development part of NesTools (right tools given) the likeliest: conditional logit with a
// Gaussian prior of width 1, first with the names as they are, then with names that say nothing. Made by
//
//	HMAP_LEARN=1 go test -run TestWeights -v ./actors/plan && gofmt -w actors/plan/weights.go
//
// which also tells what weights learned on one half of the rows do on the other. A new trait needs a line here, with any number.

var edgeWeights = [edgeTraits]pair{
	nameAlike:   {2.09, 0.58},
	toldAlike:   {1.22, 2.52},
	gramsAlike:  {1.45, 2.00},
	namesTool:   {1.78, 0.00},
	ofTaker:     {-0.87, -0.33},
	outdone:     {1.56, 2.03},
	sameSort:    {1.48, 1.61},
	bothIDs:     {-0.40, -0.16},
	yesNo:       {0.72, 0.70},
	backward:    {-1.22, -1.22},
	apart:       {-0.17, 0.11},
	pointsField: {1.22, 1.27},
	pointsTool:  {0.90, 0.98},
	exampleTold: {-1.07, -1.21},
	converted:   {-2.39, -2.56},
	sameName:    {0.36, 0.58},
	nameOrTold:  {2.11, 2.86},
	nameAndTold: {0.81, -0.51},
	nearly:      {1.12, 1.21},
	mainResult:  {0.62, 0.34},
}

var ownWeights = [ownTraits]pair{
	always:      {1.49, 1.65},
	boundSure:   {0.90, 0.90},
	factHere:    {1.02, 0.95},
	exampleHere: {0.96, 1.35},
	wholeNumber: {0.54, 0.70},
	aList:       {-0.96, -1.09},
	trueFalse:   {-0.70, -0.70},
	aDay:        {0.92, 0.55},
	aPerson:     {0.29, 0.06},
	firstOne:    {-0.85, -0.04},
	lastOne:     {0.72, 0.04},
	manyOnes:    {1.95, 2.14},
	wordy:       {1.66, 1.70},
	askedBefore: {1.02, 0.77},
	toldBefore:  {0.78, 0.66},
	firstTool:   {0.65, 0.46},
	required:    {0.47, -0.20},
}
