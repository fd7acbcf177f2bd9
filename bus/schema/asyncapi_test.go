package schema

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/hmap-project/hmap/bus"
)

// asyncapi is the document and, by its relative name, every file it refers to.
func asyncapi(t *testing.T) (document object, files map[string]any) {
	t.Helper()
	raw, err := os.ReadFile("../asyncapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	files = map[string]any{"": document}
	for name, doc := range documents(t) {
		files["schema/"+name] = doc
	}
	return document, files
}

// each calls f with every $ref below v and where it stands.
func each(at string, v any, f func(at, ref string)) {
	switch v := v.(type) {
	case object:
		if ref, ok := v["$ref"].(string); ok {
			f(at, ref)
		}
		for k, inner := range v {
			each(at+"/"+k, inner, f)
		}
	case []any:
		for _, inner := range v {
			each(at, inner, f)
		}
	}
}

func TestAsyncAPIRefsLeadSomewhere(t *testing.T) {
	document, files := asyncapi(t)
	pointed := map[string]bool{}
	each("", document, func(at, ref string) {
		file, pointer, _ := strings.Cut(ref, "#")
		if files[file] == nil || point(files[file], pointer) == nil {
			t.Errorf("%s: %s leads nowhere", at, ref)
		}
		pointed[ref] = true
	})
	for _, name := range Names() {
		if !pointed["schema/"+name+".json"] {
			t.Errorf("no message has the schema %s", name)
		}
	}
	for _, kind := range []string{"messages", "parameters", "schemas", "securitySchemes"} {
		for name := range document["components"].(object)[kind].(object) {
			if ref := "#/components/" + kind + "/" + name; !pointed[ref] {
				t.Errorf("nobody uses %s", ref)
			}
		}
	}
	for name := range document["channels"].(object) {
		if !pointed["#/channels/"+name] {
			t.Errorf("no operation uses the channel %s", name)
		}
	}
}

func TestAsyncAPIAddressesAreTheSubjects(t *testing.T) {
	document, _ := asyncapi(t)
	var addresses []string
	for name, c := range document["channels"].(object) {
		channel := c.(object)
		address, ok := channel["address"].(string)
		if !ok && channel["address"] != nil {
			t.Errorf("channel %s: address %v", name, channel["address"])
		}
		if strings.HasPrefix(address, "hmap.") {
			addresses = append(addresses, address)
		}
		var in []string
		for _, m := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(address, -1) {
			in = append(in, m[1])
		}
		parameters, _ := channel["parameters"].(object)
		declared := slices.Sorted(maps.Keys(parameters))
		if slices.Sort(in); !slices.Equal(in, declared) {
			t.Errorf("channel %s has parameters %v in its address and declares %v", name, in, declared)
		}
	}
	want := slices.Sorted(maps.Values(subjects(t)))
	if slices.Sort(addresses); !slices.Equal(addresses, want) {
		t.Errorf("channels %v\nsubjects %v", addresses, want)
	}
	for channel, bucket := range map[string]string{"nodes": bus.NodesBucket, "open": bus.OpenBucket, "sessions": bus.SessionsBucket,
		"lessons": bus.CacheBucket, "vectors": bus.CacheBucket} {
		if address := point(document, "/channels/"+channel+"/address"); !strings.HasPrefix(address.(string), "$KV."+bucket+".") {
			t.Errorf("channel %s has address %v, the bucket is %s", channel, address, bucket)
		}
	}
}

func TestAsyncAPIOperations(t *testing.T) {
	document, _ := asyncapi(t)
	if v, _ := document["asyncapi"].(string); !strings.HasPrefix(v, "3.") {
		t.Errorf("asyncapi: %v", document["asyncapi"])
	}
	both := map[string][]string{}
	for name, o := range document["operations"].(object) {
		op := o.(object)
		action, _ := op["action"].(string)
		if action != "send" && action != "receive" {
			t.Errorf("operation %s: action %q", name, action)
		}
		channel := point(op, "/channel/$ref").(string)
		both[channel] = append(both[channel], action)
		for _, part := range []any{op, op["reply"]} {
			if part == nil {
				continue
			}
			of := point(part, "/channel/$ref").(string) + "/messages/"
			each("", part.(object)["messages"], func(_, ref string) {
				if !strings.HasPrefix(ref, of) {
					t.Errorf("operation %s: message %s is not of its channel", name, ref)
				}
			})
		}
	}
	if queue := point(document, "/operations/serve/bindings/nats/queue"); queue != "hmap" {
		t.Errorf("who serves a name shares the queue %v", queue)
	}
	if method := point(document, "/channels/window/bindings/ws/method"); method != "GET" {
		t.Errorf("a WebSocket opens with %v", method)
	}
	for _, channel := range []string{"call", "log", "input", "live", "announce", "cancel", "lessons", "vectors", "window"} {
		if got := both["#/channels/"+channel]; !slices.Contains(got, "send") || !slices.Contains(got, "receive") {
			t.Errorf("channel %s has only %v", channel, got)
		}
	}
}
