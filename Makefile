# Everything a fresh machine with Go needs: `make run` and `make test`.
.DEFAULT_GOAL := help
E2E := gateway/web/e2e
MCP := tools/mcp/testdata/servers
CHROMIUM ?= $(or $(HMAP_CHROMIUM),$(shell command -v chromium || command -v chromium-browser || command -v google-chrome))
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)

.PHONY: help run cluster build test check lint fuzz always bench bench-peers drill browser servers bundles fmt clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

run: ## start everything: bus, agents, tools, page
	go run .

build: ## build the one binary into bin/
	go build -trimpath -o bin/hmap .

cluster: build ## three NATS servers, three nodes and a gateway on this machine; Ctrl-C ends them
	configs/cluster/run.sh .cluster

# unraced: SQLite is C that was translated to Go, goja runs one program at a time, and regexp, strings and unicode are the library's, which read what nobody can change. With the race detector in SQLite and
# regexp filling the shop takes 16 s of a processor instead of 3, and the planner's longest test 32 s instead of 5; in the other two, the planner's tests take a quarter
# more, and with it in goja the tests of documents 52 s of a processor instead of 31. What calls them keeps the detector.
# Tried and left: nats-server. It meets encoding/json's sync.Once by an atomic that the detector does not see then, and thousands of races are reported that are none;
# bleve and jsonschema the same, where they are the first to encode a type (a raced start would take 0.9 s of a processor instead of 1.3).
unraced := $(foreach of,modernc.org/... github.com/dop251/goja/... regexp strings unicode/...,-gcflags='$(of)=-race=false')
# So does the planner's reading of words, whose automata take an atomic load for each sign: its tests take 2 min 13 s with the detector in it, and 1 min 18 s
# without. It is the one package of ours that shares what it learns with nobody else's code; its own tests, which use it from many goroutines, keep the detector.
words := ./actors/plan/words
unraced_words := -gcflags='$(words:./%=github.com/hmap-project/hmap/%)=-race=false'
# inmemory: the folders of tests lie in memory, where programs may run there, 4 GiB are free, and TMPDIR does not say otherwise: much of what tests wait for is
# that the disk has what they write and soon throw away (actors' tests of a model in trouble: 9.3 s on a disk, 5.3 s so, and a third of the processor).
inmemory := $(shell at=$$(mktemp /dev/shm/hmap.XXXXXX 2>/dev/null) && [ -z "$$TMPDIR" ] && [ $$(df -Pk /dev/shm | awk 'END {print $$4}') -gt 4194304 ] && \
  cp "$$(command -v env)" $$at && chmod +x $$at && $$at true && echo TMPDIR=/dev/shm GOTMPDIR=/tmp; rm -f "$$at")
# GOGC: what tests start lives for seconds on a machine with room, and a collection in a raced program is dear: a tenth to a third less of a processor (actors 38 s,
# now 32 s; a rolling restart 21 s, now 17 s), for up to half as much again of memory. Tests that measure memory collect first, or count what was allocated.
# -vet=off: the line before has vetted all of it.
# -parallel: most tests wait for other processes, leases and servers, so that four at a time keep two cores no busier than two, and half as long.
light := GOGC=$(or $(GOGC),400)
test: browser servers ## run all tests with real parts and the race detector
	go vet ./...
	$(light) go test -race -vet=off $(unraced) $(words)
	$(inmemory) $(light) go test -race -vet=off $(unraced) $(unraced_words) -parallel 4 -timeout 15m ./...

check: test lint ## tests, linters, and a short fuzzing of every parser
	$(MAKE) fuzz FUZZTIME=10s

lint: ## golangci-lint, pinned
	go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run ./...

FUZZTIME ?= 30s
# fuzz_clock: up to Go 1.26 the end of -fuzztime may itself be reported as a failure (golang/go#75804). That alone, with no
# failing input, fails nothing here. -test.fuzzminimizetime: by default the first new input is made smaller for up to a minute, which for long ones
# was all the time there is: 3 inputs tried in 9 s, 23,700 so (FuzzAbridged).
# Two packages at a time: a parser that is fuzzed keeps two cores half busy (2.3 s of a processor in 2 s), and none gets less time. They are linked without what
# a debugger reads (1.4 s of a processor instead of 2.4 s for each package).
fuzz: ## fuzz every parser for FUZZTIME each (default 30s); what it finds stays in testdata/fuzz
	@$(MAKE) --no-print-directory -j2 $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u | sed 's/$$/.fuzz/')

%.fuzz: always
	@set -e; bin=$$(mktemp); trap 'rm -f "$$bin" "$$bin.out"' EXIT; \
	fuzz_clock() { grep -qx '    context deadline exceeded' $$1 && ! grep -q 'Failing input' $$1; }; \
	go test -c -fuzz . -ldflags='-s -w' -o $$bin ./$*; \
	cd $*; for f in $$($$bin -test.list '^Fuzz'); do \
	  echo "$* $$f"; \
	  $$bin -test.run "^$$f$$" -test.fuzz "^$$f$$" -test.fuzztime $(FUZZTIME) -test.fuzzminimizetime 300x -test.fuzzcachedir $$(go env GOCACHE)/fuzz/$* >$$bin.out 2>&1 \
	    || fuzz_clock $$bin.out || { cat $$bin.out; exit 1; }; \
	done
always:

bench: ## run the benchmarks
	go test -run '^$$' -bench . -benchmem ./...

bench-peers: ## compare with a bare loop and with eino, side by side (bench/README.md)
	cd bench && go run . speed alone crowd hold idle

drill: build ## ten minutes of everything that can go wrong, with at least 500 kills, and an audit
	bin/hmap drill --minutes 10 --kills 500

browser: ## what the browser tests need: Chromium from Debian, playwright-core from npm
	@[ -n "$(CHROMIUM)" ] || { echo "installing chromium"; $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq chromium >/dev/null; }
	@[ -d $(E2E)/node_modules/playwright-core ] || (cd $(E2E) && npm ci --no-audit --no-fund --ignore-scripts --silent)

bundles: ## make the JavaScript libraries of tools/document/script anew (needs node; go build does not)
	cd tools/document/script/src && npm ci --no-audit --no-fund --silent && npm run --silent build

servers: ## what the MCP tests need: real servers from npm
	@[ -d $(MCP)/node_modules/@modelcontextprotocol ] || (cd $(MCP) && npm ci --no-audit --no-fund --ignore-scripts --silent)

fmt: ## format the Go files
	gofmt -w $$(git ls-files '*.go')

clean: ## remove what was built
	rm -rf bin $(E2E)/node_modules $(MCP)/node_modules
