// Package solver finds the cheapest plan that gives every tool wanted what it needs: a [Problem] of tools, needs and the options to fill them becomes
// an AND-OR hypergraph of whole numbers, which is searched backward from the goals (A*, bounded by dual ascent). At its bound it gives the best
// plan found until then. Ties fall the same way every time; of a card it reads the name and nothing else.
package solver
