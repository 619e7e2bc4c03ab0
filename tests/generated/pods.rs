//! What all pods of our image have in common.

use serde_json::{Value, json};

/// The user ID of the image.
pub(crate) const USER: u32 = 2000;

/// The security context of a pod.
pub(crate) fn pod_security() -> Value {
    json!({
        "runAsGroup": USER,
        "runAsNonRoot": true,
        "runAsUser": USER,
        "seccompProfile": {"type": "RuntimeDefault"},
    })
}

/// The security context of a container.
pub(crate) fn container_security() -> Value {
    json!({
        "allowPrivilegeEscalation": false,
        "capabilities": {"drop": ["ALL"]},
        "readOnlyRootFilesystem": true,
    })
}
