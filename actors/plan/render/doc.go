// Package render words the results of tools as Markdown: by the shape of the value and the names that the schema gives, with passages quoted
// and lists as tables. It says nothing that the value does not.
package render
