# The pinned Node of node_modules comes first, whatever the machine's own is.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help install build demo run standalone test test-cluster fuzz soak bench format docs clean tools image

help: ## Show what there is to make
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

install: node_modules/.installed ## Install what package-lock.json pins

node_modules/.installed: package.json package-lock.json
	npm install --no-save --no-audit --no-fund --loglevel=error
	@touch $@

build: install ## Compile into dist/
	npm run --silent build

demo: build ## Enforce sample payloads on the embedded PDP, before and after side by side
	@node scripts/demo.ts

run: build ## Leave the service listening on the embedded PDP, with a curl to try
	@node scripts/run.ts

standalone: install ## Build the standalone packages for x64 and arm64
	@node scripts/standalone.ts

tools: install ## Get Helm and kubeconform for the tests of the charts, with the Go toolchain
	@node scripts/tools.ts

test: tools ## Run every check and every test
	@npm run --silent test

bench: build ## Measure what the service costs (PART=core, peers, service, footprint; QUICK=1)
	@node --expose-gc bench/run.ts $(PART) $(if $(QUICK),--quick)

test-cluster: install ## Run the charts on the cluster that kubectl points at (QUICK=1, PARTS=losses,tls)
	@env QUICK=$(QUICK) PARTS=$(PARTS) node tests/cluster/run.ts

fuzz: install ## Fuzz whole requests for SECONDS (300)
	@env SECONDS=$(or $(SECONDS),300) npx jest tests/fuzz

soak: install ## Serve mixed load with faults for SECONDS (600), and report
	@env SECONDS=$(or $(SECONDS),600) node scripts/soak.ts

format: install ## Format every file
	npm run --silent format

docs: install ## Write the generated files
	npm run --silent docs

image: install ## Build the container image with docker, podman or buildah
	@node scripts/image.ts

clean: ## Remove what is built
	rm -rf dist build coverage
