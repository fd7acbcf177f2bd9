package script

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"
)

// The bundles are what `make bundles` makes of src: nobody has touched one, and nobody has changed a source or a version without making them anew.
func TestBundlesAreMade(t *testing.T) {
	var made map[string]struct {
		SHA256, Source string
		Packages       []struct{ Name, Version, License string }
	}
	read := func(name string) []byte {
		t.Helper()
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	if err := json.Unmarshal(read("bundles/made.json"), &made); err != nil {
		t.Fatal(err)
	}
	var wanted struct{ DevDependencies map[string]string }
	if err := json.Unmarshal(read("src/package.json"), &wanted); err != nil {
		t.Fatal(err)
	}
	hash := func(body []byte) string {
		sum := sha256.Sum256(body)
		return hex.EncodeToString(sum[:])
	}
	bundled := map[string]string{"esbuild": wanted.DevDependencies["esbuild"]} // it makes them, and is in none
	for name, m := range made {
		if hash(read("bundles/"+name+".js")) != m.SHA256 || hash(read("src/"+name+".js")) != m.Source {
			t.Errorf("bundle %s is not what src makes: run make bundles", name)
		}
		for _, p := range m.Packages {
			bundled[p.Name] = p.Version
			if p.License == "" {
				t.Errorf("%s: no licence", p.Name)
			}
		}
	}
	if len(made) != 3 {
		t.Errorf("%d bundles", len(made))
	}
	for name, version := range wanted.DevDependencies {
		if bundled[name] != version {
			t.Errorf("%s: bundled %q, wanted %q: run make bundles", name, bundled[name], version)
		}
	}
}
