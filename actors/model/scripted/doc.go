// Package scripted is a model server that follows a script: an OpenAI-compatible HTTP endpoint on 127.0.0.1 that answers each
// chat request with the next [Step], well or as badly as real endpoints do. Only the model is scripted in this house; what
// stands between it and the test is real HTTP.
//
//	s := scripted.New(t,
//		scripted.TooMany("1"),                                          // 429, Retry-After: 1
//		scripted.Calls(scripted.Call{Name: "orders", Arguments: `{"who":"王萍萍"}`}),
//		scripted.Text("王萍萍买了 3 单"),
//	)
//	client, err := model.New(model.Options{BaseURL: s.URL, Model: "m"})
//
// It serves /v1/chat/completions (streamed when the request asks for it), /v1/embeddings (vectors of hashed character pairs:
// like texts lie close) and /v1/models. Any number of requests may come at once; steps are handed out in order of arrival. A
// child process can use it by its URL.
package scripted
