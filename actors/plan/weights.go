package plan

// The weights make the right ways of the development part of NesTools (right tools given) the likeliest: conditional logit with a
// Gaussian prior, first with the names as they are, then with names that say nothing. Both looks take the same weights. Made by
//
//	HMAP_LEARN=1 go test -run TestWeights -v ./actors/plan && gofmt -w actors/plan/weights.go
//
// which also tells what weights learned on one half of the rows do on the other. A new trait needs a line here, with any number.

var edgeWeights = [edgeTraits]pair{
	nameAlike:   {1.06, 0.20},
	nameMeant:   {1.15, 0.20},
	wordsMeant:  {1.72, 0.20},
	toldAlike:   {0.76, 1.75},
	gramsAlike:  {1.40, 2.39},
	namesTool:   {2.04, 0.00},
	ofTaker:     {-1.25, -0.46},
	outdone:     {0.84, 1.34},
	sameSort:    {1.10, 1.49},
	bothIDs:     {-0.23, -0.25},
	yesNo:       {1.06, 1.03},
	backward:    {-2.17, -2.49},
	apart:       {-0.13, 0.31},
	pointsField: {1.81, 1.73},
	pointsTool:  {1.59, 0.87},
	exampleTold: {-1.80, -2.13},
	converted:   {-2.04, -1.87},
	sameName:    {-0.06, 0.20},
	nameOrTold:  {2.63, 3.60},
	nameAndTold: {-0.31, -1.65},
	nearly:      {0.80, -0.15},
	mainResult:  {0.60, 0.21},
	onlyResult:  {0.44, 1.01},
	sameType:    {1.45, 1.72},
	toldMeant:   {0.63, 2.42},
	overtaken:   {-1.20, -1.29},
	elsewhere:   {-2.73, -2.71},
}

var ownWeights = [ownTraits]pair{
	always:      {2.94, 3.58},
	boundSure:   {1.00, 1.17},
	factHere:    {1.06, 0.89},
	exampleHere: {1.18, 1.62},
	wholeNumber: {0.56, 0.62},
	aList:       {-0.94, -0.81},
	trueFalse:   {-1.04, -1.02},
	aDay:        {1.21, 0.90},
	aPerson:     {0.30, 0.07},
	firstOne:    {-0.66, -0.04},
	lastOne:     {0.68, 0.03},
	manyOnes:    {2.10, 2.15},
	wordy:       {3.09, 2.47},
	askedBefore: {1.22, 1.00},
	toldBefore:  {0.63, 0.63},
	firstTool:   {0.52, 0.48},
	required:    {-0.18, -0.83},
}
