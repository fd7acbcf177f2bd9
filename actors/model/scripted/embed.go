package scripted

import (
	"encoding/json"
	"hash/fnv"
	"math"
	"net/http"
	"strings"
)

const dimensions = 64

func embeddings(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model string          `json:"model"`
		Input json.RawMessage `json:"input"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<20)).Decode(&in); err != nil {
		refuse(w, Step{Status: http.StatusBadRequest, Message: "body: " + err.Error()})
		return
	}
	var texts []string
	if json.Unmarshal(in.Input, &texts) != nil {
		var one string
		if err := json.Unmarshal(in.Input, &one); err != nil {
			refuse(w, Step{Status: http.StatusBadRequest, Message: "input: " + err.Error()})
			return
		}
		texts = []string{one}
	}
	data := []object{}
	for i, text := range texts {
		data = append(data, object{"object": "embedding", "index": i, "embedding": vector(text)})
	}
	writeJSON(w, http.StatusOK, object{"object": "list", "model": in.Model, "data": data, "usage": object{"prompt_tokens": len(texts), "total_tokens": len(texts)}})
}

// vector hashes single characters and pairs into a fixed number of places and scales to length 1, so that texts that share
// characters lie close. The same text always has the same vector.
func vector(text string) []float64 {
	v := make([]float64, dimensions)
	runes := []rune(strings.ToLower(text))
	for i := range runes {
		for n := 1; n <= 2 && i+n <= len(runes); n++ {
			h := fnv.New32a()
			_, _ = h.Write([]byte(string(runes[i : i+n])))
			v[h.Sum32()%dimensions]++
		}
	}
	var sum float64
	for _, x := range v {
		sum += x * x
	}
	if sum == 0 {
		v[0] = 1
		return v
	}
	for i := range v {
		v[i] /= math.Sqrt(sum)
	}
	return v
}
