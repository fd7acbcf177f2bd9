package drill

// The files of the drill's cluster.

// natsFile wants the name, port, monitoring port, folder, cluster port and routes. Addresses are not advertised, or clients would find
// their way round the proxies; nor is that of the routes, in whose place stands one where nobody is.
const natsFile = `server_name: %s
listen: 127.0.0.1:%s
http: 127.0.0.1:%s
jetstream: {store_dir: %q, sync_interval: always}
cluster: {name: drill, listen: 127.0.0.1:%s, routes: [%s], no_advertise: true, advertise: "127.0.0.1:1"}
`

// configFile wants the bound of the queue, the lease, the address of the model and the folder of agents. The planner
// keeps out, for the audit knows only what the scripts want.
const configFile = `limits: {tasks: 24, calls: 64, queue: %d, lease: %s, ask_ttl: 20s}
models:
  default: {base_url: "http://%s/v1", key_env: HMAP_DRILL_KEY, name: drill, timeout: 4s}
mind: {planner: off}
agents: %q
`

// agentFiles are the drill's team. The budget of 40 seconds ends every task, whatever happens, so that the end of a drill can be waited for.
var agentFiles = map[string]string{
	"master.yaml": `name: master
title: {zh: 演练, en: Drill}
description: Hands the jobs of a drill to the agents of the drill.
entry: true
prompt: master
agents: [drill_left, drill_right]
budget: {rounds: 40, seconds: 40, depth: 3}
`,
	"drill_left.yaml": `name: drill_left
title: {zh: 左, en: Left}
description: Does jobs of the drill.
prompt: domain
tools: [drill_look, drill_put, drill_fire, drill_sign]
mode: react
budget: {rounds: 24, seconds: 40}
`,
	"drill_right.yaml": `name: drill_right
title: {zh: 右, en: Right}
description: Does jobs of the drill.
prompt: domain
tools: [drill_look, drill_put, drill_fire, drill_sign]
mode: react
budget: {rounds: 24, seconds: 40}
`,
}
