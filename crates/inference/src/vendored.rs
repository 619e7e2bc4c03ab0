//! Definitions of others that kinds compose as they are, packed. `make vendored` writes the files from the releases.

use std::sync::LazyLock;

use serde_json::Value;
use toolbox::packed::unpack;

/// A release whose definitions are here.
#[derive(Clone, Copy, Debug)]
pub struct VendoredRelease {
    /// Its Go module, from which the files are written.
    pub module: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The folder in the module with its definitions.
    pub folder: &'static str,
    /// The file here, below `crates/inference/src/vendored`.
    pub file: &'static str,
    /// The names of its definitions, sorted.
    pub names: &'static [&'static str],
    /// The definitions, in the order of their names.
    pub objects: fn() -> &'static [Value],
}

/// Gateway API, its standard channel. Traefik 3.7 watches kinds that are new in this version.
pub const GATEWAY_API: VendoredRelease = VendoredRelease {
    module: "sigs.k8s.io/gateway-api",
    version: "v1.5.1",
    folder: "config/crd/standard",
    file: "gateway-api.json",
    names: &[
        "backendtlspolicies.gateway.networking.k8s.io",
        "gatewayclasses.gateway.networking.k8s.io",
        "gateways.gateway.networking.k8s.io",
        "grpcroutes.gateway.networking.k8s.io",
        "httproutes.gateway.networking.k8s.io",
        "listenersets.gateway.networking.k8s.io",
        "referencegrants.gateway.networking.k8s.io",
        "tlsroutes.gateway.networking.k8s.io",
    ],
    objects: || {
        static OBJECTS: LazyLock<Vec<Value>> = LazyLock::new(|| unpack(include_str!("vendored/gateway-api.json")));
        &OBJECTS
    },
};

/// Gateway API Inference Extension.
pub const INFERENCE_EXTENSION: VendoredRelease = VendoredRelease {
    module: "sigs.k8s.io/gateway-api-inference-extension",
    version: "v1.0.1",
    folder: "config/crd/bases",
    file: "inference-extension.json",
    names: &[
        "inferenceobjectives.inference.networking.x-k8s.io",
        "inferencepools.inference.networking.k8s.io",
        "inferencepools.inference.networking.x-k8s.io",
    ],
    objects: || {
        static OBJECTS: LazyLock<Vec<Value>> =
            LazyLock::new(|| unpack(include_str!("vendored/inference-extension.json")));
        &OBJECTS
    },
};

/// All releases.
pub const RELEASES: &[VendoredRelease] = &[GATEWAY_API, INFERENCE_EXTENSION];

impl VendoredRelease {
    /// The definition with this name.
    pub fn definition(&self, name: &str) -> Option<&'static Value> {
        (self.objects)().iter().find(|object| object["metadata"]["name"] == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_those_of_their_releases() {
        for release in RELEASES {
            let names: Vec<_> =
                (release.objects)().iter().filter_map(|object| object["metadata"]["name"].as_str()).collect();
            assert_eq!(names, release.names, "{}", release.module);
            for object in (release.objects)() {
                assert_eq!(object["kind"], "CustomResourceDefinition");
                // What the API server owns would be applied again for ever.
                assert!(object.get("status").is_none() && object["metadata"].get("creationTimestamp").is_none());
                let version = object["metadata"]["annotations"].as_object().and_then(|annotations| {
                    annotations.iter().find(|(key, _)| key.ends_with("/bundle-version")).map(|(_, value)| value)
                });
                assert_eq!(version.and_then(Value::as_str), Some(release.version), "{}", object["metadata"]["name"]);
            }
            assert!(release.names.iter().all(|name| release.definition(name).is_some()));
            assert!(release.definition("other").is_none());
        }
    }
}
