package plan

// The weights make the right ways of the development part of NesTools (right tools given) the likeliest: conditional logit with a
// Gaussian prior, first with the names as they are, then with names that say nothing. Both looks take the same weights. Made by
//
//	HMAP_LEARN=1 go test -run TestWeights -v ./actors/plan && gofmt -w actors/plan/weights.go
//
// which also tells what weights learned on one half of the rows do on the other. A new trait needs a line here, with any number.

var edgeWeights = [edgeTraits]pair{
	nameAlike:   {0.45, 0.17},
	nameMeant:   {1.39, 0.17},
	wordsMeant:  {1.51, 0.17},
	toldAlike:   {0.87, 1.46},
	gramsAlike:  {1.43, 1.80},
	namesTool:   {2.06, 0.00},
	ofTaker:     {-0.87, -0.31},
	outdone:     {0.91, 1.72},
	sameSort:    {1.17, 1.39},
	bothIDs:     {-0.24, -0.08},
	yesNo:       {1.00, 0.66},
	backward:    {-2.58, -2.82},
	apart:       {-0.72, -0.04},
	pointsField: {2.00, 2.45},
	pointsTool:  {1.55, 1.40},
	exampleTold: {-1.82, -2.07},
	converted:   {-1.79, -1.89},
	sameName:    {-0.19, 0.17},
	nameOrTold:  {2.41, 3.60},
	nameAndTold: {-0.46, -1.97},
	nearly:      {0.36, -0.81},
	mainResult:  {0.50, 0.20},
	onlyResult:  {0.56, 0.88},
	sameType:    {1.57, 1.63},
	toldMeant:   {0.72, 2.76},
	overtaken:   {-1.09, -1.59},
	elsewhere:   {-2.95, -2.80},
	twinTakes:   {0.52, 1.52},
}

var ownWeights = [ownTraits]pair{
	always:      {2.22, 3.14},
	boundSure:   {0.24, 0.18},
	factHere:    {0.72, 0.44},
	exampleHere: {1.14, 1.65},
	wholeNumber: {0.49, 0.55},
	aList:       {-0.78, -0.94},
	trueFalse:   {-0.99, -0.66},
	aDay:        {1.10, 0.74},
	aPerson:     {0.18, 0.01},
	firstOne:    {-0.69, -0.10},
	lastOne:     {0.71, -0.04},
	manyOnes:    {2.07, 1.83},
	wordy:       {3.02, 2.62},
	askedBefore: {0.20, -0.47},
	toldBefore:  {0.36, 0.75},
	firstTool:   {0.37, -0.27},
	required:    {-0.17, -0.81},
	twinTold:    {2.33, 2.80},
	boundHere:   {1.43, 2.07},
	spokenOf:    {0.80, 0.59},
}
