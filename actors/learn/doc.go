// Package learn folds the log into what is worth knowing for the next plan: how often each agent and tool was called, failed, took how long and
// cost how much, and which field of one tool's observation was good as which parameter of another.
//
// [Lessons] is the fold: counts, and names of tools, parameters and fields, but no value that anybody said or looked up. It only says what the log says, so it is
// kept as a cache and made again when it is lost. Old days count less: every [HalfLife] of the log's own time halves what was before. It
// changes what is planned next and nothing else; what was thought is a record, and a replay reads that.
package learn
