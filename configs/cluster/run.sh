#!/usr/bin/env bash
# Three NATS servers, three nodes and a gateway on this machine; Ctrl-C ends them all. `make cluster` runs it.
#
#   configs/cluster/run.sh [FOLDER]     HMAP=path of the program, default bin/hmap
#
# Everything is kept in FOLDER, default .cluster: passwords, streams, the shop. The next start goes on where this one ended.
set -euo pipefail
set -m # each process in a group of its own, so that Ctrl-C reaches only this script, which ends them in order
umask 077

here=$(cd "$(dirname "$0")" && pwd)
hmap=${HMAP:-bin/hmap}
[ -x "$hmap" ] || { echo "there is no program $hmap: make build, or name it with HMAP=" >&2; exit 1; }
hmap=$(realpath "$hmap")
for port in 14221 14222 14223 8090; do
  if (exec 3<> "/dev/tcp/127.0.0.1/$port") 2>/dev/null; then echo "port $port is in use: does a cluster run already?" >&2; exit 1; fi
done
mkdir -p "${1:-.cluster}"
cd "${1:-.cluster}"

secret() { [ -s "$1" ] || { printf s; od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; } > "$1"; cat "$1"; }
HMAP_PASSWORD=$(secret password)
HMAP_OPERATOR_PASSWORD=$(secret operator-password)
HMAP_ROUTE_PASSWORD=$(secret route-password)
routes='' urls=''
for i in 1 2 3; do
  routes="$routes,nats://route:$HMAP_ROUTE_PASSWORD@127.0.0.1:1622$i"
  urls="$urls,nats://hmap:$HMAP_PASSWORD@127.0.0.1:1422$i"
done
export HMAP_PASSWORD HMAP_OPERATOR_PASSWORD HMAP_ROUTE_PASSWORD HMAP_ROUTES="[${routes#,}]"
printf 'data: %s\nnats: {url: "%s"}\n' "$(pwd)" "${urls#,}" > hmap.yaml

servers=() ours=()
finish() {
  trap '' INT TERM
  kill "${ours[@]}" 2>/dev/null || true # nodes drain, clients of the gateway are told
  wait "${ours[@]}" 2>/dev/null || true
  kill "${servers[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
}
trap 'exit 130' INT TERM
trap finish EXIT

for i in 1 2 3; do "$hmap" nats -c "$here/n$i.conf" >> "n$i.log" 2>&1 & servers+=($!); done
for i in 1 2 3; do "$hmap" --config hmap.yaml node --name "node$i" & ours+=($!); done
"$hmap" --config hmap.yaml gateway --listen 127.0.0.1:8090 & ours+=($!)

echo "three servers, three nodes, a gateway; their log is in $(pwd)/n1.log and so on. In another terminal:"
echo "  $hmap --config $(pwd)/hmap.yaml ask '我有多少订单是王萍萍买的?'"
echo "Ctrl-C ends all."
wait
