//! Definitions of third parties that accept everything of their kind. Their operators decide what is valid, so a newer operator
//! needs no newer definition.

/// A definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permissive {
    /// Its group.
    pub group: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Its kind.
    pub kind: &'static str,
    /// Its plural name.
    pub plural: &'static str,
    /// Its short name. Empty when it has none.
    pub short_name: &'static str,
    /// A column of `kubectl get`: name and path.
    pub column: Option<(&'static str, &'static str)>,
    /// A port with a default: the path of its field, and the default.
    pub default_port: Option<(&'static [&'static str], u16)>,
    /// The version of the bundle that it is from. Empty when it is from none.
    pub bundle: &'static str,
}

/// Where the API of InferencePool was reviewed: its annotation `api-approved.kubernetes.io` in the Go code of the inference extension,
/// `github.com/kubernetes-sigs/gateway-api-inference-extension`, read on 2026-11-23. The extension's own definition of InferenceObjective
/// has none; dot-kubernetes 2.0.21 gives it the same one.
pub const APPROVED: &str = "https://github.com/kubernetes-sigs/gateway-api-inference-extension/pull/1173";

const NONE: Permissive = Permissive {
    group: "production-stack.vllm.ai",
    version: "v1alpha1",
    kind: "",
    plural: "",
    short_name: "",
    column: None,
    default_port: None,
    bundle: "",
};

/// The definitions, as of dot-kubernetes 2.0.21 (2026-02-28).
#[rustfmt::skip]
pub const ROWS: &[Permissive] = &[
    Permissive { kind: "CacheServer", plural: "cacheservers", column: Some(("Status", ".status.status")), ..NONE },
    Permissive { kind: "LoraAdapter", plural: "loraadapters", column: Some(("Phase", ".status.phase")), ..NONE },
    Permissive { kind: "VLLMRouter", plural: "vllmrouters", ..NONE },
    // Without the default the operator compares 0 with the port of its Service, and never comes to an end.
    Permissive { kind: "VLLMRuntime", plural: "vllmruntimes", short_name: "vr", default_port: Some((&["spec", "vllmConfig", "port"], 8000)), ..NONE },
    Permissive { group: "inference.networking.k8s.io", version: "v1", kind: "InferencePool", plural: "inferencepools", short_name: "infpool", bundle: "v1.3.1", ..NONE },
    Permissive { group: "inference.networking.x-k8s.io", version: "v1alpha2", kind: "InferenceObjective", plural: "inferenceobjectives", bundle: "v1.3.1", ..NONE },
];
