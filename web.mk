##@ The preview page

# The page is static files in target/web/dist, made of host/web and of the component, which the binary brings.

WEB         := target/web
COMPONENT   ?= $(WEB)/sailplane.wasm
# Not `npm ci`: it refuses a lock file without the packages of platforms that the registry it was made with lacks.
NPM_INSTALL := npm install --no-save --no-audit --no-fund --loglevel=error

.PHONY: web
web: $(WEB)/dist/index.html ## Build the preview page into target/web/dist (needs Node; COMPONENT=path for another component)

# Made anew only when something changed, since the binaries hold it.
$(WEB)/dist/index.html: $(COMPONENT) host/web/node_modules $(shell find host/web -type f -not -path '*/node_modules/*')
	cd host/web && COMPONENT=$(abspath $(COMPONENT)) npm run --silent build
	cd host/web && npm run --silent check && npm run --silent test
	node host/web/build/weigh.js $(WEB)/dist

.PHONY: e2e-web e2e-web-inputs e2e-page e2e-page-speed
e2e-web: e2e-web-inputs ## Run the preview page in a real Chromium, a visit in Firefox and WebKit too (needs Node, apt)
	$(MAKE) e2e-page
	$(MAKE) e2e-page-speed

# For the engines of the other browsers. WebKit's has no mode without a display.
ENGINES := /usr/bin/firefox-esr /usr/bin/WebKitWebDriver /usr/bin/Xvfb

e2e-web-inputs: web tests/e2e/web/node_modules /usr/bin/chromium $(ENGINES) $(WEB)/cases.jsonl ## Build the page, and all else that its tests need

e2e-page: ## The part of `make e2e-web` that measures nothing
	cd tests/e2e/web && COMPONENT=$(abspath $(COMPONENT)) npm run --silent test
e2e-page-speed: ## The part of `make e2e-web` that measures, on an idle machine
	cd tests/e2e/web && COMPONENT=$(abspath $(COMPONENT)) npm run --silent speed

.PHONY: pictures
pictures: web tests/e2e/web/node_modules /usr/bin/chromium /usr/bin/pngquant ## Take the pictures of the preview page in docs/images anew (needs Node, apt)
	cd tests/e2e/web && node pictures.js

# Cargo knows whether the component is up to date. The binary is the one that the tests build, since another would be
# compiled with fewer features, all of it.
$(WEB)/sailplane.wasm: toolchain
	@mkdir -p $(@D)
	cargo build --quiet --workspace --bin sailplane-under-test
	target/debug/sailplane-under-test component >$@.new
	cmp --silent $@.new $@ && rm $@.new || mv $@.new $@

# Golden requests with their native answers, for the browser to give the same.
.PHONY: $(WEB)/cases.jsonl
$(WEB)/cases.jsonl: toolchain
	@mkdir -p $(@D)
	CASES=$(abspath $@) cargo test --quiet --workspace --test parity -- --ignored write_cases

host/web/node_modules tests/e2e/web/node_modules tests/e2e/backstage/node_modules: %/node_modules: %/package-lock.json
	cd $* && $(NPM_INSTALL)
	@touch $@

# Those of the engines do not need what Debian recommends beside them, which is a desktop.
$(ENGINES): RECOMMENDED := --no-install-recommends
/usr/bin/WebKitWebDriver: DEBIAN_PACKAGE := webkit2gtk-driver
/usr/bin/Xvfb: DEBIAN_PACKAGE := xvfb

/usr/bin/busybox /usr/bin/chromium /usr/bin/jq /usr/bin/pngquant $(ENGINES): /usr/bin/%:
	$(SUDO) apt-get update --quiet=2
	DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install --yes --quiet=2 $(RECOMMENDED) $(or $(DEBIAN_PACKAGE),$*)
