package plan

// The weights make the right ways of the development part of NesTools (right tools given) the likeliest: conditional logit with a
// Gaussian prior of width 1, first with the names as they are, then with names that say nothing. Made by
//
//	HMAP_LEARN=1 go test -run TestWeights -v ./actors/plan && gofmt -w actors/plan/weights.go
//
// which also tells what weights learned on one half of the rows do on the other. A new trait needs a line here, with any number.

var edgeWeights = [edgeTraits]pair{
	nameAlike:   {1.28, 0.34},
	nameMeant:   {1.13, 0.34},
	wordsMeant:  {1.13, 0.34},
	toldAlike:   {1.19, 2.52},
	gramsAlike:  {1.26, 2.04},
	namesTool:   {1.65, 0.00},
	ofTaker:     {-0.95, -0.41},
	outdone:     {1.62, 2.08},
	sameSort:    {1.30, 1.60},
	bothIDs:     {-0.35, -0.11},
	yesNo:       {0.77, 0.72},
	backward:    {-1.18, -1.38},
	apart:       {-0.24, -0.27},
	pointsField: {1.19, 1.28},
	pointsTool:  {0.89, 0.74},
	exampleTold: {-1.05, -1.22},
	converted:   {-2.41, -2.49},
	sameName:    {0.28, 0.34},
	nameOrTold:  {1.77, 2.87},
	nameAndTold: {0.51, -0.78},
	nearly:      {1.09, 1.15},
	mainResult:  {0.56, 0.36},
}

var ownWeights = [ownTraits]pair{
	always:      {1.66, 1.61},
	boundSure:   {0.87, 0.83},
	factHere:    {0.97, 0.91},
	exampleHere: {0.95, 1.31},
	wholeNumber: {0.60, 0.77},
	aList:       {-0.72, -1.00},
	trueFalse:   {-0.75, -0.72},
	aDay:        {0.96, 0.57},
	aPerson:     {0.28, 0.05},
	firstOne:    {-0.78, -0.03},
	lastOne:     {0.81, 0.06},
	manyOnes:    {2.07, 2.10},
	wordy:       {1.84, 1.68},
	askedBefore: {0.80, 0.69},
	toldBefore:  {0.76, 0.70},
	firstTool:   {0.72, 0.54},
	required:    {0.57, -0.16},
}
