# What people and CI do here. `make help` lists it.

SHELL          := /bin/bash
.SHELLFLAGS    := -euo pipefail -c
.DEFAULT_GOAL  := help
MAKEFLAGS      += --no-builtin-rules
.DELETE_ON_ERROR:

VERSION   := $(shell awk -F'"' '/^version = / { print $$2; exit }' Cargo.toml)
# What is built from pinned releases, never taken from the machine: its versions are part of the result.
TOOLS_DIR := $(CURDIR)/target/tools

CARGO_DENY_VERSION := 0.20.2
CARGO_DENY         := $(TOOLS_DIR)/cargo-deny-$(CARGO_DENY_VERSION)/bin/cargo-deny

##@ Every day

.PHONY: help
help: ## List the targets
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z0-9-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: toolchain ## Build Sailplane and render the first example
	cargo run --quiet --bin sailplane -- render examples/llm-inference/llm-qwen.yaml

.PHONY: lint
lint: toolchain $(CARGO_DENY) ## Check format, lints, licences, sources and banned crates
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --features tests/e2e -- -D warnings
	$(CARGO_DENY) --workspace check --hide-inclusion-graph bans licenses sources
ifdef ADVISORY_DB # cargo-deny's folder of advisory databases
	sed 's|^db-path = .*|db-path = "$(ADVISORY_DB)"|' deny.toml >target/deny.toml
	$(CARGO_DENY) --workspace --offline --config target/deny.toml check advisories
endif

.PHONY: test
test: toolchain ## Run the tests that need nothing but Rust
	@rm -f target/skipped
	cargo test --workspace
	@! test -s target/skipped || cat target/skipped

.PHONY: generate
generate: toolchain ## Write package/, the embedded definitions, and what documents show and the code knows
	BLESS=1 cargo test --quiet --workspace --test definitions --test generated --test documents

.PHONY: toolchain
toolchain: ## Install the pinned Rust toolchain with its wasm target, when missing
	@! command -v rustup >/dev/null || rustup target list --installed 2>/dev/null | grep -q ^wasm32-unknown-unknown$$ \
		|| rustup toolchain install

.PHONY: links
links: toolchain ## Ask whether what documents link to outside still answers (needs the network)
	cargo test --quiet --workspace --test documents -- --ignored --nocapture lead_out

##@ With real components

.PHONY: e2e
e2e: toolchain ## Run the real Crossplane, API server and provider against Sailplane (needs Go)
	$(MAKE) --directory tests/e2e/tools
	cargo test --workspace --features tests/e2e --test admission --test render_parity --test control_plane --test schema_differential \
		--test selector_differential -- --nocapture

.PHONY: e2e-package
e2e-package: toolchain /usr/bin/qemu-aarch64-static ## Run what `make package` builds, on both architectures (needs Go, Node, Python, apt)
	$(MAKE) --directory tests/e2e/tools package-tools
	$(MAKE) package
	cargo test --workspace --features tests/e2e --test package -- --nocapture

.PHONY: fuzz
fuzz: toolchain ## Fuzz each door that takes bytes for FUZZ_SECONDS (30)
	$(MAKE) --directory tests/fuzz

.PHONY: bench
bench: toolchain ## Measure the budgets, as ratios from one run (needs Go)
	$(MAKE) --directory tests/e2e/tools kubeconform api-server
	cargo bench --workspace --bench budgets

.PHONY: ci
ci: ## Everything that has to pass
	$(MAKE) lint
	$(MAKE) test
	$(MAKE) e2e
	$(MAKE) e2e-web
	$(MAKE) e2e-package
	$(MAKE) fuzz

include package.mk kind/kind.mk web.mk

# Debian's, where the machine has none of its own.
SUDO := $(if $(filter-out 0,$(shell id -u)),sudo)
/usr/bin/qemu-aarch64-static:
	$(SUDO) apt-get update --quiet=2
	DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install --yes --quiet=2 qemu-user-static

$(CARGO_DENY):
	cargo install --quiet --locked --root $(TOOLS_DIR)/cargo-deny-$(CARGO_DENY_VERSION) cargo-deny@$(CARGO_DENY_VERSION)
