# Commands use the pinned Node of node_modules, not the one that the machine has.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
# What they start talks over loopback, which a proxy of the network cannot reach.
export NO_PROXY := 127.0.0.1,localhost,$(or $(no_proxy),$(NO_PROXY))
export no_proxy := $(NO_PROXY)

.DEFAULT_GOAL := help
.PHONY: help install build demo playground screenshots example-opa example-cerbos example-envoy example-proxy run standalone check test test-cluster fuzz soak bench format docs clean tools image smoke release release-prepare release-check release-dry-run licenses audit

help: ## Show what there is to make
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

install: node_modules/.installed ## Install what package-lock.json pins

node_modules/.installed: package.json package-lock.json
	@echo 'Installing what package-lock.json pins. The first time takes about a minute.'
	@npm ci --include=dev --no-audit --no-fund --loglevel=error
	@touch $@

build: install dist/.built ## Compile what changed into dist/

dist/.built: node_modules/.installed tsconfig.json tsconfig.build.json $(shell find src playground examples packaging/program scripts/playground scripts/program scripts/demo -type f)
	@echo 'Compiling the library, the program and the page of the playground into dist/.'
	@npm run --silent build
	@touch $@

playground: build ## Try policies on payloads in a browser (POLICIES=policies.yaml, PORT=4600)
	@node dist/main.js playground $(if $(POLICIES),--policies "$(POLICIES)") $(if $(PORT),--port $(PORT))

screenshots: build ## Take the screenshots of docs/playground.md with Chromium
	@node scripts/screenshots.ts

demo: build ## Enforce sample payloads on the embedded PDP, before and after
	@node scripts/demo.ts

example-opa: build ## Enforce a payload with OPA as the PDP, before and after
	@node scripts/example.ts opa

example-cerbos: build ## Enforce a payload with Cerbos as the PDP, before and after
	@node scripts/example.ts cerbos

example-envoy: build ## Mask the answers of an application in an Envoy, before and after
	@node scripts/example-envoy.ts

example-proxy: build ## Mask the answers of an unchanged application, before and after
	@node scripts/example-proxy.ts

run: build ## Leave the service listening on the embedded PDP, with a curl to try
	@node scripts/run.ts

standalone: install ## Build the standalone packages for x64 and arm64
	@node scripts/standalone.ts

tools: install ## Get the tools of the checks and tests, with Go, npm, Python and Debian's packages
	@node scripts/tools.ts

check: tools ## Run the fast checks: types, lint, format, prose, unused code, generated files, workflows
	@npm run --silent check

test: tools ## Run every check and every test; only the tests below TEST if it is set
	@npm run --silent test -- $(TEST)

bench: build ## Measure what the service costs (PART=core, peers, service, decisions, protocols, places, footprint, hostile, sizing; QUICK=1)
	@node --expose-gc bench/run.ts $(PART) $(if $(QUICK),--quick)

test-cluster: install ## Run the charts on the cluster that kubectl points at (QUICK=1, PARTS=losses,tls)
	@env QUICK="$(QUICK)" PARTS="$(PARTS)" node tests/cluster/run.ts

fuzz: install ## Fuzz whole requests for SECONDS (300)
	@env SECONDS=$(or $(SECONDS),300) npx jest tests/fuzz

soak: install ## Serve mixed load with faults for SECONDS (600), and report
	@env SECONDS=$(or $(SECONDS),600) node scripts/soak.ts

format: install ## Format every file
	npm run --silent format

docs: install ## Write the generated files
	npm run --silent docs

image: install ## Build the container image with docker, podman or buildah, and say with which
	@node scripts/image.ts

smoke: install ## Install the npm package in an empty folder, and mask a payload with it on NODE
	@node scripts/smoke.ts $(NODE)

licenses: install ## Print the licences of what ships, and refuse those that may not ship
	@node scripts/licenses.ts

audit: install ## Look for known vulnerabilities and unsigned packages among what ships
	@node scripts/audit.ts

release: install ## Build all that a release consists of into build/release
	@node scripts/release.ts

release-prepare: install ## Write VERSION everywhere, and date the changes in the changelog
	@node scripts/release-prepare.ts $(VERSION)

release-check: install ## Compare TAG with the version and the changelog, and REPOSITORY with package.json
	@node scripts/release-check.ts $(TAG) $(REPOSITORY)

release-dry-run: install ## Build it twice, compare the bytes, and verify each part
	@node scripts/release.ts --dry-run

clean: ## Remove what is built
	rm -rf dist build coverage
