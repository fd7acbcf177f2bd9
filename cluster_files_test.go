package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/nats-io/nats-server/v2/server"

	"github.com/hmap-project/hmap/configs"
)

// The files of configs/cluster are what their programs take, and leave a node the time that it is given to end.
func TestClusterFiles(t *testing.T) {
	t.Setenv("HMAP_PASSWORD", "s1")
	t.Setenv("HMAP_OPERATOR_PASSWORD", "s3")
	t.Setenv("HMAP_ROUTE_PASSWORD", "s2")
	t.Setenv("HMAP_ROUTES", "[nats://route:s2@127.0.0.1:16221, nats://route:s2@127.0.0.1:16222, nats://route:s2@127.0.0.1:16223]")
	c, err := configs.Load("")
	if err != nil {
		t.Fatal(err)
	}
	enough := 2*c.Limits.Drain + 5*time.Second
	dir := filepath.Join("configs", "cluster")
	ports := map[int]string{}
	for i := 1; i <= 3; i++ {
		name := filepath.Join(dir, fmt.Sprintf("n%d.conf", i))
		o, err := server.ProcessConfigFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !o.JetStream || o.StoreDir == "" || !o.SyncAlways || len(o.Routes) != 3 || o.Cluster.Username == "" || o.Routes[0].User == nil || len(o.Users) == 0 {
			t.Errorf("%s: JetStream %v in %q, synced %v, routes %v, cluster user %q, %d users", name, o.JetStream, o.StoreDir, o.SyncAlways, o.Routes, o.Cluster.Username, len(o.Users))
		}
		for _, port := range []int{o.Port, o.Cluster.Port} {
			if ports[port] != "" {
				t.Errorf("%s and %s share port %d", name, ports[port], port)
			}
			ports[port] = name
		}
	}
	manifests := 0
	for _, name := range []string{"nats-values.yaml", "hmap.yaml"} {
		text, err := os.ReadFile(filepath.Join(dir, "kubernetes", name))
		if err != nil {
			t.Fatal(err)
		}
		for d := yaml.NewDecoder(bytes.NewReader(text)); ; manifests++ {
			var m struct {
				Kind     string
				Metadata struct{ Name string }
				Spec     struct {
					Template struct {
						Spec struct {
							TerminationGracePeriodSeconds int `yaml:"terminationGracePeriodSeconds"`
							Containers                    []struct{ Args []string }
						}
					}
				}
			}
			if err := d.Decode(&m); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			pod := m.Spec.Template.Spec
			for _, c := range pod.Containers {
				if grace := time.Duration(pod.TerminationGracePeriodSeconds) * time.Second; strings.Contains(strings.Join(c.Args, " "), " node ") && grace < enough {
					t.Errorf("%s: %s has %v to end, a node needs %v", name, m.Metadata.Name, grace, enough)
				}
			}
		}
	}
	if manifests < 8 {
		t.Errorf("only %d documents of YAML were read", manifests)
	}
	units, err := filepath.Glob(filepath.Join(dir, "systemd", "*.service"))
	if err != nil || len(units) != 3 {
		t.Fatal(units, err)
	}
	verify := []string{"verify"}
	for _, name := range units {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`(?m)^TimeoutStopSec=(\d+)$`).FindSubmatch(text)
		if m == nil {
			t.Fatalf("%s has no TimeoutStopSec", name)
		}
		if stop, err := time.ParseDuration(string(m[1]) + "s"); err != nil || strings.Contains(name, "node") && stop < enough {
			t.Errorf("%s has %v to end, a node needs %v", name, stop, enough)
		}
		// The program is not installed here, and a template is verified as one of its units.
		text = bytes.ReplaceAll(text, []byte("/usr/local/bin/hmap"), []byte(os.Args[0]))
		to := filepath.Join(t.TempDir(), strings.ReplaceAll(filepath.Base(name), "@.", "@1."))
		if err := os.WriteFile(to, text, 0o600); err != nil {
			t.Fatal(err)
		}
		verify = append(verify, to)
	}
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Log("no systemd-analyze here: the units were only read")
		return
	}
	if out, err := exec.Command("systemd-analyze", verify...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
