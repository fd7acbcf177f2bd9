// Package fields reads JSON Schemas as people write them: a [Field] is one property of a tool's parameters or results with its sort, its allowed and
// known values, and the rules that its description tells instead of the schema. It says which facts may be a field's value ([Suits]), and holds
// what has been bound to one ([Binding]).
package fields
