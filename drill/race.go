//go:build race

package drill

// alarmed is what a program of this build can be seen to do: the race detector is in it.
const alarmed = "races or panics"
