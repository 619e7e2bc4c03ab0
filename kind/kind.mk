##@ On a local cluster (needs Docker, kind, kubectl and helm)

KIND_KUBECONFIG := $(CURDIR)/target/kind.kubeconfig
ON_KIND         := KUBECONFIG=$(KIND_KUBECONFIG)

.PHONY: cluster-create
cluster-create: ## Create a KinD cluster with Crossplane and provider-kubernetes
	kind create cluster --config kind/cluster.yaml --kubeconfig $(KIND_KUBECONFIG)
	$(ON_KIND) helm install crossplane crossplane --repo https://charts.crossplane.io/stable --version 2.4.0 \
		--namespace crossplane-system --create-namespace --wait
	$(ON_KIND) kubectl apply --filename package/install/provider-kubernetes.yaml \
		--filename package/install/rbac-cluster-admin.yaml --filename tests/e2e/fixtures/vllmruntimes.yaml
	$(ON_KIND) kubectl wait providers.pkg.crossplane.io --all --for=condition=Healthy --timeout=300s
	$(ON_KIND) kubectl apply --filename package/install/provider-config-incluster.yaml

.PHONY: cluster-install
cluster-install: publish ## Install this checkout's packages there, from a REGISTRY that the cluster reaches
	sed 's|REGISTRY|$(REGISTRY)|' kind/registry.yaml | $(ON_KIND) kubectl apply --filename -
	$(ON_KIND) kubectl apply --filename package/install/configuration.yaml
	$(ON_KIND) kubectl wait configurations.pkg.crossplane.io/sailplane --for=condition=Healthy --timeout=300s
	$(ON_KIND) kubectl wait configurations.pkg.crossplane.io --all --for=condition=Healthy --timeout=300s
	$(ON_KIND) kubectl wait functions.pkg.crossplane.io/sailplane-function-sailplane --for=condition=Healthy --timeout=300s

.PHONY: cluster-test
cluster-test: ## Run the Chainsaw suites there (needs chainsaw)
	cd tests/chainsaw && $(ON_KIND) chainsaw test

.PHONY: cluster-destroy
cluster-destroy: ## Delete the KinD cluster
	kind delete cluster --name sailplane --kubeconfig $(KIND_KUBECONFIG)
