//! What Envoy AI Gateway needs of Envoy Gateway, as values of its chart. Kinds of several APIs install both.

use toolbox::data;
use toolbox::data::Data;

/// Backends outside the cluster.
pub const EXTENSION_APIS: Data = data!({"enableBackend": true});

/// AI Gateway changes what the proxies are told, and InferencePools are backends.
pub const EXTENSION_MANAGER: Data = data!({
    "hooks": {"xdsTranslator": {
        "translation": {"listener": {"includeAll": true}, "route": {"includeAll": true}, "cluster": {"includeAll": true}, "secret": {"includeAll": true}},
        "post": ["Translation", "Cluster", "Route"],
    }},
    "service": {"fqdn": {"hostname": "ai-gateway-controller.envoy-ai-gateway-system.svc.cluster.local", "port": 1063}},
    "backendResources": [{"group": "inference.networking.k8s.io", "kind": "InferencePool", "version": "v1"}],
});
