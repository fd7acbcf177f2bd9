// Package words knows the two languages of the house as text: how a text falls into Latin words and runs of Chinese signs, stems and
// pairs of signs, words that carry grammar and no topic, numbers in words, signs that are read alike, slips of the fingers, and nouns for one
// thing. It knows nothing of requests, tools or cards.
//
// Everything here is pure and safe from many goroutines; tables and patterns are never written after the program has started.
package words
