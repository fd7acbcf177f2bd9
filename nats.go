package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/nats-io/nats-server/v2/server"
)

type natsCmd struct {
	Args []string `arg:"" optional:"" help:"Options of nats-server."`
}

const natsUsage = `Usage: hmap nats [options]

A nats-server inside hmap, with the options, files and signals of nats-server's own command:

  -c, --config FILE          configuration file
  -a, --addr HOST            address to listen on (default 0.0.0.0)
  -p, --port PORT            port for clients (default 4222)
  -n, --name NAME            name of the server, its own in a cluster
  -m, --http_port PORT       port for monitoring
  -js, --jetstream           JetStream, which hmap needs
  -sd, --store_dir DIR       where JetStream keeps its streams
      --user, --pass, --auth what clients must say
      --tls, --tlscert, --tlskey, --tlscacert, --tlsverify
      --cluster URL          listen for the routes of a cluster; --cluster_name NAME, --routes URLS
  -t                         only check the configuration file
  -sl, --signal NAME[=PID]   tell a running server: stop, quit, term, ldm (drain), reopen, reload
  -D, -V                     log more
  -l, --log FILE, -P, --pid FILE
  -v, --version

configs/cluster has files for a cluster of three. All about them: https://docs.nats.io/running-a-nats-service/configuration
`

// Run is nats-server's own command: the same options, the same signals, the same end.
func (c *natsCmd) Run(a *app) error {
	set := flag.NewFlagSet("hmap nats", flag.ExitOnError)
	usage := func() { fmt.Print(natsUsage) }
	set.Usage = usage
	opts, err := server.ConfigureOptions(set, c.Args, server.PrintServerAndExit, func() { usage(); os.Exit(0) }, server.PrintTLSHelpAndDie)
	if err != nil {
		return err
	}
	if opts.CheckConfig {
		fmt.Fprintf(os.Stderr, "%s is valid (%s)\n", opts.ConfigFile, opts.ConfigDigest())
		return nil
	}
	server.RedactArgs(os.Args)
	s, err := server.NewServer(opts)
	if err != nil {
		return err
	}
	s.ConfigureLogger()
	if err := server.Run(s); err != nil {
		return err
	}
	s.WaitForShutdown()
	return nil
}
