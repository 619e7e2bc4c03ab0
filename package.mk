##@ Packages

# Packages for Crossplane, built without a container engine: static binaries, an image that holds nothing else,
# and Crossplane's own CLI to wrap them.

# How the binaries are compiled. Other packages than those that are published have a folder of their own.
PACKAGE_PROFILE ?= release

PACKAGE        := target/package$(if $(filter-out release,$(PACKAGE_PROFILE)),-$(PACKAGE_PROFILE))
CROSSPLANE     := $(TOOLS_DIR)/bin/crossplane
ZIGBUILD       := $(TOOLS_DIR)/zig/bin/cargo-zigbuild

FUNCTION       := $(ARCHITECTURES:%=$(PACKAGE)/function-sailplane-%.xpkg)
# Each API has one, in a folder of its name, and `sailplane` depends on all of them. The folder is the repository's name too.
CONFIGURATIONS := $(patsubst package/%/crossplane.yaml,%,$(shell grep -l '^kind: Configuration$$' package/*/crossplane.yaml))

.PHONY: package
package: binaries $(FUNCTION) $(CONFIGURATIONS:%=$(PACKAGE)/%.xpkg) ## Build the Function package, for each of ARCHITECTURES, and the Configuration packages
	@ls -lh $(PACKAGE)

.PHONY: publish
publish: package ## Push all packages to REGISTRY (host and path), tagged with the version
	$(if $(REGISTRY),,$(error set REGISTRY, e.g. `make publish REGISTRY=registry.example.org/sailplane`))
	$(CROSSPLANE) xpkg push --package-files=$(subst $(space),$(comma),$(FUNCTION)) $(REGISTRY)/function-sailplane:v$(VERSION)
	$(foreach it,$(CONFIGURATIONS),$(CROSSPLANE) xpkg push --package-files=$(PACKAGE)/$(it).xpkg $(REGISTRY)/$(it):v$(VERSION) &&) true

comma := ,
space := $(subst ,, )

TARGET_amd64 := x86_64-unknown-linux-musl
TARGET_arm64 := aarch64-unknown-linux-musl
BINARY_amd64 := target/$(TARGET_amd64)/$(PACKAGE_PROFILE:dev=debug)/sailplane
BINARY_arm64 := target/$(TARGET_arm64)/$(PACKAGE_PROFILE:dev=debug)/sailplane

# The commit that packages are built from, whatever their profile.
COMMIT := $(or $(SAILPLANE_COMMIT),$(shell git rev-parse --short=12 HEAD 2>/dev/null))

# Cargo knows what is up to date; make only sees whether the files changed. The preview page is in the binaries. What
# runs during the build knows nothing of the flags, so that it is the same as in any other build. Symbols name folders, and
# only the release profile leaves them out by itself.
.PHONY: binaries
binaries: toolchain web $(ZIGBUILD)
	@rustup target add $(foreach a,$(ARCHITECTURES),$(TARGET_$a)) 2>/dev/null
	@cargo fetch --locked --quiet
	PATH=$(TOOLS_DIR)/zig/bin:$$PATH SAILPLANE_PAGE=$(WEB)/dist SAILPLANE_COMMIT=$(COMMIT) \
	RUSTFLAGS="-Cstrip=symbols $$(scripts/remap-paths --remap-path-prefix)" TARGET_CFLAGS="$$(scripts/remap-paths -ffile-prefix-map)" \
		env -u RUSTC_WORKSPACE_WRAPPER cargo zigbuild --profile $(PACKAGE_PROFILE) --locked --bin sailplane \
		$(if $(filter-out $(MACHINE),$(ARCHITECTURES)),--features cross) \
		$(foreach a,$(ARCHITECTURES),--target $(TARGET_$a))
$(BINARY_amd64) $(BINARY_arm64): binaries
	@: # a recipe, so that make looks whether the file is newer now

$(PACKAGE)/runtime-%.tar: scripts/runtime-image
	scripts/runtime-image $* $(BINARY_$*) $@
$(foreach a,$(ARCHITECTURES),$(eval $(PACKAGE)/runtime-$a.tar: $(BINARY_$a)))

$(PACKAGE)/function-sailplane-%.xpkg: $(PACKAGE)/runtime-%.tar $(wildcard package/function/* package/function/*/* examples/*/*) | $(CROSSPLANE)
	$(CROSSPLANE) xpkg build --package-root=package/function --examples-root=examples --embed-runtime-image-tarball=$< --package-file=$@

# With the examples of the API.
define configuration
$(PACKAGE)/$1.xpkg: $(wildcard package/$1/* examples/$1/*) | $(CROSSPLANE) $(PACKAGE)/no-examples
	$(CROSSPLANE) xpkg build --package-root=package/$1 --examples-root=$(or $(wildcard examples/$1),$(PACKAGE)/no-examples) --package-file=$$@
endef
$(foreach it,$(CONFIGURATIONS),$(eval $(call configuration,$(it))))

$(PACKAGE)/no-examples:
	mkdir -p $@

$(CROSSPLANE):
	$(MAKE) --directory tests/e2e/tools package-tools

# zig is the C compiler and linker for both architectures.
$(ZIGBUILD): scripts/zigbuild-requirements.txt
	python3 -m venv $(TOOLS_DIR)/zig
	$(TOOLS_DIR)/zig/bin/pip install --quiet --require-hashes --only-binary=:all: --requirement $<
	@touch $@
