// Their CRDs are installed beside ours: on workload clusters, and where services are composed in the cluster itself. No code of
// theirs is built, so `go mod tidy` would remove them.
module sailplane/tests/e2e/tools/workload-apis

go 1.26.7

require (
	github.com/otterscale/api v1.0.0
	github.com/prometheus-operator/prometheus-operator v0.93.0
	istio.io/api v1.30.3
	sigs.k8s.io/gateway-api v1.6.1
	sigs.k8s.io/lws v0.8.0
)
