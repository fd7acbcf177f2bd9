// Package wishes reads what a text wants: it cuts a text into clauses that each want one thing ([Splitter]), tells questions from changes and
// what is refused or only reported from what is wished ([OwnWish]), which figure is asked for ([ReadReckoning]), how a number limits one
// ([LimitIn]), and what remains when all of that is taken away ([Residues]). It knows the verbs of both languages, and no tool.
package wishes
